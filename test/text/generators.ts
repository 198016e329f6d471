import fc from 'fast-check';
import { FORMAT_STRINGS } from '../../src/text/directives.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { tokenize, writeTagged, type Token } from '../../src/text/tagged.ts';
import { codePoint } from '../code-point.ts';

export const SYNTAXES: readonly Syntax[] = [
  'plain',
  'icu',
  'i18next',
  'vue',
  'chrome',
  'ruby',
  'laravel',
  'java',
  'apple',
  'android',
  'markup',
  ...FORMAT_STRINGS,
];

export const syntaxes = fc.constantFrom(...SYNTAXES);

export const words = fc.constantFrom(
  'word',
  'two words',
  ' ',
  '  \n',
  "don't",
  "it''s",
  "'",
  '"q"',
  '100%',
  '50 % de',
  '%',
  'a & b',
  '<',
  '>',
  'a < b',
  '|',
  ' | ',
  '@',
  'a@b',
  '#',
  '$',
  '$5',
  ':',
  '12:30',
  '👍',
  '👩‍👩‍👧',
  'שלום',
  '\u202b',
  '日本語',
  'é',
  '{',
  '}',
  '\\',
  '-',
  '&amp;',
  "'{",
  "'}'",
  '\ud83d',
);

export const codes = fc.constantFrom(
  '{name}',
  '{0}',
  '{{x}}',
  '{{ y }}',
  '%s',
  '%1$d',
  '%@',
  '%lld',
  '%%',
  '%(n)s',
  '%{c}',
  '${z}',
  ':name',
  '$NAME$',
  '$t(a.b)',
  '@:a.b',
  '<b>',
  '</b>',
  '<br/>',
  '<a href="{u}" title="x">',
  '</a>',
  '&nbsp;',
  '&#233;',
  '\\n',
  '__n__',
  'https://a.b/c?d=e',
  'x@y.org',
  '{n, number}',
  '{d, date, ::yMd}',
  "'{q}'",
  "{'@'}",
  '{}',
  '<0>',
  '</0>',
  '~a',
  '~{~d~^, ~}',
  '$dir',
  '${to}',
  '%1',
  '%n',
  '%2%',
  '%qD',
  '%0:s',
  '%key%',
  '%h',
  '[a](command:b?%5B1%5D)',
  '[',
  '](/x)',
  'github.com/x',
  '<Unknown Sender>',
  '<input disabled>',
);

const icu: fc.Arbitrary<string> = fc.letrec<{ text: string; complex: string }>((tie) => ({
  text: fc
    .array(fc.oneof({ weight: 3, arbitrary: words }, codes, fc.constant('#'), tie('complex')), {
      maxLength: 4,
    })
    .map((parts) => parts.join('')),
  complex: fc.oneof(
    { maxDepth: 2 },
    fc.constant('{n}'),
    fc
      .tuple(fc.constantFrom(' ', '', '\n  '), tie('text'), tie('text'))
      .map(
        ([gap, a, b]) => `{n,${gap}plural,${gap}=0${gap}{${a}}${gap}one{${a}}${gap}other${gap}{${b}}${gap}}`,
      ),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `{g, select, x {${a}} 1 {${b}} other {${b}}}`),
  ),
})).text;

export const values = fc.oneof(
  fc.array(fc.oneof(words, codes), { maxLength: 8 }).map((parts) => parts.join('')),
  icu,
  fc.string({ unit: codePoint, maxLength: 20 }),
);

/** A translation with the placeholders of `tagged`, in reverse order on request, and different words between them. */
export function translate(tagged: string, replacement: readonly string[], reverse: boolean): string {
  const tokens = tokenize(tagged) ?? [];
  let next = 0;
  const other = (): Token => ({ type: 'words', text: replacement[next++ % replacement.length] ?? '' });
  const flat = tokens.every((token) => token.type === 'words' || token.type === 'placeholder');
  const translated = tokens.map((token) => (token.type === 'words' ? other() : token));
  return writeTagged(reverse && flat ? translated.reverse() : translated);
}
