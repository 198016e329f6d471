import { directivesOf } from '../directives.ts';
import { identify, type Inventory } from '../inventory.ts';
import type { CodeNode, MessageNode } from '../node.ts';
import { parseValue } from '../parse.ts';
import type { Syntax } from '../syntax.ts';
import type { PluralBranch, Variant } from './plurals.ts';

/** The parts of a text other than words that a person's translation has to keep. */
export interface Shown {
  readonly nodes: readonly MessageNode[];
  readonly form: PluralBranch | undefined;
  /** The spelling of arguments and conversions, by their meaning. */
  readonly codes: ReadonlyMap<string, string>;
  readonly inventory: Inventory;
  /** Parts of a date, such as `%Y`: which of them, and in which order, is the language's. */
  readonly dateParts: number;
}

/** What the number by which a form is chosen is called in Qt, i18next, Rails, Laravel and others. */
export const COUNT = /^(?:%L?n|[$%]?\{{1,2}\s*(?:count|n)\s*\}{1,2}|:count|%count%)$/i;

/** A conversion that is a part of a date among parts of a date: `%d` in `%d.%m.%Y`. */
export function isShortConversion(raw: string): boolean {
  return /^%(?:\d\$)?[-_0^#]?[a-zA-Z]$/.test(raw);
}

/**
 * An identifier in braces, with a format behind it, or nothing at all. `{ and }`, `{a|b}` and `{on,off}` are words,
 * which show readers what they may write, and so is what has a colon as in prose: `{From: %s}`, `{ margin: 0 }`. No
 * program fills in `@{name}`.
 */
const ARGUMENT =
  /^[#$%]?(?:\{\s*(?:[\w$@\p{L}](?:[\w.$@/-]|\p{L}|\[\w{1,40}\])*)?\s*(?:[!?].*|:(?!\s+[\p{L}\d%]).*|,\s*(?:choice|date|duration|list|number|ordinal|spellout|time)\b.*)?\}|\{\{.*\}\})$/su;

/** A grammatical choice in the notation of wikis: each language makes its own. `{{plural:$1|file|files}}` */
export function isTemplate(raw: string): boolean {
  return /^\{\{[\w ]{1,40}:[^|]*\|/.test(raw);
}

const NAME_IN_BRACES = /^[#$%]?\{\s*[\p{L}_]/u;
const NAME_OF_RUBY = /^%\{/;

/** Syntaxes whose arguments are braces alone: a sign in front of them is a character, as in `${n}` for dollars. */
const BRACES_ALONE: ReadonlySet<Syntax> = new Set([
  'csharp',
  'icu',
  'java',
  'perl-brace',
  'python-brace',
  'vue',
]);

/** Signs in front of an argument that are characters in every syntax: `#{n}`, `${{n}}`, and `%{$n}` of Fluent. */
const SIGN = /^(?:#\{|[$%]\{[{$])/;

/** What makes a word in braces belong to a command of TeX or Texinfo: `\begin{`, `@cite{`, `@'{`. */
const COMMAND = /(?:\\[A-Za-z]{3,20}\*?|@(?:[A-Za-z]{1,20}|["',=^`~]))$/;

/** `\x{…}` and `\N{name}` are about escapes. The letters of escapes that stand alone, as in `\n{name}`, are not. */
const ESCAPE = /\\(?![abfnrtv])[A-Za-z]$/;

/**
 * Entities, escapes and quoted literals are how a text is written: a translation may be written in another way.
 *
 */
export function readVariant(
  { nodes, form }: Variant,
  { syntax, hasNames, isManual }: Omit<CodeContext, 'hasDate'>,
): Shown {
  const dateParts = nodes.filter(isDatePart).length;
  const context = { hasDate: dateParts > 0, hasNames, isManual, syntax };
  let before = '';
  const compared = nodes.flatMap((node) => {
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

function isDatePart(node: MessageNode): boolean {
  return node.type === 'code' && node.kind === 'escape' && node.raw.startsWith('%');
}

/** The format strings of Qt and KDE, whose texts are shown as pages where they have tags. */
export function isOfQt(syntax: Syntax): boolean {
  return syntax === 'qt' || syntax === 'kde' || syntax === 'kde-kuit';
}

/** A command's name and its sign. */
const LONGEST_COMMAND = 22;

interface CodeContext {
  readonly hasDate: boolean;
  /** Whether arguments may have names. */
  readonly hasNames: boolean;
  readonly isManual: boolean;
  readonly syntax: Syntax;
}

/** @param before what stands in front of the code */
function isCompared({ kind, raw }: CodeNode, before: string, context: CodeContext): boolean {
  const { hasDate, hasNames, isManual, syntax } = context;
  if (kind === 'entity' || kind === 'escape' || kind === 'quoted') return false;
  // Placeholders of Qt are a percent sign and a number, and other percent signs are words.
  if (isOfQt(syntax) && /^%[^\dLn{(]/.test(raw)) return false;
  if (kind === 'printf') return !hasDate || !isShortConversion(raw);
  // `__important__` among conversions and in manuals is emphasis.
  if (raw.startsWith('__') && (isManual || directivesOf(syntax) !== undefined)) return false;
  if (kind !== 'argument' || !raw.endsWith('}')) return true;
  if (isTemplate(raw)) return false;
  const isOwn = syntax === 'ruby' && NAME_OF_RUBY.test(raw);
  if ((!hasNames || isManual) && !isOwn && (raw === '{}' || NAME_IN_BRACES.test(raw))) return false;
  // Where arguments are no names in braces, `{ or }` is about two braces.
  if (/^\{\s/.test(raw) && (/^\{\s+\}$/.test(raw) || directivesOf(syntax) !== undefined)) return false;
  const isOfCommand = COMMAND.test(before) && (raw === '{}' || NAME_IN_BRACES.test(raw));
  return hasBraces(syntax) && !isOfCommand && !ESCAPE.test(before) && ARGUMENT.test(raw);
}

/** The conversions between braces that are words: `{%u}`. */
function withoutBraces(node: MessageNode, syntax: Syntax): readonly MessageNode[] {
  if (node.type !== 'code' || !node.raw.startsWith('{') || !node.raw.includes('%') || hasBraces(syntax))
    return [];
  return parseValue(node.raw.slice(1), syntax).parts.flatMap(({ nodes }) => nodes);
}

/** The format strings of printf know no braces: there they are words about sets and blocks. */
function hasBraces(syntax: Syntax): boolean {
  const signs = directivesOf(syntax)?.signs;
  return signs !== '%' || syntax === 'ruby-printf';
}

/**
 * The argument that an id means, without its style, which the target language chooses, and without its number,
 * because people know which programs accept numbers.
 */
function meaningOf(id: string): string {
  if (id.endsWith(' numbered')) return meaningOf(id.slice(0, -' numbered'.length));
  const conversion = /^(%\d+\$)(?:[A-Za-z]*)?([diouxXeEfFgGaAcCsS])$/.exec(id);
  if (conversion)
    return `${conversion[1]}${id.slice(conversion[1]?.length ?? 0, -1)}${typeOf(conversion[2] ?? '')}`;
  if (id.endsWith(' in order')) return id.slice(0, -' in order'.length);
  // Laravel begins the argument with a capital for `:Name`, and writes it in capitals for `:NAME`.
  if (/^:[A-Za-z]/.test(id)) return id.toLowerCase();
  // Qt shows the same argument, with the digits and separators of the language.
  if (/^%L(?:\d|n)/.test(id)) return `%${id.slice(2)}`;
  // Both show any object, one of them with quotation marks.
  if (id.startsWith('~')) return id.replace(/s$/, 'a');
  const style = /^\{\{[^{}:,|]+(?=[:,|])/.exec(id)?.[0];
  if (style !== undefined) return `${style}}}`;
  const name = /^\{[^{},:!]+(?=[,:!])/.exec(id)?.[0];
  return name === undefined ? id : `${name}}`;
}

/** Conversions that take the same type, as msgfmt has it: hexadecimal digits may be large or small. */
function typeOf(letter: string): string {
  if ('ouxX'.includes(letter)) return 'u';
  if ('eEfFgGaA'.includes(letter)) return 'f';
  return letter === 'i' ? 'd' : letter;
}

/** The words and signs of a text as they stand, without plurals and choices. */
export function textOf({ nodes }: Shown): string {
  return nodes.map((node) => (node.type === 'complex' ? '' : node.raw)).join('');
}
