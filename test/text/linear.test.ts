import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { findGrowth } from '../hostile/growth.ts';
import { MESSAGE_FRAMES, MESSAGE_PIECES } from '../hostile/pieces.ts';
import { someShapes } from '../hostile/shapes.ts';
import { workOnMessage } from '../hostile/work.ts';

const LENGTH = 200_000;

describe('hostile values', () => {
  it.each([
    'plain',
    'icu',
    'vue',
    'laravel',
    'java',
    'c',
    'python-brace',
    'markup',
    'xliff',
    'lisp',
    'sh',
    'boost',
    'perl',
    'php',
  ] satisfies Syntax[])('%s: time grows with the length only', { timeout: 1_200_000 }, async (syntax) => {
    const work = workOnMessage(syntax);
    for (const shape of someShapes({ frames: MESSAGE_FRAMES, pieces: MESSAGE_PIECES })) {
      expect(await findGrowth(work, shape), shape.name).toEqual([]);
      const value = shape.make(LENGTH);
      const message = parseMessage(value, syntax);
      if (message.problem === undefined)
        expect(message.assemble('en', message.segments('en')) === value, shape.name).toBe(true);
      else expect(message.problem).not.toBe('');
    }
  });
});
