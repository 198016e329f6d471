import { describe, expect, it } from 'vitest';
import { findGrowth } from './growth.ts';
import { HOSTILE_NOTATIONS } from './notations.ts';
import { hostileText, randomShape } from './shapes.ts';
import { workOn, workOnMessage } from './work.ts';
import { Random } from '../../src/plugins/contract/random.ts';

/** `text/linear` and `formats/linear` try every piece of every notation. */
describe('inputs that were slow once', () => {
  it.each([
    ['⋯', 'https://a№.b '],
    ['⋯', '[a](https://b№.c) '],
    ['https://a⋯', ')'],
    ['{n, plural, ⋯ other{a}}', '=№{a} '],
    ['{n, select, ⋯ other{a}}', 'a№{a} '],
  ])('take time in proportion to their length in a message: %j with %j', async (frame, piece) => {
    expect(await findGrowth(workOnMessage('icu'), hostileText(frame, piece))).toEqual([]);
  });

  it.each([['csv', 'key,en,de\n⋯', 'k,v,\n'] as const])(
    'take linear time in a file: %s, %j with %j',
    async (id, frame, piece) => {
      expect(await findGrowth(await workOn(id), hostileText(frame, piece))).toEqual([]);
    },
  );

  it.each(['json', 'po', 'xml', 'srt'] as const)('take linear time in combination: %s', async (id) => {
    const random = new Random(1);
    const shape = randomShape(HOSTILE_NOTATIONS[id], random);
    expect(await findGrowth(await workOn(id), shape), shape.name).toEqual([]);
  });
});
