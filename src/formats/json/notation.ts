import type { Syntax } from '../../text/syntax.ts';

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

export interface Notation {
  readonly dialect: string;
  syntaxOf(value: string): Syntax;
}

export function hasIcuArgument(value: string): boolean {
  return value.includes('{') && value.includes(',') && ICU_ARGUMENT.test(value);
}

/**
 * Which placeholders the values of a document use. Mixed evidence decides for what protects more: ICU arguments keep
 * their own grammar value by value, and `{x}` beside `{{x}}` keeps both protected.
 *
 * @param names the last key segment of each value, in file order
 */
export function notationOf(values: readonly string[], names: readonly string[]): Notation {
  const some = (pattern: RegExp, hint: string): boolean =>
    values.some((value) => value.includes(hint) && pattern.test(value));
  const icu = values.some(hasIcuArgument);
  const mixed = (dialect: string, syntax: Syntax): Notation => ({
    dialect,
    syntaxOf: (value) => (icu && hasIcuArgument(value) ? 'icu' : syntax),
  });
  const simple = values.filter((value) => !hasIcuArgument(value));
  const simply = (pattern: RegExp, hint: string): boolean =>
    simple.some((value) => value.includes(hint) && pattern.test(value));
  const linked = some(LINKED, '@') || some(LITERAL_BRACES, "{'");

  if (some(NESTING, '$t(')) return mixed('i18next', 'i18next');
  if (linked || simply(COUNT, ' | ')) return mixed('vue-i18n', 'vue');
  const single = simply(SINGLE_BRACES, '{');
  if (simply(DOUBLE_BRACES, '{{') && !single) return mixed('i18next', 'i18next');
  if (icu) return { dialect: 'ICU', syntaxOf: () => 'icu' };
  if (!single && hasPluralPair(names)) return mixed('i18next', 'i18next');
  if (!values.some((value) => value.includes('{')) && countMatches(values) >= LARAVEL_EVIDENCE) {
    return mixed('Laravel', 'laravel');
  }
  return { dialect: 'plain', syntaxOf: () => 'plain' };
}

function countMatches(values: readonly string[]): number {
  let count = 0;
  for (const value of values) if (value.includes(':') && COLON_NAME.test(value)) count++;
  return count;
}

/** `item_one` next to `item_other`, or `item_plural` next to `item`. */
function hasPluralPair(names: readonly string[]): boolean {
  return names.some((name, i) => {
    const stem = PLURAL_SUFFIX.exec(name)?.[1];
    const next = names[i + 1];
    if (stem === undefined) return next !== undefined && next === `${name}_plural`;
    return next !== undefined && PLURAL_SUFFIX.exec(next)?.[1] === stem;
  });
}
