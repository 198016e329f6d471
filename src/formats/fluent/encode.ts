import { DragomanError } from '../../base/errors.ts';
import { lineEndOf } from '../lines.ts';
import { parseBody, type PatternRun, visitMessage } from './resource.ts';

/** Replaces the text around a run in its pattern. */
const ELSEWHERE = '{ "" }';

/**
 * Writes a value in the place of a run: inline, or on separate lines with the pattern's indentation.
 *
 * @throws DragomanError `unencodable_value` if it would not parse to the same text there
 */
export function encodeRun(text: string, run: PatternRun, value: string): string {
  const { start } = run.span;
  const isBlock = run.isFirst && text.charAt(start - 1) === '\n';
  const newline = lineEndOf(text);
  const indent = indentOf(text, run);
  const written = value
    .split('\n')
    .map((line, i) => (line === '' || (i === 0 && !isBlock) ? line : indent + line))
    .join(newline);
  // If a run is only part of its pattern, the other parts influence the indentation of its lines.
  const fits = !value.includes('\r') && ((run.isFirst && run.isLast) || !value.includes('\n'));
  if (fits && readsAs(written, value, run, isBlock ? newline : ' ')) return written;
  throw new DragomanError('unencodable_value', 'Fluent cannot express this value here', {
    hint: 'Blanks at its edges, single braces, and lines that begin with [, * or . are syntax.',
  });
}

/** The indentation of a pattern's continuation lines. */
function indentOf(text: string, { pattern, span }: PatternRun): string {
  const raw = text.slice(pattern.start, pattern.end);
  const isBlock = text.charAt(pattern.start - 1) === '\n';
  let indent: string | undefined;
  for (const line of raw.split('\n').slice(isBlock ? 0 : 1)) {
    const blanks = /^ */.exec(line)?.[0] ?? '';
    const isBlank = line.length === blanks.length || line === `${blanks}\r`;
    if (!isBlank && (indent === undefined || blanks.length < indent.length)) indent = blanks;
  }
  if (indent !== undefined && indent !== '') return indent;
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  return `${/^ */.exec(text.slice(lineStart, span.start))?.[0] ?? ''}    `;
}

function readsAs(written: string, value: string, { isFirst, isLast }: PatternRun, gap: string): boolean {
  const before = isFirst ? '' : ELSEWHERE;
  const behind = isLast ? '' : ELSEWHERE;
  const text = `k =${gap}${before}${written}${behind}\n`;
  const body = parseBody(text);
  const [message] = body;
  if (body.length !== 1 || message?.type !== 'Message' || message.attributes.length > 0) return false;
  const found: string[] = [];
  const place = { text, start: 0 };
  visitMessage(place, message, { run: (key, run) => void found.push(run.value, ...key.slice(1)) });
  return found.length === 1 && found[0] === before + value + behind;
}
