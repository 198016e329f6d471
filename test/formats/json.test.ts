import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { splice } from '../../src/base/span.ts';
import type { Document } from '../../src/formats/format.ts';
import { json } from '../../src/formats/json/format.ts';
import { render } from '../../src/formats/render.ts';
import { processorTime } from '../processor-time.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';
import { codePoint } from '../code-point.ts';

goldenCases('json', json);

const blank = fc.constantFrom('', '', ' ', '\n', '\r\n', '\t', '\n  ');
const gap = fc.oneof({ weight: 5, arbitrary: blank }, fc.constantFrom(' // note\n', '/* "x": */', '/**/ '));
const comma = fc.tuple(gap, gap).map(([before, after]) => `${before},${after}`);

function escapedString(value: string, seed: number): string {
  const raw = JSON.stringify(value);
  if (seed % 3 === 0) return raw.replace(/\//g, '\\/');
  if (seed % 3 === 1) {
    return raw.replace(/[^\0-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  return raw;
}

const string = fc
  .tuple(
    fc.oneof(
      fc.string({ unit: codePoint, maxLength: 8 }),
      fc.constantFrom('{{x}}', 'a/b', 'é', '@:k', '<b>'),
    ),
    fc.nat(2),
  )
  .map(([value, seed]) => escapedString(value, seed));
const name = fc.oneof(
  string,
  fc.constantFrom('"a"', '"1"', '"a.b"', '"__proto__"', '"@a"', '"message"', '"@@locale"', '"k_one"'),
);

const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    string,
    fc.constantFrom('1.0e2', '-0', '12345678901234567890', 'true', 'null'),
    tie('object'),
    tie('array'),
  ),
  object: list(
    fc
      .tuple(name, gap, gap, tie('value'))
      .map(([key, before, after, item]) => `${key}${before}:${after}${item}`),
    '{',
    '}',
  ),
  array: list(tie('value'), '[', ']'),
}));

function list(item: fc.Arbitrary<string>, open: string, close: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(item, comma), { maxLength: 4 }), fc.boolean(), gap, gap)
    .map(([items, trailing, before, after]) => {
      const body = items.map(([text, sep], i) => (trailing || i < items.length - 1 ? text + sep : text));
      return open + before + body.join('') + after + close;
    });
}

const documents = fc.tuple(gap, value, gap).map((parts) => parts.join(''));

/** Removes comments and trailing commas without using the format. */
function strict(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[^]*?\*\/|[^"/]+/g) ?? [];
  const bare = tokens.filter((token) => !token.startsWith('/')).join('');
  return bare.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, kept: string | undefined) => kept ?? '');
}

/**
 * The values according to JSON.parse. It keeps only the last value of a duplicate key, so earlier slots are not
 * compared.
 */
function oracle(document: Document): void {
  const parsed: unknown = JSON.parse(strict(document.text));
  const last = new Map(document.slots.map((slot) => [JSON.stringify(slot.key), slot]));
  if (document.warnings.length > 0) return;
  for (const { key, value: expected } of last.values()) {
    const read = key.reduce<unknown>((node, segment) => {
      return Object.getOwnPropertyDescriptor(node, segment)?.value as unknown;
    }, parsed);
    expect(read).toBe(expected);
  }
}

formatContract(json, { documents, oracle });

const plainTree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.string({ maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd.e', '@f'), tie('node'), { maxKeys: 4 }),
  ),
})).node;
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), plainTree, { maxKeys: 4 });
const style = fc.constantFrom<string | number | undefined>(undefined, 2, 4, '\t');

describe('json merging', () => {
  it('removes entries so that JSON.parse sees the rest', () => {
    fc.assert(
      fc.property(object, style, fc.infiniteStream(fc.boolean()), (tree, indent, stream) => {
        const document = json.scan(JSON.stringify(tree, null, indent));
        const doomed = document.slots.filter(() => stream.next().value).map(({ key }) => key);
        const edits = json.remove(document, doomed);
        const after = json.scan(splice(document.text, edits));
        const gone = new Set(doomed.map((key) => JSON.stringify(key)));
        expect(after.slots.map(({ key }) => key)).toEqual(
          document.slots.map(({ key }) => key).filter((key) => !gone.has(JSON.stringify(key))),
        );
        JSON.parse(after.text);
      }),
    );
  });

  it('puts removed entries back in their place, in the style of the target', () => {
    fc.assert(
      fc.property(object, style, style, fc.infiniteStream(fc.boolean()), (tree, indent, other, stream) => {
        const source = json.scan(JSON.stringify(tree, null, indent));
        const missing = source.slots.filter(() => stream.next().value).map(({ key }) => key);
        const whole = json.scan(JSON.stringify(tree, null, other));
        const target = json.scan(splice(whole.text, json.remove(whole, missing)));
        const merged = splice(target.text, json.insert(target, source, missing));
        expect(JSON.stringify(JSON.parse(merged))).toBe(JSON.stringify(tree));
        // A target without entries, or a source on one line, does not show how the rest should be laid out.
        fc.pre(missing.length < source.slots.length && (other === undefined || indent !== undefined));
        expect(merged).toBe(whole.text);
      }),
    );
  });
});

describe('json limits and conventions', () => {
  it('does not read comments as texts, and does not warn if they are repeated', () => {
    const { slots, warnings } = json.scan(
      '{"_comment": "A", "a": "A", "_comment": "B", "b": {"__comment": "C"}}',
    );
    expect(slots.map(({ key }) => key)).toEqual([['a']]);
    expect(warnings).toEqual([]);
  });

  it('warns about a duplicate key at its second occurrence', () => {
    const { warnings } = json.scan('{"o": {"a": "1",\n "a": "2"}}');
    expect(warnings).toEqual([{ rule: 'duplicate-key', key: ['o', 'a'], offset: 18 }]);
  });

  it('escapes characters that the file’s encoding cannot hold', () => {
    const options = { encodable: (text: string) => !/[^\0-\xff]/.test(text) };
    const document = json.scan('{"a": "x"}', options);
    const rendered = render(json, document, new Map([[0, 'é € 😀']]), options);
    expect(rendered.document.text).toBe('{"a": "é \\u20ac \\ud83d\\ude00"}');
  });

  it('retargets only once', () => {
    const document = json.scan('{"@@locale": "es", "a": "A"}');
    expect(document.locale).toBe('es');
    expect(json.retarget(document, { locale: 'es', spelling: 'es', role: 'existing' })).toEqual([]);
  });

  it('refuses 10,000 levels immediately, and reads 500', () => {
    expect(json.scan(nested(500)).slots[0]?.key).toHaveLength(500);
    expect(() => json.scan(nested(10_000))).toThrow(DragomanError);
    expect(() => json.scan('['.repeat(5_000_000))).toThrow(/deeper than 500/);
  });

  it.each([
    ['one long value', () => `{"a":"${'{{x '.repeat(500_000)}"}`],
    ['many values on one line', () => `{${pairs(60_000, (i) => `"k${i}":"Hello {n}"`)}}`],
    ['many comments', () => `{${'// note\n'.repeat(200_000)}"a":"b"}`],
    ['many escapes', () => `["${'\\u00e9\\n'.repeat(200_000)}"]`],
    ['one long white space', () => `["{ {{${' '.repeat(1_000_000)}","${' '.repeat(1_000_000)}"]`],
  ])('takes linear time for %s', (_, make) => {
    const text = make();
    const started = processorTime();
    const document = json.scan(text);
    expect(document.slots.length).toBeGreaterThan(0);
    expect(document.entries.length).toBeGreaterThan(0);
    expect(processorTime() - started).toBeLessThan(10_000);
  });

  it('takes linear time to insert and remove on one line', () => {
    const source = json.scan(`{${pairs(30_000, (i) => `"k${i}":{"v":"x"}`)}}`);
    const odd = source.slots.map(({ key }) => key).filter((_, i) => i % 2 === 1);
    const started = processorTime();
    const target = json.scan(splice(source.text, json.remove(source, odd)));
    expect(target.slots).toHaveLength(15_000);
    expect(splice(target.text, json.insert(target, source, odd))).toBe(source.text);
    expect(processorTime() - started).toBeLessThan(15_000);
  });
});

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}"x"${'}'.repeat(depth)}`;
}

function pairs(count: number, pair: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => pair(i)).join(',');
}
