import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../../src/base/errors.ts';
import { parseTestSet } from '../../../src/pipeline/evaluation/test-set.ts';

function errorOf(text: string): DragomanError {
  try {
    parseTestSet(text);
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error('there is no error');
}

const row = (line: number, source: string, reference: string, syntax = 'plain') => ({
  line,
  source,
  reference,
  syntax,
});

describe('a test set', () => {
  it('has one row per line', () => {
    expect(parseTestSet('One\tUno\nTwo\tDos\n')).toEqual([row(1, 'One', 'Uno'), row(2, 'Two', 'Dos')]);
  });

  it.each(['\n', '\r\n', '\r'])('may have lines that end with %j, including the last', (end) => {
    const rows = [row(1, 'One', 'Uno'), row(3, 'Two', 'Dos')];
    const text = ['One\tUno', '', 'Two\tDos'].join(end);
    expect(parseTestSet(text)).toEqual(rows);
    expect(parseTestSet(text + end)).toEqual(rows);
  });

  it.each(['source\treference', 'source\treference\tsyntax', 'Source\tReference'])(
    'may name its columns: %j',
    (header) => {
      expect(parseTestSet(`${header}\nOne\tUno\n`)).toEqual([row(2, 'One', 'Uno')]);
    },
  );

  it('names its columns only in the first line', () => {
    expect(parseTestSet('One\tUno\nsource\treference')[1]).toEqual(row(2, 'source', 'reference'));
  });

  it('names the syntax of a message that is not plain', () => {
    const text = '{n, plural, other {# files}}\t# archivos\ticu\n$t(a)\tb\t\nc\td\t i18next \n';
    expect(parseTestSet(text).map(({ syntax }) => syntax)).toEqual(['icu', 'plain', 'i18next']);
  });

  it('has escapes for tabs, line breaks and backslashes, and no quoting', () => {
    const [first] = parseTestSet(String.raw`a\tb\nc\\n` + '\t"quoted" ""');
    expect(first).toEqual(row(1, 'a\tb\nc\\n', '"quoted" ""'));
  });

  it('reads escapes', () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', 'é', '字', '😀', '\t', '\n', '\\', 't', 'n', ' ', '"') })
      .filter((text) => text.trim() !== '');
    const escape = (text: string): string =>
      text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (pairs) => {
        const text = pairs.map((pair) => pair.map(escape).join('\t')).join('\n');
        expect(parseTestSet(text)).toEqual(
          pairs.map(([source, reference], i) => row(i + 1, source, reference)),
        );
      }),
    );
  });
});

describe('an invalid test set', () => {
  it.each<[string, string, { line: number; column: number }, string, RegExp]>([
    ['an empty file', '', { line: 1, column: 1 }, 'the test set has no rows', /source, tab, reference/],
    ['a header alone', 'source\treference\n', { line: 1, column: 1 }, 'the test set has no rows', /tab/],
    ['a line without a tab', 'a\tb\nOne', { line: 2, column: 4 }, 'the row has no tab', /tab/],
    ['four cells', 'a\tb\t\td', { line: 1, column: 6 }, 'the row has 4 cells', /inside a cell is \\t/],
    ['no source', 'a\tb\n \tb', { line: 2, column: 1 }, 'the source is empty', /Fill it in/],
    ['no reference', 'One\t', { line: 1, column: 5 }, 'the reference is empty', /Fill it in/],
    ['an unknown syntax', 'a\tb\ticuu', { line: 1, column: 5 }, '"icuu"', /mean icu\?.*android/],
    [
      'an invalid message',
      'a\tb\n{n, plural, one {x}\tb\ticu',
      { line: 2, column: 1 },
      'not a message in the syntax icu: ',
      /name its syntax/,
    ],
    [
      'an unknown escape',
      'ab\tC:\\dir',
      { line: 1, column: 6 },
      '\\d is not an escape',
      /A backslash is \\\\/,
    ],
    ['half an escape', 'ab\\\tb', { line: 1, column: 3 }, '\\ is not an escape', /A backslash/],
  ])('has %s', (_, text, at, message, hint) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ code: 'unreadable_input', at });
    expect(error.message).toContain(message);
    expect(error.hint).toMatch(hint);
  });

  it('has a cell as long as a book', () => {
    const error = errorOf(`a\tb\nc\t${'x'.repeat(100_001)}`);
    expect(error).toMatchObject({ code: 'limit_exceeded', at: { line: 2, column: 3 } });
    expect(parseTestSet(`c\t${'x'.repeat(100_000)}`)).toHaveLength(1);
  });
});
