import { type FormatString, isFormatString } from './directives.ts';

/**
 * The message grammar of a value: which notations in it are syntax, not words.
 *
 * Protected in every syntax: printf conversions (`%s`, `%1$d`, `%lld`, `%%`), `%@`, `%(name)s`, `{0}`, `{name}`,
 * `{{name}}`, `%{name}`, `${x}`, `__name__`, `$t(…)`, inline tags and entities, backslash escapes, URLs and e-mail
 * addresses, and ICU arguments (`{n, plural, …}`) anywhere. What a syntax adds or changes:
 *
 * - `plain`    nothing
 * - `icu`      ICU MessageFormat throughout: apostrophes quote, `<b>` is rich text
 * - `i18next`  `{{x}}`, `$t(key)`; single braces are not arguments
 * - `vue`      `@:key`, `@.upper:key`, `{'literal'}`, and `a | b` as plural branches
 * - `chrome`   `$NAME$`, `$1`, `$$`
 * - `ruby`     `%{name}`, `%<name>d`, parts of dates
 * - `laravel`  `:name`, `:Name`, and `a|b` branches
 * - `c`, `python`, … the format strings of PO entries by their flags: see `directives.ts`
 * - `java`     java.text.MessageFormat: apostrophes quote if the value has arguments; `{0,choice,…}` is one unit
 * - `apple`    `%@`, `%1$@`, `%lld`, `%#@name@`
 * - `android`  printf and HTML in text; the value is what the app sees (escapes decoded)
 * - `angular`  as `plain`; ICU arguments as in Angular: no quoting, and nothing is displayed without `other`
 * - `symfony`  as `plain`, and names of any length between percent signs: `%u%`
 * - `vscode`   as `plain`, and code between backticks: the text is displayed as Markdown
 * - `patchouli` as `plain`, and the codes of a Minecraft book: `$(br)`, `$(l:entry)…$(/l)`, `$(item)…$()`
 * - `markup`   the value is XML source: tags are inline markup, predefined entities decode to text
 * - `xliff`    as `markup`, with the inline elements of XLIFF: native code in them is one placeholder
 */
export type Syntax =
  | 'plain'
  | 'icu'
  | 'i18next'
  | 'vue'
  | 'chrome'
  | 'ruby'
  | 'laravel'
  | 'java'
  | 'apple'
  | 'android'
  | 'angular'
  | 'symfony'
  | 'vscode'
  | 'patchouli'
  | 'markup'
  | 'xliff'
  | FormatString;

export function isXmlSource(syntax: Syntax): boolean {
  return syntax === 'markup' || syntax === 'xliff';
}

/** Syntaxes that only files state; all others are also inferred from values. */
const STATED: ReadonlySet<Syntax> = new Set(['android', 'apple', 'chrome', 'patchouli', 'xliff']);

/** Whether values have the syntax only if their file states it, as PO does by flags. */
export function isStated(syntax: Syntax): boolean {
  return STATED.has(syntax) || isFormatString(syntax);
}
