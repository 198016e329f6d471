import { behindComma, countLineEnds, indentBefore, lineIndent } from './layout.ts';
import type { Node } from './tree.ts';

/** How a document is written, as far as its own text shows it. */
export interface Style {
  readonly lineEnd: string;
  /** What one level of nesting adds to the indentation. */
  readonly unit: string;
  /** The colon with the blanks around it. */
  readonly colon: string;
  /** Whether containers are spread over lines. */
  readonly spread: boolean;
}

const DEFAULT: Style = { lineEnd: '\n', unit: '  ', colon: ': ', spread: true };

/** The style of a document; what it does not show is taken from `fallback`. */
export function styleOf(text: string, root: Node, fallback: Style = DEFAULT): Style {
  const inside = text.slice(root.start, root.end);
  const spread = root.children.length === 0 ? fallback.spread : /[\r\n]/.test(inside);
  return {
    lineEnd: /\r\n|\n|\r/.exec(inside)?.[0] ?? fallback.lineEnd,
    unit: (spread ? unitOf(text, root) : undefined) ?? fallback.unit,
    colon: colonOf(text, root) ?? fallback.colon,
    spread,
  };
}

function unitOf(text: string, container: Node): string | undefined {
  const outer = lineIndent(text, container.start);
  for (const child of container.children.slice(0, SAMPLE)) {
    const inner = indentBefore(text, child.nameStart);
    if (inner !== undefined && inner.length > outer.length && inner.startsWith(outer)) {
      return inner.slice(outer.length);
    }
    const deeper = child.children.length > 0 ? unitOf(text, child) : undefined;
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** So many members show a document's habits; looking at each would not end on a wide one. */
const SAMPLE = 16;

/** The colon most members have. */
function colonOf(text: string, root: Node): string | undefined {
  const counts = new Map<string, number>();
  const count = (container: Node): void => {
    for (const child of container.children.slice(0, SAMPLE)) {
      const colon = text.slice(child.nameEnd, child.start);
      if (/^[ \t]*:[ \t]*$/.test(colon)) counts.set(colon, (counts.get(colon) ?? 0) + 1);
      count(child);
    }
  };
  count(root);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** What stands before a member that is put in next to the one at `index`: a line end with indentation, or blanks. */
export function separatorAt(text: string, container: Node, index: number, style: Style): string {
  const { children } = container;
  const left = children[index + 1] ? children[index] : children[index - 1];
  const right = children[index + 1] ?? children[index];
  if (!right) throw new RangeError(`no member ${index}`);
  const from = left ? (behindComma(text, left.end) ?? left.end) : container.start + 1;
  const gapStart = left?.end ?? from;
  if (countLineEnds(text, gapStart, right.nameStart) === 0) {
    const blanks = text.slice(from, right.nameStart);
    if (left && /^[ \t]*$/.test(blanks)) return blanks;
    return style.colon.endsWith(' ') ? ' ' : '';
  }
  for (const child of [children[index], right, left]) {
    const indent = child && indentBefore(text, child.nameStart);
    if (indent !== undefined) return style.lineEnd + indent;
  }
  return style.lineEnd + lineIndent(text, container.start) + style.unit;
}
