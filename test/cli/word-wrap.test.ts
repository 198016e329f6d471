import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitted, wrapWords } from '../../src/cli/terminal/word-wrap.ts';
import { dragoman } from './harness.ts';

describe('a text for a terminal', () => {
  it.each([
    ['fits', 'fits', 10],
    ['error: this is too long', 'error:\n  this is\n  too long', 10],
    ['  a hint that is long', '  a hint\n  that is\n  long', 10],
    // A command that fits stays on one line, because a shell would run each pasted line.
    ['Name it, or dragoman init writes one.', 'Name it, or\n  dragoman init writes one.', 28],
    ['Run dragoman sync --prune all now', 'Run dragoman\n  sync --prune\n  all now', 15],
    // Paths are never split, because they are copied as a whole.
    ['see /a/very/long/path here', 'see\n  /a/very/long/path\n  here', 10],
    ['\u001b[31merror:\u001b[39m two words', '\u001b[31merror:\u001b[39m two\n  words', 10],
    ['one two\nthree', 'one\n  two\nthree', 5],
  ])('%j', (text, wrapped, width) => {
    expect(wrapWords(text, width)).toBe(wrapped);
  });

  const word = fc.stringMatching(/^(?:[a-z]{1,9}[.,]?|dragoman|--all)$/);

  it('keeps the words in order, and has no line that could be shorter', () => {
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 4, max: 60 }), fc.nat(6), (words, width, indent) => {
        const lines = wrapWords(' '.repeat(indent) + words.join(' '), width).split('\n');
        expect(lines.flatMap((line) => line.split(' ').filter(Boolean))).toEqual(words);
        for (const line of lines) {
          const isOneWord = line.trim().split(' ').length === 1;
          expect(line.length <= width || isOneWord || words.length === 0).toBe(true);
        }
      }),
    );
  });

  it('is not wrapped if the width is unknown, or in a file', () => {
    const text = 'words and words';
    for (const shape of [{ isTTY: true }, { isTTY: true, columns: 0 }, { columns: 5 }])
      expect(fitted(text, Object.assign(new PassThrough(), shape))).toBe(text);
  });

  it('is used for every message of a command', async () => {
    const { stderr } = await dragoman(['translate', '-t', 'nonsens', 'Hello'], {
      tty: true,
      columns: 20,
      env: { NO_COLOR: '1' },
    });
    expect(stderr).toBe('error: unsupported\n  language "nonsens"\n  dragoman languages\n  lists them.\n');
  });
});
