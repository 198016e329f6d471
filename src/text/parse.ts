import { mayHaveComplex, quotesWords, hideMarkup } from './complex.ts';
import { grammarOf, type Grammar } from './grammar.ts';
import { joinLinks, joinTags } from './join.ts';
import {
  type MessageNode,
  type MessagePart,
  TOP,
  pushText,
  sourceOf,
  type Branch,
  type ComplexNode,
  type WordContext,
} from './node.ts';
import { scanQuoted } from './quotes.ts';
import { type ScanFindings, scanText } from './scan.ts';
import { openVoidTags, pairTags } from './tag.ts';
import type { Syntax } from './syntax.ts';
import type { Span } from '../base/span.ts';
import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  parse,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';

export interface Parsed {
  readonly parts: readonly MessagePart[];
  /** How the value quotes words. */
  readonly quoting: Quoting;
  readonly problem?: string;
}

/** The apostrophe rules outside branches. */
export type Quoting = 'none' | 'icu' | 'java';

/** Whether a value consists of words only: a fast check that most values pass. */
export function isPlain(value: string, syntax: Syntax): boolean {
  return !grammarOf(syntax).special.test(value);
}

/** Parses a value. Never throws: an invalid value has a `problem` and is a single text. */
export function parseValue(value: string, syntax: Syntax): Parsed {
  return isPlain(value, syntax)
    ? plain(value, syntax === 'icu' ? 'icu' : 'none')
    : parseSpecial(value, syntax);
}

/** The first declaration or the matcher of a message with variants; messages without them are texts with placeholders. */
const MESSAGE_FORMAT_2 = /^\s*\.(?:input\s*\{\s*\$|local\s+\$|match\s+\$)/;

/** Same as {@link parseValue}, for a value that is known not to be plain. */
export function parseSpecial(value: string, syntax: Syntax): Parsed {
  if (syntax === 'plain' && MESSAGE_FORMAT_2.test(value))
    return broken(value, 'MessageFormat 2 declarations are not supported');
  const grammar = grammarOf(syntax);
  const mayBeIcu =
    (syntax === 'plain' || syntax === 'symfony' || syntax === 'angular') && mayHaveComplex(value);
  if (syntax === 'icu' || mayBeIcu) {
    const parsed = parseIcu(value, syntax);
    if ('nodes' in parsed) return single(parsed.nodes, quotesWords(syntax) ? 'icu' : 'none');
    if (syntax === 'icu') return broken(value, parsed.problem);
  }
  const nodes: MessageNode[] = [];
  const findings: ScanFindings = { value };
  const readComplex = (source: string): ReturnType<typeof parseComplex> => parseComplex(source, syntax);
  const quoting = syntax === 'java' && hasArguments(value) ? 'java' : 'none';
  if (quoting === 'java') scanQuoted(value, grammar, TOP, nodes, findings, readComplex);
  else scanText(value, grammar, nodes, findings, readComplex);
  if (findings.problem !== undefined) return broken(value, findings.problem);
  const joined = sealCode(openVoidTags(joinLinks(nodes)), syntax);
  if (syntax === 'xliff') return single(joined, quoting);
  if (syntax === 'markup') return single(setAside(joined), quoting);
  if (syntax !== 'vue' && syntax !== 'laravel') return single(joined, quoting);
  const parts = splitBranches(joined);
  return { parts: syntax === 'laravel' ? withLabels(parts, value) : parts, quoting };
}

function plain(value: string, quoting: Quoting): Parsed {
  return single(value === '' ? [] : [{ type: 'text', raw: value, text: value }], quoting);
}

function single(nodes: readonly MessageNode[], quoting: Quoting): Parsed {
  return { parts: [{ separator: '', nodes }], quoting };
}

function broken(value: string, problem: string): Parsed {
  return { ...single([{ type: 'text', raw: value, text: value }], 'none'), problem };
}

/**
 * java.text.MessageFormat is only applied to values with arguments; others are displayed unchanged, including
 * apostrophes.
 */
function hasArguments(value: string): boolean {
  return /\{\s*\w+\s*[,}]/.test(value);
}

/** The branches of `a | b`: every bar among the words is a separator, including the spaces around it. */
function splitBranches(nodes: readonly MessageNode[]): readonly MessagePart[] {
  const parts: { separator: string; nodes: MessageNode[] }[] = [{ separator: '', nodes: [] }];
  for (const node of nodes) {
    if (node.type !== 'text') {
      parts.at(-1)?.nodes.push(node);
      continue;
    }
    node.raw.split('|').forEach((piece, i) => {
      if (i > 0) parts.push({ separator: '|', nodes: [] });
      const part = parts.at(-1);
      if (part) pushText(part.nodes, piece);
    });
  }
  return parts;
}

/** The label that Symfony strips from a branch, which tells translators the branch's number. */
const LABEL = /^(\s*([a-z]\w*):)(?=\s)/;
const LABELS: ReadonlySet<string> = new Set(
  'zero none one two few some several many more other others'.split(' '),
);

/** Moves the labels into the separators if all branches without numbers have one: `one: …|some: …`. */
function withLabels(parts: readonly MessagePart[], value: string): readonly MessagePart[] {
  const hasCount = /%count%/i.test(value);
  const labels = parts.map(({ nodes: [first] }) => {
    const [, label, word = ''] = (first?.type === 'text' && LABEL.exec(first.raw)) || [];
    return hasCount || LABELS.has(word) ? label : undefined;
  });
  const isBranch = ({ nodes: [first] }: MessagePart, i: number): boolean =>
    labels[i] !== undefined || (first !== undefined && NUMBERS.test(sourceOf([first])));
  if (parts.length < 2 || labels.every((label) => label === undefined) || !parts.every(isBranch))
    return parts;
  return parts.map((part, i) => {
    const [first, ...others] = part.nodes;
    const label = labels[i];
    if (label === undefined || first?.type !== 'text') return part;
    const nodes: MessageNode[] = [];
    pushText(nodes, first.raw.slice(label.length));
    return { separator: part.separator + label, nodes: [...nodes, ...others] };
  });
}

/** `{0}`, `[1,19]` and similar notations. */
const NUMBERS = /^\s*[{[\]]/;

/**
 * The syntax in a value: placeholders, tags, escapes, and ICU arguments without their branches. In order, disjoint,
 * with adjacent ones joined. An invalid value consists of words only.
 */
export function findSyntax(value: string, syntax: Syntax): readonly Span[] {
  if (isPlain(value, syntax)) return [];
  const collector = new SpanCollector();
  for (const { separator, nodes } of parseValue(value, syntax).parts) {
    collector.skip(separator.length, true);
    collect(nodes, collector);
  }
  return collector.spans;
}

function collect(nodes: readonly MessageNode[], collector: SpanCollector): void {
  for (const node of nodes) {
    if (node.type === 'close' && node.aside) {
      collector.skip(node.aside.head.length, true);
      collect(node.aside.nodes, collector);
      collector.skip(node.aside.tail.length, true);
      continue;
    }
    if (node.type !== 'complex') {
      collector.skip(node.raw.length, node.type !== 'text');
      continue;
    }
    collector.skip(node.head.length, true);
    for (const { lead, selector, gap, body } of node.branches) {
      collector.skip(lead.length + selector.length + gap.length + 1, true);
      collect(body, collector);
      collector.skip(1, true);
    }
    collector.skip(node.tail.length, true);
  }
}

class SpanCollector {
  readonly spans: { start: number; end: number }[] = [];
  #at = 0;

  skip(length: number, isSyntax: boolean): void {
    const start = this.#at;
    this.#at += length;
    if (!isSyntax || length === 0) return;
    const last = this.spans.at(-1);
    if (last?.end === start) last.end = this.#at;
    else this.spans.push({ start, end: this.#at });
  }
}

/** The element with the title of a link or image, at the end of its pair. */
const LINK_TITLE = 'link-title';

/** Makes titles part of the following end tag: a sentence is translated without them. */
function setAside(nodes: readonly MessageNode[]): readonly MessageNode[] {
  if (!nodes.some((node) => node.type === 'open' && node.name === LINK_TITLE)) return nodes;
  const pairs = pairTags(nodes);
  const kept: MessageNode[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    const end = pairs.get(i) ?? 0;
    const behind = nodes[end + 1];
    if (node?.type === 'open' && node.name === LINK_TITLE && behind?.type === 'close' && pairs.has(end + 1)) {
      const aside = {
        head: node.raw,
        nodes: nodes.slice(i + 1, end),
        tail: sourceOf(nodes.slice(end, end + 2)),
      };
      kept.push({ ...behind, raw: aside.head + sourceOf(aside.nodes) + aside.tail, aside });
      i = end + 1;
    } else if (node) kept.push(node);
  }
  return kept;
}

/** XLIFF 1.2: elements whose content is native code, including the texts in it (`sub`). */
const NATIVE_CODE = /^(?:[\w-]+:)?(?:bpt|ept|it|ph)$/;

const PROTECTED = /^<(?:[\w-]+:)?mrk\b[^>]*?\s(?:mtype\s*=\s*["']protected["']|translate\s*=\s*["']no["'])/;

/** Pronunciations, above words or in parentheses. */
const READING = /^(?:rp|rt|rtc)$/i;

/** Turns every inline element with untranslatable content into one code. */
function sealCode(nodes: readonly MessageNode[], syntax: Syntax): readonly MessageNode[] {
  const isSealed = syntax === 'xliff' ? isSealedInXliff : isReading;
  if (!nodes.some(isSealed)) return nodes;
  const pairs = pairTags(nodes);
  const sealed: MessageNode[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node) continue;
    const partner = isSealed(node) ? pairs.get(i) : undefined;
    if (partner === undefined) {
      sealed.push(node);
      continue;
    }
    sealed.push({ type: 'code', raw: sourceOf(nodes.slice(i, partner + 1)), kind: 'tag' });
    i = partner;
  }
  return sealed;
}

function isReading(node: MessageNode): boolean {
  return node.type === 'open' && READING.test(node.name);
}

function isSealedInXliff(node: MessageNode): boolean {
  return node.type === 'open' && (NATIVE_CODE.test(node.name) || PROTECTED.test(node.raw));
}

/** Limits recursion: authors never nest messages more deeply. */
const MAX_DEPTH = 50;

type IcuElements = readonly MessageFormatElement[];

/** Parses an ICU message into nodes, or returns its error. `host` is the syntax of its file. */
function parseIcu(
  source: string,
  host: Grammar['syntax'],
): { readonly nodes: readonly MessageNode[] } | { readonly problem: string } {
  if (depthOf(source) > 2 * MAX_DEPTH) return { problem: `nested more than ${MAX_DEPTH} levels deep` };
  let elements: IcuElements;
  try {
    elements = parse(hideMarkup(source, host), {
      captureLocation: true,
      // Tags are found as in any other syntax, because messages for other ICU libraries have attributes in tags.
      ignoreTag: true,
      requiresOtherClause: false,
      shouldParseSkeletons: false,
    });
  } catch (error) {
    return { problem: problemOf(error) };
  }
  const scan: IcuScan = { source, grammar: grammarOf(host, false), findings: { value: source } };
  const nodes = read(scan, elements, TOP);
  return scan.findings.problem === undefined ? { nodes } : { problem: scan.findings.problem };
}

/** Parses `source`, an argument with branches from brace to brace. */
function parseComplex(source: string, host: Grammar['syntax']): ComplexNode | { readonly problem: string } {
  const parsed = parseIcu(source, host);
  if ('problem' in parsed) return parsed;
  const node = parsed.nodes[0];
  if (node?.type === 'complex' && parsed.nodes.length === 1) return node;
  return { problem: 'not an ICU argument' };
}

interface IcuScan {
  readonly source: string;
  readonly grammar: Grammar;
  readonly findings: ScanFindings;
}

function read(scan: IcuScan, elements: IcuElements, context: WordContext): readonly MessageNode[] {
  const nodes: MessageNode[] = [];
  for (const element of elements) {
    const raw = scan.source.slice(element.location?.start.offset, element.location?.end.offset);
    if (isLiteralElement(element)) {
      readLiteral(scan, raw, context, nodes);
    } else if (isPoundElement(element)) nodes.push({ type: 'code', raw, kind: 'pound' });
    else if (isPluralElement(element) || isSelectElement(element)) {
      nodes.push(readComplex(scan, element));
    } else nodes.push({ type: 'code', raw, kind: 'argument' });
  }
  return openVoidTags(joinLinks(joinTags(nodes, scan.grammar.syntax)));
}

function readLiteral(
  { grammar, findings }: IcuScan,
  raw: string,
  context: WordContext,
  nodes: MessageNode[],
): void {
  const refuse = (): { readonly problem: string } => ({ problem: 'misplaced brace' });
  if (quotesWords(grammar.syntax)) scanQuoted(raw, grammar, context, nodes, findings, refuse);
  else scanText(raw, grammar, nodes, findings, refuse);
}

type ComplexElement = Extract<MessageFormatElement, { options: unknown }>;

function readComplex(scan: IcuScan, element: ComplexElement): ComplexNode {
  const { source } = scan;
  const start = element.location?.start.offset ?? 0;
  const end = element.location?.end.offset ?? source.length;
  const style = isSelectElement(element)
    ? 'select'
    : element.pluralType === 'ordinal'
      ? 'selectordinal'
      : 'plural';
  const context: WordContext = { nested: true, pound: style !== 'select' };
  const options = Object.entries(element.options)
    .map(([selector, option]) => ({
      selector,
      elements: option.value,
      open: option.location?.start.offset ?? start,
      close: option.location?.end.offset ?? end,
    }))
    .sort((a, b) => a.open - b.open);
  let head = '';
  let at = start;
  const branches = options.map((option, i): Branch => {
    const before = source.slice(at, option.open);
    const selectorAt = before.lastIndexOf(option.selector);
    let lead = before.slice(0, selectorAt);
    if (i === 0) {
      head = lead.trimEnd();
      lead = lead.slice(head.length);
    }
    at = option.close;
    return {
      lead,
      selector: option.selector,
      gap: before.slice(selectorAt + option.selector.length),
      body: read(scan, option.elements, context),
    };
  });
  return { type: 'complex', argument: element.value, style, head, branches, tail: source.slice(at, end) };
}

/** The deepest nesting of braces, including quoted ones. */
function depthOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < source.length; i++) {
    const c = source.charCodeAt(i);
    if (c === 123) deepest = Math.max(deepest, ++depth);
    else if (c === 125) depth--;
  }
  return deepest;
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'not a message';
  const what = error.message.toLowerCase().replaceAll('_', ' ');
  const offset = offsetIn('location' in error ? error.location : undefined);
  return offset === undefined ? what : `${what} at character ${offset + 1}`;
}

function offsetIn(location: unknown): number | undefined {
  if (typeof location !== 'object' || location === null || !('start' in location)) return undefined;
  const { start } = location;
  if (typeof start !== 'object' || start === null || !('offset' in start)) return undefined;
  return typeof start.offset === 'number' ? start.offset : undefined;
}
