import { matchBrackets } from './brackets.ts';
import type { Grammar } from './grammar.ts';
import { isXmlSource } from './syntax.ts';
import { findComplex, hideMarkup, isFormattable } from './complex.ts';
import { findMarkdownLinks, LINK, type MarkdownLinks } from './markdown.ts';
import { pushText, type CodeKind, type MessageNode } from './node.ts';
import { closingsIn, TagScanner } from './tag.ts';

/** A scan's results besides its nodes. */
export interface ScanFindings {
  /** The whole value, of which the text may be a part. */
  readonly value: string;
  /** Set if a text looks like an argument with branches but is malformed: the value must not be translated. */
  problem?: string;
  /** The names of the end tags in the value; computed on first use. */
  closings?: ReadonlySet<string>;
}

/**
 * Codes of a Minecraft book that display a value or lead elsewhere. All others are formats, which may differ by
 * language.
 */
const VALUE_IN_BOOK = /^\$\((?:[klc]:|playername)/;

/** Parses an ICU argument with branches, or returns its problem. */
export type ReadComplex = (source: string) => MessageNode | { readonly problem: string };

/** The maximum number of malformed arguments: the search for each may reach the end of the value. */
const MAX_UNREADABLE = 32;

interface Scan {
  readonly text: string;
  readonly grammar: Grammar;
  readonly nodes: MessageNode[];
  readonly findings: ScanFindings;
  readonly readComplex: ReadComplex;
  /** Number of malformed arguments with branches: after a limit, no more are searched, so that time stays linear. */
  unreadable: number;
  /** The text as the ICU parser must see it. */
  readable?: string;
  tags?: TagScanner;
  braces?: ReadonlyMap<number, number>;
  parentheses?: ReadonlyMap<number, number>;
  links?: MarkdownLinks;
}

/** Appends the nodes of `text`: words and syntax. One pass; never splits a surrogate pair. */
export function scanText(
  text: string,
  grammar: Grammar,
  nodes: MessageNode[],
  findings: ScanFindings,
  readComplex: ReadComplex,
): void {
  const scan: Scan = { text, grammar, nodes, findings, readComplex, unreadable: 0 };
  const tokens = grammar.tokensFor(text);
  let at = 0;
  let from = 0;
  while (from < text.length) {
    tokens.lastIndex = from;
    const match = tokens.exec(text);
    if (!match) break;
    const found = readToken(scan, match[0], match.index);
    if (!found) {
      from = match.index + 1;
      continue;
    }
    pushText(nodes, text.slice(at, match.index));
    if (found.node.type === 'text') pushText(nodes, found.node.raw, found.node.text);
    else nodes.push(found.node);
    at = found.end;
    from = at;
    if (findings.problem !== undefined) return;
  }
  pushText(nodes, text.slice(at));
}

interface ScannedNode {
  readonly node: MessageNode;
  readonly end: number;
}

function readToken(scan: Scan, token: string, start: number): ScannedNode | undefined {
  const code = (kind: CodeKind, raw = token): ScannedNode => ({
    node: { type: 'code', raw, kind },
    end: start + raw.length,
  });
  switch (token.charAt(0)) {
    case '<':
      return (scan.tags ??= tagsOf(scan)).read(start);
    case '&':
      return readEntity(scan, token, start) ?? code('entity');
    case '\\':
      return code('escape');
    case '_':
    case '`':
      return code('argument');
    case '[':
    case '!':
    case ']':
      return token.length > 2 ? code('argument') : readMarkdown(scan, token, start);
    case ':':
      return code('argument');
    case '}':
      return code('literal');
    case '%':
      if (token === '%%') return code('literal');
      if (token === '%{') return readBraces(scan, token, start);
      return code(kindOf(token, scan.grammar));
    case '~':
      return code(token === '~~' ? 'literal' : kindOf(token, scan.grammar));
    case '$':
      if (token === '$$') return code('literal');
      if (token.endsWith(')')) return code(VALUE_IN_BOOK.test(token) ? 'argument' : 'escape');
      if (token === '$t(') return readNesting(scan, start);
      return token === '${' ? readBraces(scan, token, start) : code('argument');
    case '{':
      if (token === '{{' && scan.grammar.doublesBraces) return code('literal');
      if (token.length > 2) return code('literal');
      return readBraces(scan, token, start);
    case '#':
      return readBraces(scan, token, start);
    case '@':
      return token === '@{' ? readBraces(scan, token, start) : code('argument');
    default:
      return code('link', withoutTrailingPunctuation(token));
  }
}

function tagsOf({ text, grammar, findings }: Scan): TagScanner {
  return new TagScanner(text, {
    isMarkup: isXmlSource(grammar.syntax),
    closings: () => (findings.closings ??= closingsIn(findings.value)),
  });
}

function readMarkdown(scan: Scan, token: string, start: number): ScannedNode | undefined {
  scan.links ??= findMarkdownLinks(scan.text);
  if (token !== ']') {
    const end = start + token.length;
    return scan.links.openings.has(end - 1)
      ? { node: { type: 'open', raw: token, name: LINK }, end }
      : undefined;
  }
  const end = scan.links.ends.get(start);
  if (end === undefined) return undefined;
  return { node: { type: 'close', raw: scan.text.slice(start, end), name: LINK }, end };
}

function kindOf(token: string, { silent, named }: Grammar): CodeKind {
  if (silent.test(token)) return 'escape';
  return named.test(token) ? 'argument' : 'printf';
}

function readBraces(scan: Scan, token: string, start: number): ScannedNode | undefined {
  const open = start + token.indexOf('{');
  const complex =
    token === '{' && scan.unreadable < MAX_UNREADABLE ? findComplex(readableOf(scan), open) : undefined;
  const branches = complex === undefined ? undefined : readComplexAt(scan, open, complex);
  if (branches) return branches;
  const close = endOfBraces(scan, open);
  if (close === undefined) return undefined;
  const end = close + 1;
  return { node: { type: 'code', raw: scan.text.slice(start, end), kind: 'argument' }, end };
}

function readableOf(scan: Scan): string {
  return (scan.readable ??= hideMarkup(scan.text, scan.grammar.syntax));
}

function endOfBraces(scan: Scan, open: number): number | undefined {
  const { text } = scan;
  let at = open + 1;
  while (at < text.length && text[at] !== '{' && text[at] !== '}') at++;
  // The usual case: only nested braces need counting.
  if (text[at] !== '{') return at < text.length ? at : undefined;
  scan.braces ??= matchBrackets(text, '{', '}');
  return scan.braces.get(open);
}

function readComplexAt(scan: Scan, open: number, end: number): ScannedNode | undefined {
  const source = scan.text.slice(open, end);
  const node = scan.readComplex(source);
  const isMarkup = isXmlSource(scan.grammar.syntax);
  if (!('problem' in node) && (!isMarkup || isFormattable(node, scan.grammar.syntax))) return { node, end };
  // In a document, a brace may be literal, because no formatter reads it.
  if (isMarkup || !('problem' in node)) {
    scan.unreadable++;
    return undefined;
  }
  scan.findings.problem = node.problem;
  return { node: { type: 'text', raw: source, text: source }, end };
}

function readNesting(scan: Scan, start: number): ScannedNode | undefined {
  scan.parentheses ??= matchBrackets(scan.text, '(', ')');
  const close = scan.parentheses.get(start + 2);
  if (close === undefined) return undefined;
  return {
    node: { type: 'code', raw: scan.text.slice(start, close + 1), kind: 'argument' },
    end: close + 1,
  };
}

const PREDEFINED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

/** In XML source, entities for visible characters are words; those for invisible ones are kept as written. */
function readEntity(scan: Scan, token: string, start: number): ScannedNode | undefined {
  if (!isXmlSource(scan.grammar.syntax)) return undefined;
  const text = PREDEFINED[token] ?? (token[1] === '#' ? visibleCharacter(token) : undefined);
  if (text === undefined) return undefined;
  return { node: { type: 'text', raw: token, text }, end: start + token.length };
}

function visibleCharacter(reference: string): string | undefined {
  const hex = /^&#x/i.test(reference);
  const number = Number.parseInt(reference.slice(hex ? 3 : 2, -1), hex ? 16 : 10);
  if (number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) return undefined;
  const character = String.fromCodePoint(number);
  return /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character) ? character : undefined;
}

/** In `see https://a.b/c.`, the URL ends before the full stop. A closing bracket stays if the URL has its opening one. */
function withoutTrailingPunctuation(url: string): string {
  const opened = url.indexOf('(');
  let end = url.length;
  while (end > 0) {
    const last = url[end - 1] ?? '';
    if (last === ')' && opened >= 0 && opened < end) break;
    if (!'.,;:!?)]'.includes(last)) break;
    end--;
  }
  return url.slice(0, end);
}
