import { ODD } from './mutation.ts';
import type { Random } from './random.ts';

/** Values that have broken editors of some format: each must be written exactly or refused. */
export const TRICKY_VALUES: readonly string[] = [
  '',
  ' ',
  ' leading and trailing ',
  '\ttab\t',
  'two\nlines',
  'three\n\nlines\n',
  'carriage\r\nreturn',
  'quote " and \' and `',
  'back\\slash \\n \\u0041',
  '😀 👨‍👩‍👧 e\u0301',
  'مرحبا بالعالم',
  ']]>',
  '-- # ! ; /* // */',
  '<b>&amp;</b> & < >',
  'true',
  'null',
  '- no',
  '1.0',
  '2026-01-01',
  ': # key: value',
  '{x} [y] %s @string/a ?attr',
  '\u00a0nbsp\u200b\u2028',
  '=equals:colon',
  '#',
  '*a',
  '&a',
  '!tag',
  '|',
  '>',
  '%',
  '@',
  '~',
];

const WORDS = ['word', 'Größe', '{name}', '%d', '<b>x</b>', 'a: b', ' ', '\n', 'é'] as const;

/** Characters that no text format holds, and halves of characters: not what is looked for in values. */
const NO_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/g;

/** A value that somebody may want to write. */
export function randomValue(random: Random): string {
  let value = '';
  for (let left = random.below(5); left >= 0; left--) {
    value += random.once(2) ? random.pick(ODD) : random.pick(WORDS);
  }
  return value.replace(NO_TEXT, '').toWellFormed();
}
