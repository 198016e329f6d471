import { directivesOf } from '../directives.ts';
import { identify, type Inventory } from '../inventory.ts';
import type { CodeNode, MessageNode } from '../node.ts';
import { parseValue } from '../parse.ts';
import type { Syntax } from '../syntax.ts';
import type { PluralBranch, Variant } from './plurals.ts';

/** The codes of a text that a person's translation must keep. */
export interface Wording {
  readonly nodes: readonly MessageNode[];
  readonly form: PluralBranch | undefined;
  /** The spelling of arguments and conversions, by their meaning. */
  readonly codes: ReadonlyMap<string, string>;
  readonly inventory: Inventory;
  /** The number of date parts, such as `%Y`, whose choice and order depend on the language. */
  readonly dateParts: number;
}

/** The number that selects a form, as Qt, i18next, Rails, Laravel and others name it. */
export const COUNT = /^(?:%L?n|[$%]?\{{1,2}\s*(?:count|n)\s*\}{1,2}|:count|%count%)$/i;

/** Whether a conversion is part of a date among other parts: `%d` in `%d.%m.%Y`. */
export function isShortConversion(raw: string): boolean {
  return /^%(?:\d\$)?[-_0^#]?[a-zA-Z]$/.test(raw);
}

/**
 * An identifier in braces, with an optional format, or empty braces. `{ and }`, `{a|b}` and `{on,off}` are words that
 * show possible input, as is text with a colon: `{From: %s}`, `{ margin: 0 }`. No program replaces `@{name}`.
 */
const ARGUMENT =
  /^[#$%]?(?:\{\s*(?:[\w$@\p{L}](?:[\w.$@/-]|\p{L}|\[\w{1,40}\])*)?\s*(?:[!?].*|:(?!\s+[\p{L}\d%]).*|,\s*(?:choice|date|duration|list|number|ordinal|spellout|time)\b.*)?\}|\{\{.*\}\})$/su;

/** Whether this is a grammatical choice in wiki notation, which differs by language: `{{plural:$1|file|files}}` */
export function isTemplate(raw: string): boolean {
  return /^\{\{[\w ]{1,40}:[^|]*\|/.test(raw);
}

const NAME_IN_BRACES = /^[#$%]?\{\s*[\p{L}_]/u;
const NAME_OF_RUBY = /^%\{/;

/** Syntaxes whose arguments are plain braces: a preceding sign is literal, as in `${n}` for dollars. */
const BRACES_ALONE: ReadonlySet<Syntax> = new Set([
  'csharp',
  'icu',
  'java',
  'perl-brace',
  'python-brace',
  'vue',
]);

/** Characters before an argument that are literal in every syntax: `#{n}`, `${{n}}`, and Fluent's `%{$n}`. */
const SIGN = /^(?:#\{|[$%]\{[{$])/;

/** Text before a word in braces that makes it part of a TeX or Texinfo command: `\begin{`, `@cite{`, `@'{`. */
const COMMAND = /(?:\\[A-Za-z]{3,20}\*?|@(?:[A-Za-z]{1,20}|["',=^`~]))$/;

/** `\x{…}` and `\N{name}` are escapes. Standalone escapes, as in `\n{name}`, do not affect the braces. */
const ESCAPE = /\\(?![abfnrtv])[A-Za-z]$/;

/** Entities, escapes and quoted literals are notation, which a translation may change. */
export function readVariant(
  { nodes, form }: Variant,
  { syntax, hasNames, hasOwnFormat, isManual }: Omit<CodeContext, 'hasDate'>,
): Wording {
  const parts = nodes.filter(isDatePart);
  const dateParts = syntax !== 'ruby' && parts.every(isMozillas) ? 0 : parts.length;
  const context = { hasDate: dateParts > 0, hasNames, hasOwnFormat, isManual, syntax };
  let before = '';
  const compared = nodes.flatMap((one): readonly MessageNode[] => {
    const node: MessageNode =
      dateParts === 0 && isDatePart(one) && isMozillas(one) ? { ...one, kind: 'printf' } : one;
    const keeps = node.type !== 'code' || isCompared(node, before, context);
    if (node.type !== 'complex') before = (before + node.raw).slice(-LONGEST_COMMAND);
    return keeps ? [node] : withoutBraces(node, syntax);
  });
  const inventory = identify(compared, syntax, undefined);
  const codes = new Map<string, string>();
  for (const [id, { raw }] of inventory.codes) {
    const hasSign = SIGN.test(id) || (BRACES_ALONE.has(syntax) && /^[$%]\{/.test(id));
    codes.set(meaningOf(hasSign ? id.slice(1) : id), raw);
  }
  return { nodes, form, codes, inventory, dateParts };
}

/** Whether a node is a conversion without an argument, such as `%Y`. */
function isDatePart(node: MessageNode): node is CodeNode {
  return node.type === 'code' && node.kind === 'escape' && node.raw.startsWith('%');
}

/** Whether a node is `%S`, an argument of Mozilla's programs. A date has seconds only beside other parts. */
function isMozillas({ raw }: CodeNode): boolean {
  return raw === '%S';
}

/** Whether the syntax is that of Qt's or KDE's format strings, which are displayed as HTML if they have tags. */
export function isOfQt(syntax: Syntax): boolean {
  return syntax === 'qt' || syntax === 'kde' || syntax === 'kde-kuit';
}

/** The maximum length of a command's name with its `\` or `@`. */
const LONGEST_COMMAND = 22;

interface CodeContext {
  readonly hasDate: boolean;
  /** Whether arguments may have names. */
  readonly hasNames: boolean;
  /** Whether other texts of the catalogue are marked as format strings, and this one is not. */
  readonly hasOwnFormat: boolean;
  readonly isManual: boolean;
  readonly syntax: Syntax;
}

/** @param before the text before the code */
function isCompared({ kind, raw }: CodeNode, before: string, context: CodeContext): boolean {
  const { hasDate, hasNames, hasOwnFormat, isManual, syntax } = context;
  if (kind === 'entity' || kind === 'escape' || kind === 'quoted') return false;
  // In Qt, a placeholder is a percent sign and a number; other percent signs are words.
  if (isOfQt(syntax) && /^%[^\dLn{(]/.test(raw)) return false;
  if (kind === 'printf') return !hasDate || !isShortConversion(raw);
  // `__important__` among conversions and in manuals is emphasis.
  if (raw.startsWith('__') && (isManual || directivesOf(syntax) !== undefined)) return false;
  if (kind !== 'argument' || !raw.endsWith('}')) return true;
  if (isTemplate(raw)) return false;
  const isOwn = syntax === 'ruby' && NAME_OF_RUBY.test(raw);
  if ((!hasNames || isManual) && !isOwn && (raw === '{}' || NAME_IN_BRACES.test(raw))) return false;
  // If arguments cannot be named in braces, `{ or }` is a phrase about braces.
  const isPhrase = hasOwnFormat || /^\{\s+\}$/.test(raw) || directivesOf(syntax) !== undefined;
  if (isPhrase && /^\{\s/.test(raw)) return false;
  const isOfCommand = COMMAND.test(before) && (raw === '{}' || NAME_IN_BRACES.test(raw));
  return hasBraces(syntax) && !isOfCommand && !ESCAPE.test(before) && ARGUMENT.test(raw);
}

/** The conversions between literal braces: `{%u}`. */
function withoutBraces(node: MessageNode, syntax: Syntax): readonly MessageNode[] {
  if (node.type !== 'code' || !node.raw.startsWith('{') || !node.raw.includes('%') || hasBraces(syntax))
    return [];
  return parseValue(node.raw.slice(1), syntax).parts.flatMap(({ nodes }) => nodes);
}

/** Whether braces are syntax; in printf format strings they belong to words about sets and blocks. */
function hasBraces(syntax: Syntax): boolean {
  const signs = directivesOf(syntax)?.signs;
  return signs !== '%' || syntax === 'ruby-printf';
}

/**
 * The argument that an id denotes. Ignores its style, which depends on the target language, and its number, because
 * translators know which programs accept numbers.
 */
function meaningOf(id: string): string {
  if (id.endsWith(' numbered')) return meaningOf(id.slice(0, -' numbered'.length));
  const conversion = /^(%\d+\$)(?:[A-Za-z]*)?([diouxXeEfFgGaAcCsS])$/.exec(id);
  if (conversion)
    return `${conversion[1]}${id.slice(conversion[1]?.length ?? 0, -1)}${typeOf(conversion[2] ?? '')}`;
  if (id.endsWith(' in order')) return id.slice(0, -' in order'.length);
  // Laravel capitalizes the value for `:Name` and upper-cases it for `:NAME`.
  if (/^:[A-Za-z]/.test(id)) return id.toLowerCase();
  // Qt displays the same argument with the language's digits and separators.
  if (/^%L(?:\d|n)/.test(id)) return `%${id.slice(2)}`;
  // `~a` and `~s` both display any object; `~s` adds quotes.
  if (id.startsWith('~')) return id.replace(/s$/, 'a');
  const style = /^\{\{[^{}:,|]+(?=[:,|])/.exec(id)?.[0];
  if (style !== undefined) return `${style}}}`;
  const name = /^\{[^{},:!]+(?=[,:!])/.exec(id)?.[0];
  return name === undefined ? id : `${name}}`;
}

/** The type of a conversion, as in msgfmt: hexadecimal digits may be upper or lower case. */
function typeOf(letter: string): string {
  if ('ouxX'.includes(letter)) return 'u';
  if ('eEfFgGaA'.includes(letter)) return 'f';
  return letter === 'i' ? 'd' : letter;
}

/** The words and codes of a text as written, without plurals and choices. */
export function textOf({ nodes }: Wording): string {
  return nodes.map((node) => (node.type === 'complex' ? '' : node.raw)).join('');
}
