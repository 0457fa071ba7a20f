// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from './message.ts';
import { Locale, pick, type Args, type Tag } from './speech.ts';

const vectors = JSON.parse(readFileSync('../i18n/vectors.json', 'utf8'));

describe('the conformance vectors of i18n', () => {
  test.for(vectors.say as Record<string, unknown>[])('$name', (v) => {
    if (v.malformed) {
      expect(() => parse(v.message as string)).toThrow();
      return;
    }
    const messages: Record<string, string> = { ...(v.words as object) };
    if (v.message !== undefined) messages.message = v.message as string;
    const locale = new Locale(v.locale as Tag, messages);
    expect(locale.say((v.key as string) ?? 'message', v.args as Args, (v.names as string[]) ?? [])).toBe(v.want);
  });

  test.for(vectors.pick as { lang: string; want: Tag }[])('picks $want of "$lang"', ({ lang, want }) => {
    expect(pick(lang)).toBe(want);
  });
});

test('malformed messages are found', () => {
  for (const wrong of ['{', '}', '{x', '{x, plural, one {a}}', '{x, colour}', '{x, plural, two {a} other {b}}']) {
    expect(() => parse(wrong), wrong).toThrow();
  }
});
