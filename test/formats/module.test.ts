import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../src/formats/format.ts';
import { module } from '../../src/formats/module/format.ts';
import { processorTime } from '../processor-time.ts';
import { findDisagreements } from '../readers/disagreement.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('module', module);

const content = fc
  .array(
    fc.constantFrom(
      'a',
      'Öffnen',
      '{name}',
      '%s',
      '😀',
      ' ',
      '\\n',
      '\\\\',
      '\\x41',
      '\\u{e9}',
      '\\u00e9',
      '\\\n',
      '\\$',
      '\\q',
      '$ ',
      '/* */',
      '//',
      '</script>',
      ',',
      ']',
    ),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));
const text = fc
  .tuple(content, fc.constantFrom("'", '"', '`'))
  .map(([inner, quote]) => `${quote}${inner}${quote}`);
const code = fc.constantFrom(
  "'a' + 'b'",
  '`${x}`',
  "f('a', ['b'])",
  'null',
  "(n: number) => ({ k: 'v' })",
  '-1.5',
  "('a')",
  '/["\']/g',
  't`a`',
  "<T>'a'",
  "x ? 'a' : 'b'",
);
const gap = fc.constantFrom('', ' ', '\n    ', ' /* "x" */ ', ' // no\n');
const suffix = fc.constantFrom('', '', '', ' as const', ' satisfies T', '!');

const value: fc.Arbitrary<string> = fc.letrec<{ value: string; list: string; map: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 5, arbitrary: fc.tuple(text, suffix).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: code },
    { weight: 2, arbitrary: fc.tuple(tie('map'), suffix).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: tie('list') },
  ),
  map: maps(tie('value')),
  list: fc
    .array(fc.oneof(tie('value'), fc.constant('...rest')), { maxLength: 3 })
    .map((elements) => `[${elements.join(', ')}]`),
})).value;

function maps(element: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc.tuple(fc.constantFrom('k', "'k'", '"k"', '1', '[k]', 'ö'), gap, element, gap);
  const other = fc.constantFrom('...rest', 'short', "method() { return 'a'; }", 'get x() { return `a`; }');
  return fc
    .tuple(
      fc.array(fc.oneof({ weight: 4, arbitrary: member }, { weight: 1, arbitrary: other }), { maxLength: 4 }),
      fc.boolean(),
    )
    .map(([members, hasComma]) => {
      const written = members.map((one, i) => {
        if (typeof one === 'string') return one;
        const [key, before, inner, behind] = one;
        return `${key.replace(/[kö1]/, (name) => `${name}${i}`)}:${before}${inner}${behind}`;
      });
      return `{${written.join(',\n')}${hasComma && written.length > 0 ? ',' : ''}}`;
    });
}

const documents = fc
  .tuple(
    fc.oneof(
      maps(value).map((literal) => `export default ${literal};\n`),
      maps(value).map((literal) => `export default ${literal} as const;\n`),
      maps(value).map((literal) => `const en: T = ${literal};\nexport default en;\n`),
      maps(value).map((literal) => `module.exports = ${literal};\n`),
      maps(value).map((literal) => `export default define('x', ${literal});\n`),
      maps(value).map((literal) => `export = ${literal};\n`),
    ),
    fc.constantFrom('', '// note\n', "import x, { rest } from './x';\n", "type T = { a: 'b' };\n"),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([body, head, lineEnd]) => (head + body).replaceAll('\n', lineEnd));

formatContract(module, {
  documents,
  oracle: (rendered: Document) => expect(findDisagreements('module', [rendered])).toEqual([]),
  runs: 200,
});

describe('large files', () => {
  it('are refused with the place if they declare too many names in one scope', () => {
    const declaring = (n: number): string =>
      `${Array.from({ length: n }, (_, i) => `import a${i} from 'b';\n`).join('')}export default { a: 'b' };`;
    expect(module.scan(declaring(9_000)).slots).toHaveLength(1);
    expect(() => module.scan(declaring(11_000))).toThrow(
      expect.objectContaining({
        code: 'limit_exceeded',
        message: 'the code declares too many names',
        at: expect.objectContaining({ line: expect.any(Number) }),
      }),
    );
  });

  it.each([
    ['members', (n: number) => `export default {${"a: 'b', ".repeat(n)}};`],
    ['comments', (n: number) => `export default [${"/* x */ 'a', // y\n".repeat(n)}];`],
    ['templates', (n: number) => `export default [${'`a`, '.repeat(n)}];`],
    ['statements', (n: number) => `${"const a = 'b'; ".repeat(n)}export default {};`],
    [
      'imports',
      (n: number) =>
        `${Array.from({ length: n }, (_, i) => `import a${i} from 'b';\n`).join('')}export default {};`,
    ],
    ['unfinished code', (n: number) => `export default [${"f('a', ".repeat(n)}`],
    ['code that may be a type', (n: number) => `export default ${'<a>('.repeat(n)}`],
    ['code that may be an arrow function', (n: number) => `export default ${'(a = '.repeat(n)}`],
    ['code that may be a call', (n: number) => `export default ${'a<b, '.repeat(n)}`],
  ])('take linear time: %s', (_, make) => {
    const time = (n: number): number => {
      const source = make(n);
      const start = processorTime();
      try {
        module.scan(source);
      } catch {
        // A refusal must be just as quick.
      }
      return processorTime() - start;
    };
    time(1000);
    const [few, many] = [Math.min(time(3_000), time(3_000)), Math.min(time(24_000), time(24_000))];
    expect(many).toBeLessThan(Math.max(few, 10) * 8 * 4);
  });
});

describe('strings that are not read', () => {
  const placesIn = (text: string): readonly string[] =>
    module.scan(text).warnings.map(({ rule, offset }) => `${rule} ${text.slice(offset, offset + 12)}`);

  it.each([
    [
      'const a = { b: "B" };\nconst c = { d: "D" };\nexport default { ...a, ...c, e: "E" };',
      ['...a, ...c, ', '...c, e: "E"'],
    ],
    ['export default { a: (n: string) => `A ${n}`, b: "B" };', ['(n: string) ']],
    ['export default { a() { return "A"; }, b: "B" + c };', ['a() { return', '"B" + c };']],
    ['export default () => ({ a: "A" });', ['export defau']],
    // Strings of other modules, and code without strings.
    ['import a from "./a";\nexport default { ...a, b: [...c], d: (n) => n + 1, e: "E" };', []],
    // The only literal that is spread is read.
    ['const a = { b: "B" };\nexport default { ...base, ...a };', []],
  ])('are reported with their place: %s', (text, places) => {
    expect(placesIn(text)).toEqual(places.map((place) => `unread-code ${place}`));
  });
});
