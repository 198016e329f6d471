import type { Slot } from '../format.ts';
import { notationOf, type Notation } from '../notation.ts';

const RUBY = /%\{\w+\}|%<\w+>/;

/** Ruby's placeholders are those of a whole file, the others are told apart as in JSON. */
export function dialectOf(texts: readonly Pick<Slot, 'key' | 'value'>[], rails: boolean): Notation {
  if (!rails && !texts.some(({ value }) => RUBY.test(value))) return notationOf(texts);
  return { dialect: rails ? 'Rails' : 'Ruby I18n', syntaxOf: () => 'ruby' };
}
