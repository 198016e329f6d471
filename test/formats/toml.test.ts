import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import type { Document } from '../../src/formats/format.ts';
import { toml } from '../../src/formats/toml/format.ts';
import { processorTime } from '../processor-time.ts';
import { findDisagreements } from '../readers/disagreement.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('toml', toml);

const plain = fc.constantFrom('a', 'Öffnen', '😀', ' ', '{{.Name}}', '%s', '#', '=', '[x]', ',');
const escaped = fc.constantFrom('\\n', '\\"', '\\\\', '\\u00e9', '\\t');
const content = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.array(fc.oneof(plain, ...parts), { maxLength: 5 }).map((pieces) => pieces.join(''));
const string = fc.oneof(
  content(escaped, fc.constant("'")).map((text) => `"${text}"`),
  content(fc.constantFrom('"', '\\')).map((text) => `'${text}'`),
  content(escaped, fc.constantFrom('\n', 'a"b', '\\\n   ')).map((text) => `"""\n${text}."""`),
  content(fc.constantFrom('\n', "a'b", '\\')).map((text) => `'''${text}.'''`),
);
const value = fc.oneof(
  { weight: 6, arbitrary: string },
  { weight: 1, arbitrary: fc.constantFrom('1', 'true', '1979-05-27', '[]', '[[1], "x", { y = "z" }]') },
  {
    weight: 1,
    arbitrary: string.filter((text) => !text.includes('\n')).map((text) => `{ one = ${text}, other = "x" }`),
  },
);
const pair = fc
  .tuple(
    fc.constantFrom('', '# note\n', '  '),
    fc.constantFrom('k', '"k k"', 'a.b', 'one', 'other'),
    value,
    fc.constantFrom('', ' # x'),
  )
  .map(
    ([before, name, text, behind]) =>
      (i: number) =>
        `${before}${/^[ko]/.test(name) && name !== 'k' ? name : name.replace('k', `k${i}`).replace('b', `b${i}`)} = ${text}${behind}\n`,
  );
const pairs = fc.uniqueArray(pair, {
  maxLength: 3,
  selector: (make) => /(\w+|"[^"]*") =/.exec(make(0))?.[1],
});
const written = (all: readonly ((i: number) => string)[]): string => all.map((make, i) => make(i)).join('');
const table = fc.tuple(fc.constantFrom('', '\n# Heading\n'), fc.constantFrom('t', 't.u', '"x y"'), pairs).map(
  ([before, name, all]) =>
    (i: number) =>
      `${before}[${name.replace(/\w(?="?$)/, `$&${i}`)}]\n${written(all)}`,
);
const list = pairs.map((all) => () => `[[list]]\n${written(all)}`);
const documents = fc
  .tuple(
    pairs,
    fc.array(fc.oneof({ weight: 5, arbitrary: table }, { weight: 1, arbitrary: list }), { maxLength: 3 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([top, tables, lineEnd]) => (written(top) + written(tables)).replaceAll('\n', lineEnd));

const rendered: Document[] = [];
formatContract(toml, { documents, oracle: (document) => void rendered.push(document), runs: 200 });

/** Reads documents from its input, and writes the texts of each in key order. */
const TOMLLIB = `
import json, sys, tomllib
def texts(value):
    if isinstance(value, str): return [value]
    if isinstance(value, dict): value = [value[key] for key in sorted(value)]
    return [text for each in value for text in texts(each)] if isinstance(value, list) else []
print(json.dumps([sorted(texts(tomllib.loads(text))) for text in json.load(sys.stdin)]))
`;

describe('the output of the contract', () => {
  it('reads the same in smol-toml', () => {
    expect(rendered.length).toBeGreaterThan(0);
    expect(findDisagreements('toml', rendered.filter(hasUnixLines))).toEqual([]);
  });

  const hasTomllib = spawnSync('python3', ['-c', 'import tomllib']).status === 0;
  it.skipIf(!hasTomllib)("reads the same in Python's tomllib", () => {
    const all = rendered.filter(hasUnixLines);
    const input = JSON.stringify(all.map(({ text }) => text));
    const { stdout, stderr } = spawnSync('python3', ['-c', TOMLLIB], { input, encoding: 'utf8' });
    if (stdout === '') throw new Error(stderr);
    const found: readonly string[][] = JSON.parse(stdout);
    for (const [i, { slots, text }] of all.entries()) {
      // Descriptions are texts to an independent reader.
      for (const { value: mine } of slots) expect(found[i], text).toContain(mine);
    }
  });
});

/** Readers disagree on whether a line break of a CRLF file is one character of a text or two. */
function hasUnixLines({ text }: Document): boolean {
  return !text.includes('\r');
}

describe('large files', () => {
  it('are refused with a reason for a text that the parser cannot hold', () => {
    const text = `a = "${'x'.repeat(300_000)}"\n`;
    expect(() => toml.scan(text)).toThrow(expect.objectContaining({ code: 'unreadable_input' }));
  });

  it.each([
    ['tables', (n: number) => Array.from({ length: n }, (_, i) => `[k${i}]\nother = "x"\n`).join('')],
    ['comments', (n: number) => `${'# note\n'.repeat(n)}a = "b"\n`],
    ['brackets', (n: number) => `a = ${'['.repeat(n)}`],
    ['quotes', (n: number) => `a = ${'"""'.repeat(n)}`],
    ['apostrophes', (n: number) => `a = ${"'".repeat(n)}`],
  ])('take linear time: %s', (_, make) => {
    const time = (n: number): number => {
      const start = processorTime();
      try {
        // Entries with their comments are read as well.
        expect(toml.scan(make(n)).entries.length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(DragomanError);
      }
      return processorTime() - start;
    };
    time(500);
    const [few, many] = [Math.min(time(500), time(500)), Math.min(time(4_000), time(4_000))];
    expect(many).toBeLessThan(Math.max(few, 30) * 8 * 3);
  });
});

describe('a file that is read table by table', () => {
  const name = fc.constantFrom('a', 'b', '"a"', 'a.b', 'b.a', 'a.b.c', '"a.b"', "'1 a'");
  const statement = fc.oneof(
    name.map((key) => `${key} = "x"`),
    name.map((key) => `  ${key} = [1, { a = "[x]" }, "y",\n  # ]\n]`),
    name.map((key) => `[${key}] # "`),
    name.map((key) => `[[${key}]]`),
    fc.constantFrom('# [a]', '', '"""', 'a = "', ']', '\tc = """\n[a]\n"""', 'c.d = { a = "z" }'),
  );

  it('has the names that the parser finds in the whole file, or is refused like the whole file', () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 8 }), (statements) => {
        const text = statements.join('\n');
        expect(keysOf(text)).toEqual(wholeKeysOf(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused if a long table has a name twice', () => {
    const pairs = Array.from({ length: 2_000 }, (_, i) => `key${i} = "Text ${i}"\n`).join('');
    expect(keysOf(`[t]\n${pairs}`)).toHaveLength(2_000);
    expect(() => toml.scan(`[t]\n${pairs}key0 = "x"\n`)).toThrow(
      expect.objectContaining({ code: 'unreadable_input', at: { line: 2_002, column: 1 } }),
    );
  });
});

/** Undefined for a refused text. */
function keysOf(text: string): readonly (readonly string[])[] | undefined {
  try {
    return toml.scan(text).slots.map(({ key }) => key);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

function wholeKeysOf(text: string): readonly (readonly string[])[] | undefined {
  try {
    const keys: string[][] = [];
    const visit = (node: AST.TOMLContentNode, key: string[]): void => {
      if (node.type === 'TOMLInlineTable') visitPairs(node.body, key);
      else if (node.type === 'TOMLArray') node.elements.forEach((one, i) => visit(one, [...key, `${i}`]));
      else if (node.kind === 'string') keys.push(key);
    };
    const visitPairs = (pairs: readonly AST.TOMLKeyValue[], above: readonly string[]): void => {
      for (const { key, value } of pairs) {
        const names = key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
        visit(value, [...above, ...names]);
      }
    };
    for (const node of parseTOML(text).body[0].body) {
      if (node.type === 'TOMLTable') visitPairs(node.body, node.resolvedKey.map(String));
      else visitPairs([node], []);
    }
    return keys;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
