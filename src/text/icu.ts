import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  parse,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';
import { grammarOf, type Grammar } from './grammar.ts';
import { hideMarkup, quotesWords } from './complex.ts';
import { joinLinks, joinTags } from './join.ts';
import { TOP, type Branch, type ComplexNode, type MessageNode, type WordContext } from './node.ts';
import { openVoidTags } from './tag.ts';
import { scanQuoted } from './quotes.ts';
import { scanText, type ScanFindings } from './scan.ts';

/** Limits recursion: no author nests messages deeper than this. */
const MAX_DEPTH = 50;

type IcuElements = readonly MessageFormatElement[];

/** Parses an ICU message into nodes, or returns its error. `host` is the syntax of its file. */
export function parseIcu(
  source: string,
  host: Grammar['syntax'],
): { readonly nodes: readonly MessageNode[] } | { readonly problem: string } {
  if (depthOf(source) > 2 * MAX_DEPTH) return { problem: `nested more than ${MAX_DEPTH} levels deep` };
  let elements: IcuElements;
  try {
    elements = parse(hideMarkup(source, host), {
      captureLocation: true,
      // Tags are found as in every other syntax, because messages for other ICU libraries have attributes in them.
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
export function parseComplex(
  source: string,
  host: Grammar['syntax'],
): ComplexNode | { readonly problem: string } {
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
