import fc from 'fast-check';
import oracle from 'json5';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import type { Document } from '../../src/formats/format.ts';
import { json5 } from '../../src/formats/json5/format.ts';
import { processorTime } from '../processor-time.ts';
import { findDisagreements } from '../readers/disagreement.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('json5', json5);

const content = fc
  .array(
    fc.constantFrom(
      'a',
      'Ö',
      '{n}',
      '\\n',
      '\\x41',
      '\\u00e9',
      '\\\n',
      '\\\r\n',
      '\\q',
      '\\0',
      '\u2028',
      '\t',
      '//',
      '\\\\',
      '😀',
    ),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));
const string = fc.tuple(content, fc.constantFrom("'", '"')).map(([text, quote]) => quote + text + quote);
const gap = fc.constantFrom('', '', ' ', '\n  ', '\u00a0', " /* ' */ ", ' // no\n', '\v', '\ufeff');
const name = fc.constantFrom('a', '$b', '_', 'größe', '\\u0061b', "'c d'", '"e"', 'null', 'ⅷ');

const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: string },
    {
      weight: 1,
      arbitrary: fc.constantFrom('+1', '-.5', '5.', '0x1F', 'Infinity', '-NaN', 'true', 'null', '1e9'),
    },
    { weight: 2, arbitrary: tie('object') },
    { weight: 1, arbitrary: tie('array') },
  ),
  object: list(
    fc.tuple(name, gap, gap, tie('value')).map(([key, a, b, text]) => `${key}${a}:${b}${text}`),
    '{}',
  ),
  array: list(tie('value'), '[]'),
}));

function list(item: fc.Arbitrary<string>, [open, close]: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(item, gap), { maxLength: 4 }), fc.boolean(), gap)
    .map(([items, trailing, before]) => {
      const body = items.map(([text, behind]) => text + behind).join(',');
      return `${open}${before}${body}${trailing && items.length > 0 ? ',' : ''}${close}`;
    });
}

const documents = fc.tuple(gap, value, gap).map((parts) => parts.join(''));

formatContract(json5, {
  documents,
  oracle: (rendered: Document) => expect(findDisagreements('json5', [rendered])).toEqual([]),
  runs: 200,
});

it('JSON5 accepts and refuses the same input as the reference parser', () => {
  const noise = fc.constantFrom(
    '',
    "'",
    '"',
    '\\',
    '{',
    ']',
    ',',
    ':',
    'a',
    '0',
    '.',
    '-',
    '/',
    '\n',
    '\\u',
    '1',
  );
  const damaged = fc.tuple(documents, fc.nat(), fc.nat(3), noise).map(([text, at, cut, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + cut);
  });
  fc.assert(
    fc.property(damaged, (text) => {
      expect(
        isRead(() => json5.scan(text)),
        text,
      ).toBe(isRead(() => oracle.parse(text)));
    }),
    { numRuns: 1000 },
  );
});

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof DragomanError || error instanceof SyntaxError) return false;
    throw error;
  }
}

describe('large files', () => {
  it.each([
    ['members', (n: number) => `{${"a: 'b', ".repeat(n)}}`],
    ['comments', (n: number) => `[${"/* x */ 'a', // y\n".repeat(n)}]`],
    ['escapes', (n: number) => `['${'\\x41\\\n'.repeat(n)}']`],
    ['names', (n: number) => `{${'\\u0061'.repeat(n)}: 1}`],
    ['an open comment', (n: number) => `[${'/* '.repeat(n)}`],
  ])('take linear time: %s', (_, make) => {
    const time = (n: number): number => {
      const text = make(n);
      const start = processorTime();
      try {
        json5.scan(text);
      } catch {
        // A refusal must be just as quick.
      }
      return processorTime() - start;
    };
    time(1000);
    const [few, many] = [Math.min(time(5_000), time(5_000)), Math.min(time(40_000), time(40_000))];
    expect(many).toBeLessThan(Math.max(few, 20) * 8 * 4);
  });
});
