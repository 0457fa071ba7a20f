import { beforeEach, expect, test } from 'vitest';
import type { Heard } from './face.ts';
import { learn, speak } from '../words/words.svelte.ts';
import { backWords, stepper, turnsBack, whyNot, type BackRule } from './stepback.ts';

beforeEach(() => learn('rest'));

const told = (...seats: (number | null)[]): Heard[] => seats.map((seat) => ({ seat, events: [] }));
const names = ['Me', 'Anna', 'Ben'];

test('a step back reaches to the beginning of one’s last turn', () => {
  expect(turnsBack(told(), 0)).toEqual([]);
  expect(turnsBack(told(1, 2), 0)).toEqual([]);
  expect(turnsBack(told(0), 0)).toEqual([{ seat: 0, turns: 1 }]);
  expect(turnsBack(told(0, 1, 2, 0, 1, null, 1, 2), 0)).toEqual([{ seat: 0, turns: 1 }, { seat: 1, turns: 2 }, { seat: 2, turns: 1 }]);
  expect(turnsBack(told(0, 1, 2), 1)).toEqual([{ seat: 1, turns: 1 }, { seat: 2, turns: 1 }]);
});

test('it is told in words whose turns go', async () => {
  const back = turnsBack(told(0, 1, 1, 2), 0);
  await speak('en');
  expect(backWords(back, names, false)).toBe('This takes back your last turn, 2 turns of Anna and 1 turn of Ben. Press again to do it.');
  expect(backWords(turnsBack(told(0), 0), names, false)).toBe('This takes back your last turn. Press again to do it.');
  expect(backWords(turnsBack(told(0, 1), 0), names, true)).toBe('The others are asked to take back your last turn and 1 turn of Anna. Press again to ask them.');
  await speak('fr');
  expect(backWords(turnsBack(told(0, 1), 0), names, false)).toBe('Cela annule votre dernier tour et 1 tour de Anna. Appuyez encore pour le faire.'.replace('de Anna', '(Anna)'));
  await speak('it');
  expect(backWords(turnsBack(told(0, 1), 0), names, true)).toContain('Anna');
});

test('and why there is none, in every case', async () => {
  await speak('en');
  const cases: [BackRule, boolean, boolean, string][] = [
    ['watches', false, false, 'You are watching'],
    ['alone', true, false, 'There is nothing to take back yet'],
    ['asks', true, false, 'There is nothing to take back yet'],
    ['never', true, true, 'At this table confirmed turns stay'],
    ['screen', true, true, 'Several people play at this screen'],
    ['alone', false, true, 'It is not your turn'],
    ['asks', false, true, 'in the menu of the table'],
  ];
  for (const [rule, mine, moved, words] of cases) expect(whyNot({ rule, mine, moved }), `${rule} ${mine} ${moved}`).toContain(words);
});

/** A table that tells what was asked of it. */
function table(given: Partial<Parameters<typeof stepper>[0]> = {}) {
  const did: string[] = [];
  return {
    did,
    phase: 'person',
    viewer: 0 as number | 'watcher',
    undoable: true,
    draft: [] as unknown[],
    told: told(0, 1),
    names,
    moves: 2,
    undo: () => Promise.resolve(void did.push('undo')),
    deny: (text: string) => void did.push(text),
    ...given,
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

test('steps of the draft go at once, a whole turn only once it was said whose turns go', async () => {
  await speak('en');
  const drafting = table({ draft: [1] });
  stepper(drafting, () => 'alone')();
  expect(drafting.did).toEqual(['undo']);
  const at = table();
  const press = stepper(at, () => 'alone');
  press();
  await turn();
  expect(at.did).toEqual(['This takes back your last turn and 1 turn of Anna. Press again to do it.']);
  press();
  await turn();
  expect(at.did.at(-1)).toBe('undo');
  press(); // another turn: it is said again
  await turn();
  expect(at.did).toHaveLength(3);
  expect(at.did.at(-1)).toContain('Press again');
});

test('what was said of another moment is said anew', async () => {
  await speak('en');
  const at = table();
  const press = stepper(at, () => 'asks');
  press();
  await turn();
  at.moves = 5;
  press();
  await turn();
  expect(at.did).toHaveLength(2);
  expect(at.did[1]).toContain('Press again to ask them');
});

test('where nothing can be taken back it says why, however often it is pressed', async () => {
  await speak('en');
  for (const [given, rule, words] of [
    [{ undoable: false, told: told(1) }, 'alone', 'nothing to take back'],
    [{ undoable: false, phase: 'bot' }, 'alone', 'not your turn'],
    [{ undoable: false, viewer: 'watcher' as const }, 'watches', 'watching'],
  ] as const) {
    const at = table(given);
    const press = stepper(at, () => rule);
    press();
    press();
    await turn();
    expect(at.did).toHaveLength(2);
    for (const said of at.did) expect(said).toContain(words);
  }
});
