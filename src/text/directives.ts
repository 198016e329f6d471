/** The format strings of a programming language, according to `msgfmt -c`. */
export interface Directives {
  /** Directives and escaped literals, as the source of a regular expression without capturing groups. */
  readonly pattern?: string;
  /** Directives that name their argument, so a translation may reorder them. */
  readonly named?: RegExp;
  /** Directives without an argument: a line break, a colour, a quotation mark. */
  readonly silent?: RegExp;
  /** Characters that a valid format string only has inside directives. */
  readonly signs: string;
  /** The character that is doubled to represent itself. */
  readonly doubled?: '%' | '~';
  /** How a directive numbers its argument: `%2$s`, `%1:s`. Absent if numbers are not supported. */
  readonly numbers?: '$' | ':';
}

const NUMBER = String.raw`(?:[1-9]\d{0,2}\$)?`;
const WIDTH = String.raw`\d{0,4}`;
const SIZE = String.raw`${WIDTH}(?:\.\d{0,4})?`;
/** A star takes the width or precision from an argument. */
const STARS = String.raw`(?:\d{1,4}|\*(?:\d{1,2}\$)?)?(?:\.(?:\d{1,4}|\*(?:\d{1,2}\$)?)?)?`;
const FLAGS = '[-+ #0]{0,6}';
const PERCENT = { signs: '%', doubled: '%' } as const;

function printf(conversion: string, more: Partial<Directives> = {}): Directives {
  return { pattern: `%%|${conversion}`, ...PERCENT, ...more };
}

const C = `%${NUMBER}[-+ #0'I]{0,6}${STARS}`;
const C_LENGTH = '(?:hh|ll|[hlqjzZtL])?';
const C_LETTERS = 'diouxXeEfFgGaAcCsSpn';
const MACRO = String.raw`<PRI\w{1,20}>`;
/** Older catalogues of Python programs have C's flag. */
const NAMED = String.raw`%\([^()%\n]{1,60}\)[-+ #0]{0,6}${SIZE}[diouxXeEfFgGcrsa]`;
const C_TRAITS = { named: /^%\(/, silent: /^%(?:\d+\$)?m$/, numbers: '$' } as const;
/** The system error takes no argument, and may be unnumbered among numbered directives. */
const C_ERROR = `%${NUMBER}m`;

const LISP_PARAMETER = String.raw`(?:[-+]?\d{1,6}|'[^]|[vV#])?`;
const LISP: Directives = {
  pattern: String.raw`~${LISP_PARAMETER}(?:,${LISP_PARAMETER}){0,7}[:@]{0,2}(?:\/[\w:+-]{1,60}\/|[A-Za-z$%&|~?*^;_!<>()[\]{}\n])`,
  // Skipping arguments (`~*`) is not layout: it decides which argument the next directive displays.
  silent: /^~[-+\d,'vV#:@]*[%&|_tTiI\n]$/,
  signs: '~',
  doubled: '~',
};

const NUMBERED_BY_PERCENT = String.raw`%[1-9]\d{0,2}`;

const TABLE = {
  c: printf(`${C}(?:${C_LENGTH}[${C_LETTERS}]|${MACRO})|${C_ERROR}|${NAMED}`, C_TRAITS),
  objc: printf(`${C}(?:${C_LENGTH}[${C_LETTERS}@]|${MACRO})|${C_ERROR}|${NAMED}`, C_TRAITS),
  python: printf(
    String.raw`%(?:\([^()%\n]{1,60}\))?${FLAGS}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*)?)?[hlL]?[diouxXeEfFgGcrsa]`,
    { named: /^%\(/ },
  ),
  'java-printf': printf(
    String.raw`%n|%(?:[1-9]\d{0,2}\$|<)?[-+ #0,(]{0,6}${SIZE}(?:[tT][A-Za-z]|[bBhHsScCdoxXeEfgGaA])`,
    { silent: /^%n$/, numbers: '$' },
  ),
  javascript: printf(`%${NUMBER}[-+ 0]{0,4}${SIZE}[bcdfjosxX]`, { numbers: '$' }),
  elisp: printf(`%${NUMBER}${FLAGS}${STARS}[cdefgiosxEGSX]`, { numbers: '$' }),
  librep: printf(`%${NUMBER}[-+ 0]{0,4}${WIDTH}[cdosxSX]`, { numbers: '$' }),
  'ruby-printf': printf(
    String.raw`%\{\w{1,60}\}|%<\w{1,60}>${FLAGS}${STARS}[abcdefgiopsuxABEGX]|%${NUMBER}${FLAGS}${STARS}[abcdefgiopsuxABEGX]`,
    { named: /^%[{<]/, numbers: '$' },
  ),
  awk: printf(`%${NUMBER}${FLAGS}${STARS}[cdefgiosuxEGX]`, { numbers: '$' }),
  lua: printf(`%${SIZE}[acdefgioqsuxAEGX]`),
  'object-pascal': printf(
    String.raw`%(?:(?:\d{1,3}|\*)?:)?-?(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?[dumnpsxefgDUMNPSXEFG]`,
    { numbers: ':' },
  ),
  tcl: printf(`%${NUMBER}${FLAGS}${STARS}[hl]?[cdefgiosuxEGX]`, { numbers: '$' }),
  perl: printf(String.raw`%${NUMBER}${FLAGS}(?:\*?v)?${STARS}(?:ll|hh|[hlqLV])?[bcdefgionpsuxDEFGOUX_]`, {
    numbers: '$',
  }),
  php: printf(String.raw`%${NUMBER}(?:[-+ 0]|'[^\n]){0,4}${SIZE}l?[bcdefosuxX]`, { numbers: '$' }),
  go: printf(
    String.raw`%[-+ #0]{0,5}(?:\[\d{1,3}\])?(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*)?)?(?:\[\d{1,3}\])?[vTtbcdoOqxXUeEfFgGspw]`,
  ),
  'gcc-internal': printf(
    String.raw`%['<>m]|%${NUMBER}[q+#]{0,3}(?:\.(?:\d{1,4}|\*(?:\d{1,2}\$)?))?(?:ll|[wlL])?[cdiopsuxACDEFGHIJKLOPQRSTVXZer@]`,
    { silent: /^%['<>m]$/, numbers: '$' },
  ),
  'gfc-internal': printf(String.raw`%[<>']|%${NUMBER}q?(?:ll|[lL])?[cdisuCL]`, {
    silent: /^%['<>]$/,
    numbers: '$',
  }),
  boost: printf(
    String.raw`%\d{1,3}%|%\|[^|\s]{1,40}\||%\d{0,3}t|%\d{0,3}T[^]|%n|%${NUMBER}[-+ #0'_=]{0,6}${STARS}(?:ll|hh|[hlL])?[cdefgiopsuxCEGSX]`,
    { named: /^%\d+%$/, silent: /^%(?:n|\d*t|\d*T[^]|\|\d*(?:t|T[^])\|)$/, numbers: '$' },
  ),
  lisp: LISP,
  scheme: LISP,
  sh: { pattern: String.raw`\$(?:[A-Za-z_]\w{0,100}|\{[A-Za-z_]\w{0,100}\})`, named: /^\$/, signs: '$' },
  smalltalk: { pattern: `%%|${NUMBERED_BY_PERCENT}`, named: /^%\d/, ...PERCENT },
  ycp: { pattern: `%%|${NUMBERED_BY_PERCENT}`, named: /^%\d/, ...PERCENT },
  // In these syntaxes, a percent sign that does not begin a directive is literal.
  qt: { pattern: String.raw`%L?(?:\d{1,2}|n)`, named: /^%/, signs: '' },
  kde: { pattern: NUMBERED_BY_PERCENT, named: /^%/, signs: '' },
  // The texts are XML.
  'kde-kuit': { pattern: NUMBERED_BY_PERCENT, named: /^%/, signs: '<' },
  'python-brace': { pattern: String.raw`\{\{|\}\}`, signs: '{' },
  csharp: { pattern: String.raw`\{\{|\}\}`, signs: '{}' },
  // Braces are always arguments, so no other character is special.
  'perl-brace': { signs: '' },
} satisfies Readonly<Record<string, Directives>>;

/** The syntaxes that are format strings of a programming language. */
export type FormatString = keyof typeof TABLE;

const DIRECTIVES: ReadonlyMap<string, Directives> = new Map(Object.entries(TABLE));

/**
 * The directives of a syntax; undefined if it is not a format string, in which case a percent sign is usually literal.
 */
export function directivesOf(syntax: string): Directives | undefined {
  return DIRECTIVES.get(syntax);
}

/** Whether a format-string syntax has this name. */
export function isFormatString(name: string): name is FormatString {
  return DIRECTIVES.has(name);
}

export const FORMAT_STRINGS: readonly FormatString[] = Object.keys(TABLE).filter(isFormatString);
