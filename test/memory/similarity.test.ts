import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparableOf } from '../../src/memory/comparable.ts';
import { compare, LEAST_SIMILARITY, MOST_SIMILARITY, MOST_TOKENS } from '../../src/memory/similarity.ts';
import { anyText, likeTexts } from './texts.ts';

function similarityOf(a: string, b: string): number {
  return compare(comparableOf(a), comparableOf(b));
}

describe('the similarity of two texts', () => {
  it.each([
    ['an additional word', 'You have new messages', 'You have new messages today', 1 - 1 / 5],
    ['another word', 'The file could not be opened', 'The file could not be saved', 1 - 1 / 6],
    ['another order', 'Open the old file now', 'Open the file old now', 1 - 2 / 5],
    ['another form', 'Delete the selected file', 'Delete the selected files', 1 - 0.2 / 4],
    ['words that only begin alike', 'The configuration is new', 'The conference is new', 1 - 1 / 4],
    ['another case', 'Delete the File', 'delete the file', 1 - 0.1 / 3],
    ['accents', 'Señor Peña is here', 'Senor Pena is here', 1 - 0.1 / 4],
    ['apostrophes', "It doesn't work here", 'It doesn’t work here', 1 - 0.05 / 4],
    ['another number', 'There are 3 new files', 'There are 12 new files', 1 - 0.5 / 5],
    ['an additional sign', 'Delete the file', 'Delete the file?', 1 - 0.25 / 3.25],
    ['other spaces', 'Delete  the file ', 'Delete the file', MOST_SIMILARITY],
    ['other ids', 'Delete <x id="1"/> now', 'Delete <x id="2"/> now', MOST_SIMILARITY],
    ['an additional placeholder', 'Delete the file', 'Delete the <x id="1"/> file', 1 - 0.5 / 3.5],
    ['an additional pair', 'Delete the file', 'Delete <x id="1">the file</x>', 1 - 0.5 / 3.5],
    ['a placeholder for a word', 'Delete <x id="1"/> file now', 'Delete the file now', 1 - 1 / 4],
    ['one character of five', '删除这文件', '删除那文件', 1 - 1 / 5],
    ['forms of Korean words', '새 파일을 모두 지웁니다', '새 파일이 모두 지웁니다', 1 - 0.25 / 4],
    ['forms of Russian words', 'Удалить новый файл', 'Удалить новые файлы', 1 - 0.4 / 3],
    ['markup as words', 'a &lt; b and c &amp; d', 'a &gt; b and c &amp; d', 1 - 0.25 / 5.5],
    ['nothing in common', 'The file could not be opened', 'Jetzt alles auf Anfang setzen bitte', 0],
  ])('is as expected with %s', (_what, a, b, expected) => {
    expect(similarityOf(a, b)).toBeCloseTo(expected, 2);
    expect(similarityOf(b, a)).toBe(similarityOf(a, b));
  });

  it.each([
    ['Save', 'SAVE'],
    ['Save', 'Save…'],
    ['Delete file', 'delete file?'],
    ['Save <x id="1"/>', 'Save: <x id="1"/>'],
    ['删除文件', '删除文件。'],
  ])('compares words in short texts: %s, %s', (a, b) => {
    expect(similarityOf(a, b)).toBeGreaterThanOrEqual(LEAST_SIMILARITY);
  });

  it.each([
    ['Save', 'Saves'],
    ['Save', 'Load'],
    ['Delete file', 'Delete files'],
    ['Delete file', 'Delete the file'],
    ['Page 1', 'Page 2'],
    ['删除文件', '删除文档'],
    ['<x id="1"/>: <x id="2"/>', '<x id="1"/> – <x id="2"/>'],
    ['', ' '],
    ['…', '...'],
  ])('is 0 for short texts without shared words: %s, %s', (a, b) => {
    expect(similarityOf(a, b)).toBe(0);
  });

  it('is not computed for long texts', () => {
    const long = (last: string): string => `${'word '.repeat(MOST_TOKENS)}${last}`;
    expect(similarityOf(long('a'), long('b'))).toBe(0);
    expect(similarityOf(long('a'), long('a'))).toBe(1);
  });

  it('is symmetric, from 0 to 1, and 1 only for equal texts', () => {
    fc.assert(
      fc.property(fc.oneof(likeTexts, fc.tuple(anyText, anyText)), ([a, b]) => {
        const similarity = similarityOf(a, b);
        expect(similarityOf(b, a)).toBe(similarity);
        if (a === b) expect(similarity).toBe(1);
        else {
          expect(similarity).toBeGreaterThanOrEqual(0);
          expect(similarity).toBeLessThanOrEqual(MOST_SIMILARITY);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never exceeds the common weight of tokens with the same keys', () => {
    // The index of similar texts relies on this limit.
    fc.assert(
      fc.property(likeTexts, ([a, b]) => {
        const [one, other] = [comparableOf(a), comparableOf(b)];
        const left = other.tokens.map(({ key }) => key);
        let common = 0;
        for (const { key, weight } of one.tokens) {
          const at = left.indexOf(key);
          if (at === -1) continue;
          left.splice(at, 1);
          common += weight;
        }
        const heavier = Math.max(one.weight, other.weight);
        if (a !== b) expect(similarityOf(a, b) * heavier).toBeLessThanOrEqual(common + 1e-9);
      }),
      { numRuns: 500 },
    );
  });

  it('splits ASCII texts into the same tokens as other texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        const plain = comparableOf(text).tokens;
        const other = comparableOf(`${text} é`).tokens;
        expect(other.slice(0, -1)).toEqual(plain);
      }),
    );
  });
});
