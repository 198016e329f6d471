import { ODD } from './mutation.ts';
import type { Random } from './random.ts';

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
