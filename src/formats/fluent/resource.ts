import {
  FluentParser,
  type Expression,
  type Message,
  type Pattern,
  type PatternElement,
  type Resource,
  type SelectExpression,
  type Term,
  type Variant,
} from '@fluent/syntax';
import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { refuseLoneReturns } from '../lines.ts';
import { isPluralCategory } from '../../text/plural.ts';

/** Limits the parser's recursion. Real messages never nest this deep. */
const MAX_DEPTH = 200;

/** The minimum number of characters in a part. */
const PART = 20_000;

export type FluentEntry = Message | Term;

/** A piece of the file and its offset. */
export interface ResourcePlace {
  readonly text: string;
  readonly start: number;
}

/** Whole entries of a file. Their spans are relative to the part's beginning. */
export interface ResourcePart extends ResourcePlace {
  /** Includes comments and junk: text that Fluent cannot parse and skips. */
  readonly body: Resource['body'];
}

/**
 * Parses a file in parts, because the parser's tree takes a hundred times the memory of its text.
 *
 * @param least the minimum number of characters in a part
 * @throws DragomanError `limit_exceeded` or `unreadable_input` with the place
 */
export function* readParts(text: string, least = PART): Iterable<ResourcePart> {
  refuseLoneReturns(text, 'Fluent');
  let start = 0;
  for (const end of endsOfParts(text, least)) {
    const part = text.slice(start, end);
    yield { text: part, start, body: parseBody(part) };
    start = end;
  }
}

/** Parses a text in one piece. */
export function parseBody(text: string): Resource['body'] {
  return new FluentParser({ withSpans: true }).parse(text).body;
}

export function isEntry(entry: Resource['body'][number] | undefined): entry is FluentEntry {
  return entry?.type === 'Message' || entry?.type === 'Term';
}

/**
 * An entry begins with a name or comment at the beginning of a line outside placeables. Any earlier text ends there,
 * even junk. A comment belongs to the entry after it.
 */
function* endsOfParts(text: string, least: number): Iterable<number> {
  let depth = 0;
  let start = 0;
  let isBelowComment = false;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (depth === 0 && (at === 0 || text.charCodeAt(at - 1) === 0x0a)) {
      if (at - start >= least && !isBelowComment && BEGINS_ENTRY.test(text.charAt(at))) {
        yield at;
        start = at;
      }
      isBelowComment = c === 0x23;
      // Braces in a comment do not open a placeable.
      if (isBelowComment) at = lineEnd(text, at) - 1;
      if (isBelowComment) continue;
    }
    if (c === 0x7d) depth = Math.max(0, depth - 1);
    else if (c === 0x22 && depth > 0) at = endOfLiteral(text, at);
    else if (c === 0x7b && ++depth > MAX_DEPTH) {
      throw new DragomanError('limit_exceeded', `placeables are nested deeper than ${MAX_DEPTH} levels`, {
        at: positionAt(text, at),
      });
    }
  }
  yield text.length;
}

const BEGINS_ENTRY = /[-#A-Za-z]/;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** The offset of the closing quote of a literal, or of the end of its line. */
function endOfLiteral(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const c = text.charAt(at);
    if (c === '"' || c === '\n') return at;
    if (c === '\\') at++;
  }
  return text.length;
}

/** The span of a node; the parser is configured to record spans. */
export function spanOf(node: { readonly span?: Span }): Span {
  if (!node.span) throw new RangeError('a node without a span');
  return node.span;
}

/** Converts a span within a part to a span of the file. */
export function shiftSpan({ start, end }: Span, part: ResourcePlace): Span {
  return { start: part.start + start, end: part.start + end };
}

/** Consecutive texts and placeables, and their place in the pattern. */
export interface PatternRun {
  readonly value: string;
  readonly span: Span;
  /** Whether the run begins, and ends, its pattern. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The place of the whole pattern. */
  readonly pattern: Span;
}

export interface PatternVisitor {
  /** @param select the expression that has the pattern as a variant, if the variant consists of this run alone */
  run(key: readonly string[], run: PatternRun, variant: VariantPlace | undefined): void;
}

export interface VariantPlace {
  readonly group: readonly string[];
  readonly category: string;
  /** See `PluralForm.single`. */
  readonly single: readonly string[] | undefined;
}

/** Attributes without words: a single letter of the label, or data for the program. */
const NO_TEXT = /^(?:accesskey|commandkey|key|style|class|href|src)$/;

/**
 * Visits all texts of a message in file order: its value and its attributes, with expressions split into their
 * variants.
 */
export function visitMessage(part: ResourcePlace, message: Message, visitor: PatternVisitor): void {
  if (message.value) visitPattern(part, message.value, [message.id.name], undefined, visitor);
  for (const { id, value } of message.attributes) {
    if (!NO_TEXT.test(id.name)) {
      visitPattern(part, value, [message.id.name, `.${id.name}`], undefined, visitor);
    }
  }
}

function visitPattern(
  part: ResourcePlace,
  pattern: Pattern,
  key: readonly string[],
  variant: VariantPlace | undefined,
  visitor: PatternVisitor,
): void {
  const { elements } = pattern;
  const isWhole = !elements.some((element) => selectIn(element));
  const names = new Map<string, number>();
  let selects = 0;
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i];
    const select = element && selectIn(element);
    if (select) {
      const base = part.text.slice(spanOf(select.selector).start, spanOf(select.selector).end);
      const count = (names.get(base) ?? 0) + 1;
      names.set(base, count);
      selects++;
      const group = [...key, count === 1 ? base : `${base} ${count}`];
      visitVariants(part, select, group, elements.length === 1 ? key : undefined, visitor);
      continue;
    }
    const start = i;
    while (i + 1 < elements.length && !selectIn(elements[i + 1])) i++;
    const run = runOf(part, pattern, start, i);
    if (run && isWhole) visitor.run(key, run, variant);
    else if (run && !run.value.includes('\n')) visitor.run([...key, String(selects)], run, undefined);
  }
}

function visitVariants(
  part: ResourcePlace,
  select: SelectExpression,
  group: readonly string[],
  single: readonly string[] | undefined,
  visitor: PatternVisitor,
): void {
  const isPlural = isPluralSelect(select);
  for (const { key, value } of select.variants) {
    const name = keyOf(key);
    const place = isPlural && key.type === 'Identifier' ? { group, category: name, single } : undefined;
    visitPattern(part, value, [...group, name], place, visitor);
  }
}

export function keyOf(key: Variant['key']): string {
  return key.type === 'Identifier' ? key.name : key.value;
}

/** The select expression of an element; undefined unless the element is a placeable with one. */
export function selectIn(element: PatternElement | undefined): SelectExpression | undefined {
  if (element?.type !== 'Placeable') return undefined;
  return element.expression.type === 'SelectExpression' ? element.expression : undefined;
}

/** Whether the variants are plural categories, each with its own text. */
export function isPluralSelect({ selector, variants }: SelectExpression): boolean {
  if (selector.type === 'FunctionReference') {
    const isOrdinal = selector.arguments.named.some(({ name }) => name.name === 'type');
    if (selector.id.name !== 'NUMBER' || isOrdinal) return false;
  } else if (selector.type !== 'VariableReference') return false;
  const named = variants.filter(({ key }) => key.type === 'Identifier');
  return (
    named.every(({ key }) => isPluralCategory(keyOf(key))) &&
    named.some(({ key }) => keyOf(key) === 'other') &&
    variants.every(({ value }) => value.elements.every((element) => !selectIn(element)))
  );
}

/** Undefined if the run has no words, or contains something that cannot be separated from them. */
function runOf(part: ResourcePlace, pattern: Pattern, from: number, to: number): PatternRun | undefined {
  const { text } = part;
  const elements = pattern.elements.slice(from, to + 1);
  const [first] = elements;
  const last = elements.at(-1);
  if (!first || !last || !elements.some(({ type }) => type === 'TextElement')) return undefined;
  let value = '';
  for (const element of elements) {
    if (element.type === 'TextElement') value += element.value;
    else {
      const raw = text.slice(spanOf(element).start, spanOf(element).end);
      // A quoted text is shown whole; an expression that takes it as an argument is not.
      const isLiteral = element.expression.type === 'StringLiteral' && raw.length < 200;
      if (/[\r\n]/.test(raw) || (!isLiteral && hasBraces(element.expression))) return undefined;
      value += raw;
    }
  }
  const { start } = from === 0 ? spanOf(pattern) : spanOf(first);
  let { end } = spanOf(last);
  const isLast = to === pattern.elements.length - 1;
  if (isLast && last.type === 'TextElement') while (/[ \r\n]/.test(text.charAt(end - 1))) end--;
  const raw = text.slice(start, end);
  return {
    // The parser concatenates character by character, which makes a string take a hundred times its length.
    value: value === raw ? raw : value,
    span: shiftSpan({ start, end }, part),
    isFirst: from === 0,
    isLast,
    pattern: shiftSpan(spanOf(pattern), part),
  };
}

/** Whether a quoted text holds a brace, which would look like the end of the placeable. */
function hasBraces(expression: Expression): boolean {
  if (expression.type === 'StringLiteral') return /[{}]/.test(expression.value);
  if (expression.type === 'Placeable') return hasBraces(expression.expression);
  if (expression.type === 'SelectExpression') return true;
  if (expression.type !== 'FunctionReference' && expression.type !== 'TermReference') return false;
  const { positional = [], named = [] } = expression.arguments ?? {};
  return (
    positional.some(hasBraces) ||
    named.some(({ value }) => value.type === 'StringLiteral' && /[{}]/.test(value.value))
  );
}
