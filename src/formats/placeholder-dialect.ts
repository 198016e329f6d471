import { type FindPluralKeys, i18nextPlurals } from '../text/plural-keys.ts';
import { chooseSyntax } from '../text/message.ts';
import type { Syntax } from '../text/syntax.ts';
import type { Key, Slot } from './format.ts';
import type { MessageRules } from './message-rules.ts';

/** Linear on any input: no two parts of these patterns can match the same characters. */
const ICU_ARGUMENT = /\{\s*[\w.-]+\s*,\s*(?:plural|selectordinal|select)\s*,/;
const DOUBLE_BRACES = /\{\{[^{}]*\}\}/;
const SINGLE_BRACES = /(?:^|[^{$%])\{[\w.-]+\}(?!\})/;
const NESTING = /\$t\(/;
const LINKED = /(?:^|[^\w.])@(?:\.\w+)?:[\w({]/;
/** Excludes the apostrophes with which ICU quotes its braces: `'{'x'}'`. */
const LITERAL_BRACES = /(?:^|[^'])\{'[^']*'\}(?!')/;
const COUNT = /\{(?:n|count)\}/;
const COLON_NAME = /(?<=^|[\s("'|]):[a-zA-Z_]\w*(?![:\w])/;
const PLURAL_SUFFIX = /^(.+)_(?:zero|one|two|few|many|other|plural)$/;
/** All patterns for values require one of these characters. Most values have none. */
const SIGN = /[{@:|$]/;

/** Fewer values with `:name` prove nothing: colons are common in ordinary text. */
const LARAVEL_EVIDENCE = 3;

type Text = Pick<Slot, 'key' | 'value'>;

export interface PlaceholderDialect {
  readonly dialect: string;
  syntaxOf(value: string, key: Key): Syntax;
  /** How plural forms are written as separate entries. Default: not at all. */
  readonly plurals?: FindPluralKeys | undefined;
}

function hasIcuArgument(value: string): boolean {
  return value.includes('{') && value.includes(',') && ICU_ARGUMENT.test(value);
}

/**
 * Determines the placeholder syntax of a document: its framework's, if known, otherwise inferred from the values. Mixed
 * evidence selects the syntax that protects more: ICU arguments keep their own grammar in each value, and `{x}` beside
 * `{{x}}` protects both. The dialect of the file is the first guess: a value that it cannot parse is parsed by the next
 * matching syntax.
 */
export function placeholderDialectOf(slots: readonly Text[], messages?: MessageRules): PlaceholderDialect {
  if (messages) return messages;
  const values: string[] = [];
  for (const { value } of slots) if (SIGN.test(value)) values.push(value);
  const some = (pattern: RegExp, hint: string): boolean =>
    values.some((value) => value.includes(hint) && pattern.test(value));
  const simply = (pattern: RegExp, hint: string): boolean =>
    values.some((value) => value.includes(hint) && pattern.test(value) && !hasIcuArgument(value));
  const icu = values.some(hasIcuArgument);
  const mixed = (dialect: string, syntax: Syntax): PlaceholderDialect => ({
    dialect,
    plurals: dialect === 'i18next' ? i18nextPlurals : undefined,
    syntaxOf: (value) =>
      icu && hasIcuArgument(value) ? chooseSyntax(value, 'icu', syntax, 'plain') : syntax,
  });
  const linked = some(LINKED, '@') || some(LITERAL_BRACES, "{'");

  if (some(NESTING, '$t(')) return mixed('i18next', 'i18next');
  if (linked || simply(COUNT, ' | ')) return mixed('vue-i18n', 'vue');
  const single = simply(SINGLE_BRACES, '{');
  if (simply(DOUBLE_BRACES, '{{') && !single) return mixed('i18next', 'i18next');
  if (slots.some(hasNameInKey)) return mixed('Laravel', 'laravel');
  if (icu) return { dialect: 'ICU', syntaxOf: (value) => chooseSyntax(value, 'icu', 'plain') };
  if (!single && hasPluralPair(slots)) return mixed('i18next', 'i18next');
  const colons = values.filter((value) => value.includes(':') && COLON_NAME.test(value));
  if (colons.length >= LARAVEL_EVIDENCE && !values.some((value) => value.includes('{')))
    return mixed('Laravel', 'laravel');
  return { dialect: 'plain', syntaxOf: () => 'plain' };
}

/** Laravel's JSON uses texts as keys: `"Hello :name": "Hola :name"`. */
function hasNameInKey({ key, value }: Text): boolean {
  if (!value.includes(':')) return false;
  const name = COLON_NAME.exec(key.at(-1) ?? '')?.[0];
  return name !== undefined && value.includes(name);
}

/** `item_one` next to `item_other`, or `item_plural` next to `item`. */
function hasPluralPair(slots: readonly Text[]): boolean {
  let previous: string | undefined;
  for (const { key } of slots) {
    const name = key[key.length - 1] ?? '';
    if (previous !== undefined && name.includes('_')) {
      const stem = PLURAL_SUFFIX.exec(previous)?.[1];
      if (stem === undefined ? name === `${previous}_plural` : PLURAL_SUFFIX.exec(name)?.[1] === stem)
        return true;
    }
    previous = name;
  }
  return false;
}
