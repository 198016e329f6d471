import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';

export type Extension = ReturnType<typeof gfm>;
export type MarkdownEvent = ReturnType<typeof postprocess>[number];
export type Token = MarkdownEvent[1];

/** What the inline content of a document may refer to. */
export interface Labels {
  readonly definitions: readonly string[];
  readonly footnotes: readonly string[];
}

export interface ParsedBody {
  readonly events: readonly MarkdownEvent[];
  readonly labels: Labels;
}

const GFM = gfm();

/** The parser takes 5 seconds for a million characters: nothing that people write by hand is longer. */
export const MAX_LENGTH = 4_000_000;

/** Deeper containers make the parser slow: 2,000 of them take seconds, in a line of 4 kB. */
const MAX_DEPTH = 100;

/** Braces of MDX: the parser tries to read a program at each that closes. */
const MAX_BRACES = 100;

/** In one paragraph: the parser looks at all of them for each. */
const MAX_MARKS = 4_000;

/**
 * Reads CommonMark with the extensions of GitHub.
 *
 * @param body without a byte order mark, which would shift all offsets
 * @param labels of another document that the body is a part of
 */
export function parseBody(body: string, extensions: readonly Extension[], labels?: Labels): ParsedBody {
  const parser = parse({ extensions: [GFM, ...extensions] });
  const footnotes: string[] = [...(labels?.footnotes ?? [])];
  Object.assign(parser, { gfmFootnotes: footnotes });
  if (labels) parser.defined.push(...labels.definitions);
  const events = postprocess(parser.document().write(preprocess()(body, undefined, true)));
  return { events, labels: { definitions: parser.defined, footnotes } };
}

/** @throws DragomanError `limit_exceeded` for what the parser would take minutes to read. */
export function requireReadable(text: string, base: number, isMdx: boolean): void {
  if (text.length - base > MAX_LENGTH) {
    throw new DragomanError('limit_exceeded', `the document has more than ${MAX_LENGTH} characters`, {
      at: { line: 1, column: 1 },
      hint: 'Split it into several files.',
    });
  }
  if (isMdx) requireShallowBraces(text, base);
  let marks = 0;
  for (let start = base; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    // Cells are texts of their own.
    marks = line.trim() === '' || line.includes('|') ? 0 : marks + marksIn(line);
    if (marks > MAX_MARKS) {
      throw new DragomanError('limit_exceeded', `a paragraph has more than ${MAX_MARKS} marks of emphasis`, {
        at: positionAt(text, start),
        hint: 'Divide it by empty lines.',
      });
    }
    if (depthOf(line) > MAX_DEPTH) {
      throw new DragomanError('limit_exceeded', `quotes and lists are nested more than ${MAX_DEPTH} deep`, {
        at: positionAt(text, start),
        hint: 'Write them less deep, or exclude the file.',
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

function marksIn(line: string): number {
  let count = 0;
  for (let i = 0; i < line.length; i++) if ('*_~'.includes(line[i] ?? '')) count++;
  return count;
}

/** How many containers a line may open or continue: its markers, and its indentation where it opens another. */
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
      const number = /^\d{1,9}[.)](?=[ \t]|$)/.exec(line.slice(i, i + 12));
      if (!number) break;
      markers++;
      i += number[0].length - 1;
    }
  }
  return markers === 0 ? 0 : markers + (Math.max(0, columns - markers) >> 1);
}
