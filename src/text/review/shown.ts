import { directivesOf } from '../directives.ts';
import { identify, type Inventory } from '../inventory.ts';
import type { CodeNode, MessageNode } from '../node.ts';
import type { Syntax } from '../syntax.ts';
import type { PluralBranch, Variant } from './variants.ts';

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

/** A conversion that is a part of a date among parts of a date: `%d` in `%d.%m.%Y`. */
export function isShortConversion(raw: string): boolean {
  return /^%[-_0^#]?[a-zA-Z]$/.test(raw);
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

/**
 * Entities, escapes and quoted literals are how a text is written: a translation may be written in another way.
 *
 * @param hasNames whether arguments may have names
 */
export function readVariant({ nodes, form }: Variant, syntax: Syntax, hasNames: boolean): Shown {
  const dateParts = nodes.filter(isDatePart).length;
  const isNumbered = isOfQt(syntax);
  const context = { hasDate: dateParts > 0, hasBraces: hasBraces(syntax), hasNames, isNumbered };
  const compared = nodes.filter(
    (node, at) => node.type !== 'code' || isCompared(node, nodes[at - 1], context),
  );
  const inventory = identify(compared, syntax, undefined);
  const codes = new Map<string, string>();
  for (const [id, { raw }] of inventory.codes) codes.set(meaningOf(id), raw);
  return { nodes, form, codes, inventory, dateParts };
}

function isDatePart(node: MessageNode): boolean {
  return node.type === 'code' && node.kind === 'escape' && node.raw.startsWith('%');
}

/** The format strings of Qt and KDE, whose texts are shown as pages where they have tags. */
export function isOfQt(syntax: Syntax): boolean {
  return syntax === 'qt' || syntax === 'kde' || syntax === 'kde-kuit';
}

interface CodeContext {
  readonly hasDate: boolean;
  readonly hasBraces: boolean;
  readonly hasNames: boolean;
  /** Placeholders are a percent sign and a number, and other percent signs are words. */
  readonly isNumbered: boolean;
}

function isCompared({ kind, raw }: CodeNode, before: MessageNode | undefined, context: CodeContext): boolean {
  if (kind === 'entity' || kind === 'escape' || kind === 'quoted') return false;
  if (context.isNumbered && /^%[^\dLn{(]/.test(raw)) return false;
  if (kind === 'printf') return !context.hasDate || !isShortConversion(raw);
  if (kind !== 'argument' || !raw.endsWith('}')) return true;
  if (isTemplate(raw)) return false;
  if (!context.hasNames && NAME_IN_BRACES.test(raw)) return false;
  // `\x{…}` and `\N{name}` are about escapes.
  const isEscape = before?.type === 'text' && /\\[A-Za-z]$/.test(before.raw);
  return context.hasBraces && !isEscape && ARGUMENT.test(raw) && !/^\{\s+\}$/.test(raw);
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
  // Both show any object, one of them with quotation marks.
  if (id.startsWith('~')) return id.replace(/s$/, 'a');
  const style = /^\{\{[^{}:,|]+(?=[:,|])/.exec(id)?.[0];
  if (style !== undefined) return `${style}}}`;
  const comma = /^\{[^{,]+,/.exec(id)?.[0];
  return comma === undefined ? id : `${comma.slice(0, -1)}}`;
}

/** Conversions that take the same type, as msgfmt has it: hexadecimal digits may be large or small. */
function typeOf(letter: string): string {
  if ('ouxX'.includes(letter)) return 'u';
  if ('eEfFgGaA'.includes(letter)) return 'f';
  return letter === 'i' ? 'd' : letter;
}
