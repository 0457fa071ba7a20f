// @vitest-environment node
import { expect, test } from 'vitest';
import { Reader } from './sse.ts';

const text = 'retry: 1000\n\nevent: look\nid: a.1.w.0\ndata: {"a":1}\n\n: a comment\nevent: entry\nid: a.2.w.0\ndata: {"b":\ndata: 2}\n\nevent: beat\ndata: {"now":3}\n\n';
const messages = [
  { event: 'look', data: '{"a":1}', id: 'a.1.w.0' },
  { event: 'entry', data: '{"b":\n2}', id: 'a.2.w.0' },
  { event: 'beat', data: '{"now":3}', id: null },
];

test('messages are the same wherever the line cuts them', () => {
  for (let cut = 0; cut <= text.length; cut++) {
    const reader = new Reader();
    expect([...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut))]).toEqual(messages);
  }
  const one = new Reader();
  expect([...text].flatMap((letter) => one.read(letter))).toEqual(messages);
});

test('what has not ended is no message yet', () => {
  expect(new Reader().read('event: look\ndata: {}\n')).toEqual([]);
});
