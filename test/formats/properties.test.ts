import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import { properties } from '../../src/formats/properties/format.ts';
import { readTable } from '../../src/formats/properties/table.ts';
import { render } from '../../src/formats/render.ts';
import { processorTime } from '../processor-time.ts';
import { JAVA_OPTIONS } from '../readers/properties.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';
import { codePoint } from '../code-point.ts';

goldenCases('properties', properties);

const pieces = (maxLength: number, ...more: string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'a',
          'B',
          'é',
          '€',
          '😀',
          '{0}',
          "'",
          '"',
          '\\u00e9',
          '\\\\',
          '\\n',
          '\\t',
          '\\q',
          ...more,
        ),
        fc.constantFrom('\\ ', '\\=', '\\:', '\\#', '\\!', '.', '\\\n  ', '\\\r\n\t', '\\\r'),
      ),
      { maxLength },
    )
    .map((parts) => parts.join(''));

const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r');
const pair = fc
  .tuple(
    fc.constantFrom('', ' ', '\t', '\f'),
    pieces(4),
    fc.constantFrom('=', ':', ' = ', ' ', '\t', ' : ', '  ', '', '\\\n ', ' \\\n  = '),
    pieces(8, ' ', '=', ':', '#', '!', '\f', '\t', '\\n\\\n    '),
  )
  .map((parts) => parts.join(''));
const comment = fc
  .tuple(fc.constantFrom('#', '!', '  # ', '\t!'), fc.constantFrom('', 'note', 'a = b', 'ü \\', '\\q'))
  .map((parts) => parts.join(''));
const documents = fc
  .tuple(
    fc.array(fc.tuple(fc.oneof(pair, pair, comment, fc.constantFrom('', '  ', '\\')), lineEnd), {
      maxLength: 6,
    }),
    fc.option(pair, { nil: '' }),
    fc.boolean(),
  )
  .map(([lines, last, ascii]) => {
    const text = lines.map((line) => line.join('')).join('') + last;
    return ascii ? text.replace(/[^\0-\x7f]/g, 'x') : text;
  });

/** Writing to a bare key adds the separator, which then counts as outside of its value: fixtures cover that. */
const separated = documents.filter((text) =>
  readTable(text).pairs.every(({ separator }) => separator !== 'none'),
);

formatContract(properties, { documents: separated });

const hasJava = spawnSync('java', ['-version'], { timeout: 20_000 }).status === 0;

function decode(base64 = ''): string {
  return Buffer.from(base64, 'base64').toString('utf16le');
}

function readByJava(texts: readonly string[]): Map<string, string>[] {
  const program = new URL('properties-oracle.java', import.meta.url).pathname;
  const input = texts.map((text) => `${Buffer.from(text, 'utf16le').toString('base64')}\n`).join('');
  const { status, stdout, stderr } = spawnSync('java', [...JAVA_OPTIONS, '-Xmx256m', program], {
    input,
    timeout: 60_000,
  });
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
  const answers = stdout.toString().split('\n').slice(0, -1);
  return answers.map((line) => {
    const found = line.split(',').slice(0, -1);
    return new Map(found.map((item) => [decode(item.split(' ')[0]), decode(item.split(' ')[1])]));
  });
}

describe.skipIf(!hasJava)('java.util.Properties', () => {
  it('reads the same keys and values, before and after writing', () => {
    const value = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc.constantFrom('', ' x ', '=', ': y', '#', '\n z', 'a\n b\n', '\\', '\u2028', '\ud800', '\t'),
    );
    // For a last line with only a backslash, Java reports a pair without key and value.
    const sane = documents.filter((text) => !/(?:^|[\r\n])[ \t\f]*\\(?:\r\n|\r|\n)?$/.test(text));
    const cases = fc.sample(fc.tuple(sane, fc.array(value, { minLength: 8, maxLength: 8 })), 1000);
    const scans = cases.flatMap(([text, values]) => {
      const document = properties.scan(text);
      const rendering = render(
        properties,
        document,
        new Map(document.slots.map((_, i) => [i, values[i] ?? ''])),
      );
      expect(JSON.stringify([text, values, ...rendering.rejected])).toBe(JSON.stringify([text, values]));
      return [document, rendering.document];
    });
    const answers = readByJava(scans.map(({ text }) => text));
    for (const [i, { slots }] of scans.entries()) {
      const expected = new Map(slots.map(({ key, value }) => [key[0] ?? '', value]));
      expect(answers[i]).toEqual(expected);
    }
  });
});

describe('properties merging', () => {
  const line = fc.constantFrom('a = 1', 'b: 2', 'c 3', 'd=\\\n  4', '# note', '', 'e', 'f = \\ x');

  it('removes entries and restores them in order', () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.infiniteStream(fc.boolean()),
        fc.boolean(),
        (lines, stream, final) => {
          const source = properties.scan(lines.join('\n') + (final ? '\n' : ''));
          const keys = [...new Set(source.slots.map(({ key }) => key[0] ?? ''))];
          fc.pre(keys.length === source.slots.length);
          const missing = keys.filter(() => stream.next().value).map((key) => [key]);
          const gone = new Set(missing.flat());
          const target = properties.scan(splice(source.text, properties.remove(source, missing)));
          expect(target.slots.map(({ key }) => key[0])).toEqual(keys.filter((key) => !gone.has(key)));
          const merged = properties.scan(splice(target.text, properties.insert(target, source, missing)));
          expect(merged.slots.map(({ key, value }) => [key, value])).toEqual(
            source.slots.map(({ key, value }) => [key, value]),
          );
        },
      ),
    );
  });
});

describe('properties limits and conventions', () => {
  it('warns about a duplicate key at its second occurrence', () => {
    expect(properties.scan('a=1\n  \\u0061=2\n').warnings).toEqual([
      { rule: 'duplicate-key', key: ['a'], offset: 6 },
    ]);
  });

  it('escapes characters that the file’s encoding cannot hold', () => {
    const options = { encodable: (text: string) => !/[^\0-\xff]/.test(text) };
    const document = properties.scan('a=ä\n', options);
    const rendered = render(properties, document, new Map([[0, 'é € 😀']]), options);
    expect(rendered.document.text).toBe('a=é \\u20AC \\uD83D\\uDE00\n');
  });

  it('never names a locale', () => {
    const document = properties.scan('a=1\n');
    expect(properties.retarget(document, { locale: 'es', spelling: 'es', role: 'new' })).toEqual([]);
  });

  it.each([
    ['one long value', () => `a=${'{0 x '.repeat(300_000)}`],
    ['many continuations', () => `a=${'word \\\n  '.repeat(150_000)}`],
    ['many backslashes', () => `a=${'\\'.repeat(2_000_000)}`],
    ['one long white space', () => `a${' '.repeat(2_000_000)}`],
    ['many comments', () => `${'# note\n'.repeat(200_000)}a=1`],
  ])('takes linear time for %s', (_, make) => {
    const started = processorTime();
    const document = properties.scan(make());
    const value = 'x\n y {0}'.repeat(10_000);
    const rendered = render(properties, document, new Map([[0, value]]));
    expect(rendered.document.slots[0]?.value).toBe(value);
    expect(processorTime() - started).toBeLessThan(10_000);
  });

  it('takes linear time to insert and remove', () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `k${i}=v\n`).join('');
    const source = properties.scan(text);
    const odd = source.slots.map(({ key }) => key).filter((_, i) => i % 2 === 1);
    const started = processorTime();
    const target = properties.scan(splice(text, properties.remove(source, odd)));
    expect(target.slots).toHaveLength(15_000);
    expect(splice(target.text, properties.insert(target, source, odd))).toBe(text);
    expect(processorTime() - started).toBeLessThan(15_000);
  });
});
