import { quotesWords } from './complex.ts';
import { directivesOf } from './directives.ts';
import type { CodeNode, WordContext } from './node.ts';
import type { Quoting } from './parse.ts';
import type { PatternPlan, PlannedNode, SegmentPlan } from './plan.ts';
import { isXmlSource, type Syntax } from './syntax.ts';
import { type TaggedText, type Token, tokenize } from './tagged.ts';

/** Writes a plan with the translations of its segments, by index. */
export function writePattern(
  plan: PatternPlan,
  translations: readonly TaggedText[],
  style: WordStyle,
): string {
  const write = (item: PlannedNode): string => writeItem(item, translations, style);
  const lead = writeAll(plan.lead, write);
  const trail = writeAll(plan.trail, write);
  const { segment } = plan;
  if (!segment) return lead + trail;
  const translation = translations[segment.index];
  if (translation === undefined) throw new RangeError(`segment ${segment.index} has no translation`);
  if (translation === segment.tagged) return lead + writeAll(segment.items, write) + trail;
  const end = trail !== '' ? trail : plan.context.nested ? '}' : '';
  return lead + writeTranslation(translation, segment, { plan, write, lead, end, style }) + trail;
}

interface SegmentSurroundings {
  readonly plan: PatternPlan;
  readonly write: (item: PlannedNode) => string;
  readonly lead: string;
  readonly end: string;
  readonly style: WordStyle;
}

function writeTranslation(
  translation: TaggedText,
  segment: SegmentPlan,
  around: SegmentSurroundings,
): string {
  const tokens = tokenize(translation);
  if (!tokens) throw new RangeError('a translation is not well-formed tagged text');
  const numbered = numberReordered(tokens, segment.placeholders, around.style.syntax);
  const writeCode = (token: Exclude<Token, { type: 'words' }>): string => {
    const number = token.type === 'placeholder' ? numbered?.get(token.id) : undefined;
    return number ?? writePlaceholder(token, segment.placeholders.get(token.id) ?? [], around.write);
  };
  let value = '';
  // The end is kept separately: reading the end of a growing string copies the entire string each time.
  let last = around.lead.at(-1) ?? '';
  let next: string | undefined;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token) break;
    let text: string;
    if (token.type === 'words') {
      const behind = tokens[i + 1];
      next = behind && behind.type !== 'words' ? writeCode(behind) : undefined;
      const near: Neighbours = { before: last, after: (next ?? around.end)[0] ?? '' };
      text = escapeWords(token.text, around.style, around.plan.context, near);
    } else {
      text = next ?? writeCode(token);
      next = undefined;
    }
    value += text;
    last = text.at(-1) ?? last;
  }
  return value;
}

/** The source of a token: a whole placeholder, or one end of a pair. */
function writePlaceholder(
  { type }: Token,
  nodes: readonly PlannedNode[],
  write: (item: PlannedNode) => string,
): string {
  const [first] = nodes;
  const last = nodes.at(-1);
  if (!first || !last) return '';
  if (type === 'open' || first === last) return write(first);
  return type === 'close' ? write(last) : writeAll(nodes, write);
}

function writeAll(items: readonly PlannedNode[], write: (item: PlannedNode) => string): string {
  let text = '';
  for (const item of items) text += write(item);
  return text;
}

function writeItem(item: PlannedNode, translations: readonly TaggedText[], style: WordStyle): string {
  if (item.type === 'aside') return item.head + writePattern(item.pattern, translations, style) + item.tail;
  if (item.type !== 'plan') return item.raw;
  return item.parts
    .map((part) => (typeof part === 'string' ? part : writePattern(part, translations, style)))
    .join('');
}

/**
 * Placeholders that take the next argument (`%s`, `{}`) change their meaning when a translation reorders them. They are
 * numbered if the syntax certainly supports it: `%2$s of %1$s`. Otherwise only one is numbered, which verification
 * rejects; then the words between the placeholders are translated separately, in the original order.
 *
 * @returns the new spelling by id; undefined in the original order
 */
function numberReordered(
  tokens: readonly Token[],
  placeholders: ReadonlyMap<number, readonly PlannedNode[]>,
  syntax: Syntax,
): ReadonlyMap<number, string> | undefined {
  // Most texts have at most one placeholder.
  if (placeholders.size < 2) return undefined;
  const ids: number[] = [];
  for (const token of tokens) {
    if (token.type === 'placeholder' && sequentialIn(placeholders.get(token.id))) ids.push(token.id);
  }
  if (ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0))) return undefined;
  const numbered = new Map<number, string>();
  const inOrder = [...ids].sort((a, b) => a - b);
  inOrder.forEach((id, position) => {
    const code = sequentialIn(placeholders.get(id));
    if (code) numbered.set(id, withNumber(code.raw, position, syntax));
  });
  const raws = inOrder.map((id) => sequentialIn(placeholders.get(id))?.raw ?? '');
  if (canNumber(syntax, raws)) return numbered;
  const first = ids[0] ?? 0;
  return new Map([[first, numbered.get(first) ?? '']]);
}

function sequentialIn(items: readonly PlannedNode[] | undefined): CodeNode | undefined {
  const [item] = items ?? [];
  if (items?.length !== 1 || item?.type !== 'code') return undefined;
  if (item.kind === 'printf') return /^%(?:\d+[$:]|n$|arg$)/.test(item.raw) ? undefined : item;
  return item.kind === 'argument' && /^\{\s*[:!}]/.test(item.raw) ? item : undefined;
}

/** printf counts from 1; braces and Pascal count from 0. Lisp first jumps to the argument. */
function withNumber(raw: string, position: number, syntax: Syntax): string {
  if (raw.startsWith('~')) return `~${position}@*${raw}`;
  if (!raw.startsWith('%')) return `{${position}${raw.slice(1).trimStart()}`;
  if (directivesOf(syntax)?.numbers === ':') return `%${position}:${raw.slice(1)}`;
  return `%${position + 1}$${raw.slice(1)}`;
}

/** msgfmt accepts argument numbers in these, but some implementations do not: other awks, printf outside POSIX. */
const UNSURE: ReadonlySet<Syntax> = new Set<Syntax>(['c', 'awk']);

function canNumber(syntax: Syntax, raws: readonly string[]): boolean {
  const braces = raws.every((raw) => raw.startsWith('{'));
  if (syntax === 'python-brace') return braces;
  if (UNSURE.has(syntax)) return false;
  if (syntax !== 'apple' && syntax !== 'android' && !directivesOf(syntax)?.numbers) return false;
  return raws.every((raw) => raw.startsWith('%') && !/[*|<]/.test(raw));
}

/** How one value escapes words, derived once from the value. */
export interface WordStyle {
  readonly syntax: Syntax;
  readonly quoting: Quoting;
  /** The format character that is doubled to represent itself, `%%` or `~~`; otherwise empty. */
  readonly doubled: string;
  /** Vue: a literal `@` is written `{'@'}`, unless the value's author writes it bare. */
  readonly literals: boolean;
  /** ICU: words in angle brackets stay bare, as in the value. */
  readonly bareAngles: boolean;
  /** XML source: `>` is written `&gt;`, as in the value. */
  readonly greater: boolean;
}

/** The characters on both sides of words, as written; empty at the ends of the value. */
interface Neighbours {
  readonly before: string;
  readonly after: string;
}

/**
 * Escapes words so that they are read as exactly these words at their place. Only changes characters that require it.
 */
export function escapeWords(words: string, style: WordStyle, context: WordContext, near: Neighbours): string {
  const text = escapeSyntax(words, style, context.nested);
  const isQuoted = context.nested ? quotesWords(style.syntax) : style.quoting === 'icu';
  if (isQuoted) return quoteIcu(text, context, near, style.bareAngles);
  return style.quoting === 'java' ? quoteJava(text) : text;
}

function escapeSyntax(words: string, style: WordStyle, nested: boolean): string {
  const { syntax, doubled } = style;
  const text = doubled === '' ? words : words.replaceAll(doubled, doubled + doubled);
  if (isXmlSource(syntax)) {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;');
    return style.greater ? escaped.replaceAll('>', '&gt;') : escaped;
  }
  if (syntax === 'chrome') return text.replaceAll('$', '$$$$');
  // Inside an ICU argument, braces are ICU syntax.
  if (nested) return text;
  if (syntax === 'python-brace' || syntax === 'csharp') return text.replace(/[{}]/g, '$&$&');
  if (syntax === 'vue') return text.replace(style.literals ? /[{}@|]/g : /[{}|]/g, "{'$&'}");
  return text;
}

/** Runs of special characters: apostrophes are only doubled, and syntax only quoted, if necessary. */
const ICU_RUN = /['{}<>]+/g;
const ICU_PLURAL_RUN = /['{}<>#]+/g;

function quoteIcu(text: string, context: WordContext, near: Neighbours, bareAngles: boolean): string {
  return text.replace(context.pound ? ICU_PLURAL_RUN : ICU_RUN, (run, at: number) => {
    const end = at + run.length;
    const after = end < text.length ? (text[end] ?? '') : near.after;
    const before = at > 0 ? '' : near.before;
    if (needsQuotes(run, after, bareAngles)) return `'${run.replaceAll("'", "''")}'`;
    const alone = run === "'" && !"'{}<>#|".includes(after || ' ') && before !== "'";
    return alone ? run : run.replaceAll("'", "''");
  });
}

function needsQuotes(run: string, after: string, bareAngles: boolean): boolean {
  if (/[{}#]/.test(run)) return true;
  return !bareAngles && run.endsWith('<') && /[A-Za-z0-9/!?]/.test(after);
}

function quoteJava(text: string): string {
  return text.replace(/['{}]+/g, (run) => {
    const doubled = run.replaceAll("'", "''");
    return /[{}]/.test(run) ? `'${doubled}'` : doubled;
  });
}
