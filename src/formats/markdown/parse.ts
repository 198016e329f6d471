import { postprocess } from 'micromark';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { requireQuick } from './bounds.ts';
import { BlockReader, type Constructs, type Labels, type MarkdownEvent } from './parts.ts';

/** A block without nested blocks, or a table row with its cells. */
export interface Leaf {
  readonly events: readonly MarkdownEvent[];
  /** The number of containers around it. */
  readonly depth: number;
}

const CONTAINERS: ReadonlySet<string> = new Set([
  'blockQuote',
  'listOrdered',
  'listUnordered',
  'gfmFootnoteDefinition',
]);

/** Table rows are read one by one. */
const AROUND_ROWS: ReadonlySet<string> = new Set(['table', 'tableHead', 'tableBody']);

/** No hand-written text is longer. */
export const MAX_LENGTH = 4_000_000;

/** Deeper containers make the parser slow: 2,000 of them take seconds, in a line of 4 kB. */
const MAX_DEPTH = 100;

/** Braces in MDX: at each closing one, the parser tries to parse a program. */
const MAX_BRACES = 100;

/** Characters whose blocks are parsed together: the parser allocates a hundred bytes for each. */
const PART = 32_768;

/**
 * Parses a document. The parser allocates a thousand bytes for each word with markup, so blocks are read in parts, and
 * a leaf's inline content only after the previous leaf was used. References may be defined further down; their labels
 * are collected first.
 *
 * @param body without a byte order mark, which would be read as a letter
 * @param use receives each leaf, in order
 * @param labels of the document that the body is a part of
 * @throws SlowText
 */
export function parseBody(
  body: string,
  constructs: Constructs,
  use: (leaf: Leaf) => void,
  labels: Labels = NO_LABELS,
  size = PART,
): Labels {
  const blocks = new BlockReader(body, constructs, size);
  const isDefinedBelow = body.length > size && body.includes(']:');
  const known = isDefinedBelow ? blocks.read(labels) : labels;
  const read = blocks.read(known, (events) => {
    for (const leaf of leavesOf(events, body)) use(leaf);
  });
  return isDefinedBelow ? known : read;
}

const NO_LABELS: Labels = { definitions: [], footnotes: [] };

function* leavesOf(events: readonly MarkdownEvent[], body: string): Generator<Leaf> {
  let depth = 0;
  let open = 0;
  let start = 0;
  for (const [i, [type, token]] of events.entries()) {
    const step = type === 'enter' ? 1 : -1;
    if (CONTAINERS.has(token.type)) depth += step;
    if (CONTAINERS.has(token.type) || AROUND_ROWS.has(token.type)) {
      start = i + 1;
      continue;
    }
    open += step;
    if (open > 0) continue;
    const leaf = events.slice(start, i + 1);
    requireQuick(leaf, body);
    yield { events: postprocess(leaf), depth };
    start = i + 1;
  }
}

/** @throws DragomanError `limit_exceeded` for a text that would take minutes to parse */
export function requireReadable(text: string, base: number, isMdx: boolean): void {
  if (text.length - base > MAX_LENGTH) {
    throw new DragomanError('limit_exceeded', `the document has more than ${MAX_LENGTH} characters`, {
      at: { line: 1, column: 1 },
      hint: 'Split it into several files.',
    });
  }
  if (isMdx) requireShallowBraces(text, base);
  for (let start = base; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    if (depthOf(line) > MAX_DEPTH) {
      throw new DragomanError('limit_exceeded', `quotes and lists are nested more than ${MAX_DEPTH} deep`, {
        at: positionAt(text, start),
        hint: 'Nest them less deeply, or exclude the file.',
      });
    }
    start = end < 0 ? text.length : end + 1;
  }
}

function requireShallowBraces(text: string, base: number): void {
  let depth = 0;
  for (let i = base; i < text.length; i++) {
    if (text[i] === '}') depth = Math.max(0, depth - 1);
    else if (text[i] === '{' && ++depth > MAX_BRACES) {
      throw new DragomanError('limit_exceeded', `braces are nested more than ${MAX_BRACES} deep`, {
        at: positionAt(text, i),
        hint: 'Move the data into a file that the document imports, or exclude the document.',
      });
    }
  }
}

/**
 * The maximum number of containers that a line opens or continues: its markers, and its indentation if it opens
 * another.
 */
function depthOf(line: string): number {
  let columns = 0;
  let markers = 0;
  let i = 0;
  for (; i < line.length; i++) {
    const c = line[i] ?? '';
    if (c === ' ') columns++;
    else if (c === '\t') columns += 4;
    else if (c === '>') markers++;
    else if (/[-+*]/.test(c) && /^[ \t\r]?$/.test(line[i + 1] ?? '')) markers++;
    else {
      const marker = /^(?:\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]\s]{1,200}\]:)/.exec(line.slice(i, i + 210));
      if (!marker) break;
      markers++;
      i += marker[0].length - 1;
    }
  }
  return markers === 0 ? 0 : markers + (Math.max(0, columns - markers) >> 1);
}
