import fc from 'fast-check';
import { expect } from 'vitest';
import type { Document } from '../../src/formats/format.ts';
import { strings } from '../../src/formats/strings/format.ts';
import { formatContract } from './contract.ts';

const piece = fc.constantFrom(
  'a',
  'Öffnen',
  '%@',
  '😀',
  ' ',
  '\\n',
  '\\t',
  '\\"',
  "\\'",
  '\\\\',
  '\\U00e9',
  '\\101',
  '/* */',
  '//',
  ';',
);
const content = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const gap = fc.constantFrom('', ' ', '\t', '\n', ' /* x = "y"; */ ', ' // no\n');
const space = fc.constantFrom('', ' ', '\n  ');
const bare = fc.constantFrom('NSName', 'a.b', '1', 'http://x/y-z:1', '$v_');

const quoted = fc.oneof(
  content.map((text) => `"${text}"`),
  content.map((text) => `'${text}'`),
  content.map((text) => `"${text}\nsecond"`),
);
const value = fc.oneof(
  { weight: 6, arbitrary: quoted },
  { weight: 1, arbitrary: bare },
  { weight: 1, arbitrary: fc.constantFrom('<00 ff>', '( "a", b )', '{ a = "}"; }') },
);

/**
 * Excludes keys without a value, which a fixture covers: their first value adds the equals sign, which is then outside
 * the slot.
 */
const entry = (index: number): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(content, gap, gap, value, space)
        .map(([key, before, after, text, end]) => `"${index}${key}"${before}=${after}${text}${end};`),
    },
    { weight: 1, arbitrary: fc.tuple(bare, value).map(([key, text]) => `${index}${key} = ${text};`) },
  );

const comment = fc.constantFrom('', '/* note */\n', '// note\n', '\n/* a\n * b */\n', ' /* beside */');

const documents = fc
  .tuple(
    fc.tuple(...[0, 1, 2, 3].map((index) => fc.option(entry(index), { nil: '' }))),
    fc.array(comment, { minLength: 5, maxLength: 5 }),
    fc.constantFrom('\n', ' ', '\n\n', ''),
    fc.boolean(),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([entries, comments, separator, braces, lineEnd]) => {
    const body = entries.map((text, i) => `${comments[i] ?? ''}${text}`).join(separator);
    const all = `${body}\n${comments[4] ?? ''}`;
    return (braces ? `{ ${all} }\n` : all).replaceAll('\n', lineEnd);
  });

const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*|[\s\u2028\u2029]+|<[^>]*>|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[\w$/:.-]+|[=;{}(),]/gy;

/** Another reader: all tokens at once, split at semicolons outside of other tokens, strings parsed as JSON. */
function readPairs(text: string): readonly (readonly unknown[])[] {
  const all = [...text.matchAll(TOKEN)].map(([token]) => token);
  expect(all.join('')).toBe(text);
  const tokens = all.filter((token) => !/^(?:\/[/*]|\s)/.test(token));
  if (tokens[0] === '{') {
    tokens.shift();
    tokens.pop();
  }
  const pairs: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[)}]$/.test(token)) depth--;
    if (token === ';' && depth === 0) pairs.push([]);
    else pairs.at(-1)?.push(token);
    if (/^[({]$/.test(token)) depth++;
  }
  return pairs
    .filter(([, , value = '""']) => /^["'\w$/:.-]/.test(value))
    .filter((pair) => pair.length > 0)
    .map(([key = '', , value = key]) => [meaning(key), meaning(value)]);
}

const number = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const NAMED: ReadonlyMap<string, string> = new Map(
  'ntrbf"\\'.split('').map((letter) => [letter, `\\${letter}`]),
);

/** The text that a token represents, parsed as JSON. */
function meaning(token: string): unknown {
  if (!/^["']/.test(token)) return token;
  const json = token
    .slice(1, -1)
    .replace(
      /\\U([0-9A-Fa-f]{1,4})|\\([0-7]{1,3})|\\([\s\S])|["\u0000-\u001f\u007f]/g,
      (bare: string, hex?: string, octal?: string, letter?: string) => {
        if (hex !== undefined) return `\\u${hex.padStart(4, '0')}`;
        if (octal !== undefined) return number(String.fromCharCode(Number.parseInt(octal, 8)));
        if (letter === undefined) return number(bare);
        return NAMED.get(letter) ?? number({ a: '\u0007', v: '\v' }[letter] ?? letter);
      },
    );
  return JSON.parse(`"${json}"`);
}

function readBack(rendered: Document): void {
  expect(readPairs(rendered.text)).toEqual(rendered.slots.map(({ key, value }) => [key[0], value]));
}

formatContract(strings, { documents, oracle: readBack });
