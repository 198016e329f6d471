import { FluentParser } from '@fluent/syntax';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splice as edited } from '../../src/base/span.ts';
import { DragomanError } from '../../src/base/errors.ts';
import type { Document } from '../../src/formats/format.ts';
import { fluent } from '../../src/formats/fluent/format.ts';
import { readParts } from '../../src/formats/fluent/resource.ts';
import { processorTime } from '../processor-time.ts';
import { findDisagreements } from '../readers/disagreement.ts';
import { runs } from '../property-runs.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('fluent', fluent);

const placeable = fc.constantFrom(
  '{ $name }',
  '{$n}',
  '{ -brand }',
  '{ -brand(case: "genitive") }',
  '{ "" }',
  '{ "{" }',
  '{ NUMBER($n, type: "x") }',
  '{ other.title }',
);
const word = fc.constantFrom('a', 'Öffnen', '😀', ' ', '<b>', '"', '*', '[x]', '.y', '#', '=', '%s');
const line = fc
  .array(fc.oneof({ weight: 3, arbitrary: word }, { weight: 1, arbitrary: placeable }), { maxLength: 5 })
  .map((pieces) => `x${pieces.join('')}`);
const pattern = fc.oneof(
  { weight: 4, arbitrary: line.map((text) => ` ${text}`) },
  { weight: 1, arbitrary: fc.tuple(line, line).map(([a, b]) => ` ${a}\n      ${b}`) },
  { weight: 1, arbitrary: fc.tuple(line, line).map(([a, b]) => `\n      ${a}\n\n        ${b}  `) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('$n', 'PLATFORM()', 'NUMBER($n)'),
        line,
        line,
        fc.constantFrom('', 'text '),
        fc.boolean(),
      )
      .map(
        ([selector, a, b, text, deep]) =>
          ` ${text}{ ${selector} ->\n    [one] ${a}\n   *[other] ${deep ? `{ $m ->\n *[other] ${b}\n }` : b}\n  }`,
      ),
  },
);
const entry = fc
  .tuple(
    fc.constantFrom('', '# note\n', '\n## Group\n\n'),
    pattern,
    fc.option(pattern, { nil: undefined }),
    fc.boolean(),
  )
  .map(
    ([comment, value, attribute, isTerm]) =>
      (i: number) =>
        `${comment}${isTerm ? '-' : ''}key${i} =${value}\n${attribute === undefined ? '' : `    .label =${attribute}\n`}`,
  );
const documents = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 8, arbitrary: entry }, { weight: 1, arbitrary: fc.constant(() => 'junk { here\n') }),
      {
        maxLength: 4,
      },
    ),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([entries, lineEnd]) =>
    entries
      .map((make, i) => make(i))
      .join('')
      .replaceAll('\n', lineEnd),
  );

const written: Document[] = [];
formatContract(fluent, { documents, oracle: (rendered) => void written.push(rendered), runs: 200 });

describe('the output of the contract', () => {
  it('reads the same in the parser that programs use', () => {
    expect(written.length).toBeGreaterThan(0);
    // That parser does not support selections with CRLF, and reads U+2028 as a line end.
    expect(
      findDisagreements(
        'fluent',
        written.filter(({ text }) => !/[\r\u2028]/.test(text)),
      ),
    ).toEqual([]);
  });
});

describe('retargeting', () => {
  it.each([
    ['de', 'existing', ['1', 'other']],
    ['ru', 'existing', ['1', 'one', 'few', 'many', 'other']],
    ['pl', 'new', ['1', 'few', 'many', 'other']],
  ] as const)(
    'does not add a variant in %s if exact variants cover all of its numbers',
    (locale, role, expected) => {
      const source = 'a = { $n ->\n    [1] One\n   *[other] { $n }\n}\n';
      const edits = fluent.retarget(fluent.scan(source), { locale, spelling: locale, role });
      expect(Array.from(edited(source, edits).matchAll(/\[(\w+)\]/g), ([, name]) => name)).toEqual(expected);
    },
  );

  it('gives every language its categories, and changes nothing the second time', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('ru', 'ja', 'ar', 'fr', 'cs'), (source, locale) => {
        const options = { locale, spelling: locale, role: 'new' } as const;
        const first = fluent.scan(edited(source, fluent.retarget(fluent.scan(source), options)));
        expect(fluent.retarget(first, options)).toEqual([]);
        const categories = new Set(new Intl.PluralRules(locale).resolvedOptions().pluralCategories);
        for (const { plural } of first.slots) if (plural) expect(categories).toContain(plural.category);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('large files', () => {
  it.each([
    ['messages', (n: number) => 'k = a { $x } b\n'.repeat(n)],
    ['lines', (n: number) => `k =\n${'    a line\n'.repeat(n)}`],
    ['open braces', (n: number) => 'k = {\n'.repeat(n)],
    ['variants', (n: number) => `k = { $x ->\n${'    [a] b\n'.repeat(n)}   *[other] c\n  }\n`],
    ['junk', (n: number) => 'what is this\n'.repeat(n)],
    ['quotes', (n: number) => `k = { "${'\\"'.repeat(n)}\n`],
  ])('take linear time: %s', (_, make) => {
    const time = (n: number): number => {
      const start = processorTime();
      try {
        fluent.scan(make(n));
      } catch (error) {
        expect(error).toBeInstanceOf(DragomanError);
      }
      return processorTime() - start;
    };
    time(2_000);
    const [few, many] = [Math.min(time(2_000), time(2_000)), Math.min(time(16_000), time(16_000))];
    expect(many).toBeLessThan(Math.max(few, 40) * 8 * 3);
  });
});

describe('a large file', () => {
  const lines = fc.constantFrom(
    '# note',
    '## {',
    '#{ "',
    '#',
    'a = b',
    'k',
    '-t = x',
    '    .l = y',
    '    more',
    '',
    ' ',
    '1',
    'k = {',
    '}',
    'k = { "}',
    'k = { "\\"{" }',
    'k = { $n ->',
    '   *[other] z',
    '  }',
    '"',
    '-t',
    'b = {{ $n } }',
  );

  it('is read part by part with the same result as when the parser reads it whole', () => {
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), (all, newline) => {
        const text = all.map((line) => line + newline).join('');
        const whole: unknown = JSON.parse(
          JSON.stringify(new FluentParser({ withSpans: true }).parse(text).body),
        );
        const parts = [...readParts(text, 1)].flatMap(({ body, start }) => moved(body, start));
        expect(parts).toEqual(whole);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is split into parts of limited length', () => {
    const text = '# {\nkey = { $n ->\n *[other] x\n }\n'.repeat(2_000);
    const lengths = [...readParts(text)].map((part) => part.text.length);
    expect(lengths.length).toBeGreaterThan(2);
    expect(Math.max(...lengths)).toBeLessThan(25_000);
  });
});

/** The nodes of a part with their positions in the file. */
function moved(body: unknown, start: number): unknown[] {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    (key === 'start' || key === 'end') && typeof value === 'number' ? value + start : value,
  ) as unknown[];
}
