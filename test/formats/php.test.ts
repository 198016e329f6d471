import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../src/formats/format.ts';
import { php } from '../../src/formats/php/format.ts';
import { processorTime } from '../processor-time.ts';
import { findDisagreements } from '../readers/disagreement.ts';
import { phpTokens } from '../readers/php.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('php', php);

const content = fc
  .array(
    fc.constantFrom(
      'a',
      'Öffnen',
      ':name',
      '%s',
      '😀',
      ' ',
      '\\n',
      '\\\\',
      '\\x41',
      '\\u{e9}',
      '\\101',
      '\\$x',
      '{',
      '$ ',
      '/* */',
      '#',
      '?>',
      '=>',
      ',',
      ']',
      '|',
    ),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));
const single = content.map((text) => `'${text.replaceAll('\\$', '')}'`);
const double = content.map((text) => `"${text}"`);
const heredoc = fc
  .tuple(content, fc.constantFrom('', '  ', '\t'), fc.constantFrom('T', "'T'", '"T"'))
  .map(([text, indent, label]) => `<<<${label}\n${indent}${text}\n${indent}  x\n${indent}T`);
const code = fc.constantFrom("'a' . 'b'", '"$x"', 'f("a", [1])', 'null', 'fn ($x) => ["k" => "v"]', '-1.5');
const gap = fc.constantFrom('', ' ', '\n    ', ' /* "x" */ ', ' // no\n', ' # no\n');

const value: fc.Arbitrary<string> = fc.letrec<{ value: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: single },
    { weight: 3, arbitrary: double },
    { weight: 1, arbitrary: heredoc },
    { weight: 1, arbitrary: code },
    { weight: 2, arbitrary: tie('array') },
  ),
  array: arrays(tie('value')),
})).value;

function arrays(element: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom("'k' =>", '"k" =>', '', '7=>', 'X::Y =>'), gap, element, gap), {
        maxLength: 4,
      }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([elements, isOld, hasComma]) => {
      const written = elements.map(
        ([key, before, text, behind], i) => `${key.replace('k', `k${i}`)}${before}${text}${behind}`,
      );
      const body = written.join(',\n') + (hasComma && elements.length > 0 ? ',' : '');
      return isOld ? `array(${body})` : `[${body}]`;
    });
}

const statements = fc
  .array(fc.tuple(fc.constantFrom('$lang', '$_'), gap, value), { maxLength: 4 })
  .map((all) => all.map(([name, before, text], i) => `${name}['k${i}'] =${before}${text};\n`).join(''));

const documents = fc
  .tuple(
    fc.oneof(
      arrays(value).map((text) => `return ${text};\n`),
      arrays(value).map((text) => `$x = ${text};\nreturn $x;\n`),
      statements,
    ),
    fc.constantFrom('', '// note\n', "defined('X') or exit('no');\n", 'if (f()) { g("x"); }\n'),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([body, head, lineEnd]) => `<?php\n${head}${body}`.replaceAll('\n', lineEnd));

const written: Document[] = [];
formatContract(php, { documents, oracle: (rendered) => void written.push(rendered), runs: 200 });

describe.skipIf(phpTokens.missing() !== undefined)('the output of the contract', () => {
  it('reads the same in PHP', () => {
    expect(written.length).toBeGreaterThan(0);
    expect(findDisagreements('php', written)).toEqual([]);
  });
});

/** As in Laravel: one file, many keys. */
describe('large files', () => {
  it.each([
    ['elements', (n: number) => `<?php return [${"'a' => 'b', ".repeat(n)}];`],
    ['comments', (n: number) => `<?php return [${"/* x */ 'a', // y\n".repeat(n)}];`],
    ['heredocs', (n: number) => `<?php return [${'<<<T\n  x\n  T, '.repeat(n)}];`],
    ['statements', (n: number) => `<?php ${"$lang['a'] = 'b'; ".repeat(n)}`],
    ['unfinished code', (n: number) => `<?php return [${"f('a', ".repeat(n)}`],
    ['blanks', (n: number) => `<?php return [<<<T\n${' '.repeat(n)}x\nT];`],
    ['braces', (n: number) => `<?php return ["${"{$a['".repeat(n)}`],
  ])('take linear time: %s', (_, make) => {
    const time = (n: number): number => {
      const text = make(n);
      const start = processorTime();
      try {
        php.scan(text);
      } catch {
        // A refusal must be just as quick.
      }
      return processorTime() - start;
    };
    time(1000);
    const [few, many] = [Math.min(time(5_000), time(5_000)), Math.min(time(40_000), time(40_000))];
    expect(many).toBeLessThan(Math.max(few, 5) * 8 * 4);
  });
});
