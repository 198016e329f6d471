import { chooseSyntax } from '../text/message.ts';
import type { Syntax } from '../text/syntax.ts';
import type { Slot } from './format.ts';

/** Linear on any input: no two parts of these can match the same characters. */
const ICU_ARGUMENT = /\{\s*[\w.-]+\s*,\s*(?:plural|selectordinal|select)\s*,/;
const DOUBLE_BRACES = /\{\{[^{}]*\}\}/;
const SINGLE_BRACES = /(?:^|[^{$%])\{[\w.-]+\}(?!\})/;
const NESTING = /\$t\(/;
const LINKED = /(?:^|[^\w.])@(?:\.\w+)?:[\w({]/;
/** Not the apostrophes with which ICU quotes its braces: `'{'x'}'`. */
const LITERAL_BRACES = /(?:^|[^'])\{'[^']*'\}(?!')/;
const COUNT = /\{(?:n|count)\}/;
const COLON_NAME = /(?:^|[\s("']):[a-zA-Z_]\w*(?![:\w])/;
const PLURAL_SUFFIX = /^(.+)_(?:zero|one|two|few|many|other|plural)$/;

/** Fewer values with `:name` prove nothing: colons stand in ordinary text as well. */
const LARAVEL_EVIDENCE = 3;

type Text = Pick<Slot, 'key' | 'value'>;

export interface Notation {
  readonly dialect: string;
  syntaxOf(value: string): Syntax;
}

function hasIcuArgument(value: string): boolean {
  return value.includes('{') && value.includes(',') && ICU_ARGUMENT.test(value);
}

/**
 * Which placeholders the values of a document use. Mixed evidence decides for what protects more: ICU arguments keep
 * their own grammar value by value, and `{x}` beside `{{x}}` keeps both protected. The dialect of the file is only the
 * first guess: a value that it cannot read is read by the next syntax that can.
 */
export function notationOf(slots: readonly Text[]): Notation {
  const some = (pattern: RegExp, hint: string): boolean =>
    slots.some(({ value }) => value.includes(hint) && pattern.test(value));
  const simply = (pattern: RegExp, hint: string): boolean =>
    slots.some(({ value }) => value.includes(hint) && pattern.test(value) && !hasIcuArgument(value));
  const icu = slots.some(({ value }) => hasIcuArgument(value));
  const mixed = (dialect: string, syntax: Syntax): Notation => ({
    dialect,
    syntaxOf: (value) =>
      icu && hasIcuArgument(value) ? chooseSyntax(value, 'icu', syntax, 'plain') : syntax,
  });
  const linked = some(LINKED, '@') || some(LITERAL_BRACES, "{'");

  if (some(NESTING, '$t(')) return mixed('i18next', 'i18next');
  if (linked || simply(COUNT, ' | ')) return mixed('vue-i18n', 'vue');
  const single = simply(SINGLE_BRACES, '{');
  if (simply(DOUBLE_BRACES, '{{') && !single) return mixed('i18next', 'i18next');
  if (icu) return { dialect: 'ICU', syntaxOf: (value) => chooseSyntax(value, 'icu', 'plain') };
  if (!single && hasPluralPair(slots)) return mixed('i18next', 'i18next');
  if (!slots.some(({ value }) => value.includes('{')) && countMatches(slots) >= LARAVEL_EVIDENCE) {
    return mixed('Laravel', 'laravel');
  }
  return { dialect: 'plain', syntaxOf: () => 'plain' };
}

function countMatches(slots: readonly Text[]): number {
  let count = 0;
  for (const { value } of slots) if (value.includes(':') && COLON_NAME.test(value)) count++;
  return count;
}

/** `item_one` next to `item_other`, or `item_plural` next to `item`. */
function hasPluralPair(slots: readonly Text[]): boolean {
  return slots.some(({ key }, i) => {
    const name = key.at(-1) ?? '';
    const stem = PLURAL_SUFFIX.exec(name)?.[1];
    const next = slots[i + 1]?.key.at(-1);
    if (stem === undefined) return next !== undefined && next === `${name}_plural`;
    return next !== undefined && PLURAL_SUFFIX.exec(next)?.[1] === stem;
  });
}
