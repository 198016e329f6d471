import { behindComma, lineIndent, type MemberCode } from './layout.ts';
import { countBreaks, indentAt, withLineEnds } from '../lines.ts';
import type { Node } from './tree.ts';

/** The formatting style of a document, detected from its text. */
export interface JsonStyle {
  readonly lineEnd: string;
  /** The indentation of one level of nesting. */
  readonly unit: string;
  /** The colon, or another separator of names and values, with the blanks around it. */
  readonly colon: string;
  /** Whether containers span several lines. */
  readonly spread: boolean;
}

const DEFAULT: JsonStyle = { lineEnd: '\n', unit: '  ', colon: ': ', spread: true };

/** Detects the style of a document; `fallback` supplies what the document does not show. */
export function styleOf(text: string, root: Node, fallback: JsonStyle = DEFAULT): JsonStyle {
  const inside = text.slice(root.start, root.end);
  const spread = root.children.length === 0 ? fallback.spread : /[\r\n]/.test(inside);
  return {
    lineEnd: (/\r\n|\n|\r/.exec(inside) ?? /\r\n|\n|\r/.exec(text))?.[0] ?? fallback.lineEnd,
    unit: (spread ? unitOf(text, root) : undefined) ?? fallback.unit,
    colon: colonOf(text, root) ?? fallback.colon,
    spread,
  };
}

function unitOf(text: string, container: Node): string | undefined {
  const outer = lineIndent(text, container.start);
  for (const child of container.children.slice(0, SAMPLE)) {
    const inner = indentAt(text, child.nameStart);
    if (inner !== undefined && inner.length > outer.length && inner.startsWith(outer)) {
      return inner.slice(outer.length);
    }
    const deeper = child.children.length > 0 ? unitOf(text, child) : undefined;
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** This many members are enough to show the style; visiting all members of a wide document would take too long. */
const SAMPLE = 16;

/** The most frequent spelling of the colon. */
function colonOf(text: string, root: Node): string | undefined {
  const counts = new Map<string, number>();
  const count = (container: Node): void => {
    for (const child of container.children.slice(0, SAMPLE)) {
      const colon = text.slice(child.nameEnd, child.start);
      if (/^[ \t]*(?::|=>?)[ \t]*$/.test(colon)) counts.set(colon, (counts.get(colon) ?? 0) + 1);
      count(child);
    }
  };
  count(root);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** The separator before a member that is inserted at `index`: a line end with indentation, or blanks. */
export function separatorAt(code: MemberCode, container: Node, index: number, style: JsonStyle): string {
  const { text } = code;
  const { children } = container;
  const left = children[index + 1] ? children[index] : children[index - 1];
  const right = children[index + 1] ?? children[index];
  if (!right) throw new RangeError(`no member ${index}`);
  const from = left ? (behindComma(code, left.end) ?? left.end) : container.start + 1;
  const gapStart = left?.end ?? from;
  if (countBreaks(text, gapStart, right.nameStart) === 0) {
    const blanks = text.slice(from, right.nameStart);
    if (left && /^[ \t]*$/.test(blanks)) return blanks;
    return style.colon.endsWith(' ') ? ' ' : '';
  }
  for (const child of [children[index], right, left]) {
    const indent = child && indentAt(text, child.nameStart);
    if (indent !== undefined) return style.lineEnd + indent;
  }
  return style.lineEnd + lineIndent(text, container.start) + style.unit;
}

interface Restyling {
  readonly from: { readonly indent: string; readonly unit: string };
  /** `separator` is the text before the member in its new place. */
  readonly to: {
    readonly separator: string;
    readonly style: JsonStyle;
    /** Encodes a string, with quotes. */
    readonly spell: (raw: string) => string;
  };
}

/**
 * Adapts a member to the style of another document: indentation, colons and line ends; on one line if the place has no
 * lines. In comments, only the line ends change; in code that is not a value, the indentation changes too.
 *
 * @param start of the member, including the comments that move with it
 */
export function restyle(code: MemberCode, node: Node, start: number, { from, to }: Restyling): string {
  const { text } = code;
  const assignments = new Map<number, number>();
  const needsLines = collectAssignments(text, node, to.style.colon.trim(), assignments);
  const spread = /[\r\n]/.test(to.separator) || needsLines || commentsBetweenTexts(code, start, node.end);
  const indent = /[\r\n]/.test(to.separator) ? to.separator.replace(/[\r\n]/g, '') : '';
  const parts: string[] = [];
  let last = '';
  for (let at = start; at < node.end;) {
    const begin = at;
    const assigned = assignments.get(at);
    const quoted = code.endOfString(at);
    const comment = assigned ?? quoted ?? code.endOfComment(at);
    at = comment ?? behindSpace(text, at, node.end);
    const part = text.slice(begin, at);
    if (assigned !== undefined) parts.push(to.style.colon);
    else if (quoted !== undefined) parts.push(to.spell(part));
    else if (comment !== undefined) parts.push(withLineEnds(part, to.style.lineEnd));
    else if (!/^[\s]+$/.test(part) || !/[\r\n]/.test(part)) parts.push(part);
    else if (spread) parts.push(respread(part, indent, from, to.style));
    else if (last === ',') parts.push(to.separator);
    if (part.trim() !== '') last = part;
  }
  return parts.join('');
}

/** The offset after the white space at `at`, or after the single character there. */
function behindSpace(text: string, at: number, end: number): number {
  let behind = at;
  while (behind < end && /\s/.test(text.charAt(behind))) behind++;
  return Math.max(behind, at + 1);
}

/**
 * Collects the assignment characters between names and values, with the blanks around them.
 *
 * @returns whether there is code of several lines, in which line ends may be significant
 */
function collectAssignments(text: string, node: Node, sign: string, found: Map<number, number>): boolean {
  const { nameEnd, start, end, kind, children } = node;
  if (nameEnd > node.nameStart && text.slice(nameEnd, start).trim() === sign) found.set(nameEnd, start);
  let needsLines = kind === 'other' && /[\r\n]/.test(text.slice(start, end));
  for (const child of children) {
    if (collectAssignments(text, child, sign, found)) needsLines = true;
  }
  return needsLines;
}

function commentsBetweenTexts(code: MemberCode, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    if (code.endOfComment(at) !== undefined) return true;
    at = code.endOfString(at) ?? at + 1;
  }
  return false;
}

/** White space with line ends, whose last line is indented for the new place. */
function respread(gap: string, indent: string, from: Restyling['from'], style: JsonStyle): string {
  const lines = gap.split(/\r\n|\n|\r/);
  const old = lines.at(-1) ?? '';
  const inner = old.startsWith(from.indent) ? old.slice(from.indent.length) : old;
  const levels = from.unit === '' ? 0 : inner.length / from.unit.length;
  const exact = Number.isInteger(levels) && inner === from.unit.repeat(levels);
  return style.lineEnd.repeat(lines.length - 1) + indent + (exact ? style.unit.repeat(levels) : inner);
}
