import { type Paragraph, type TextLine, beforeSignature, hasWords, linesOf } from './text-line.ts';
import { wrapText } from './wrap.ts';
import { readFixed } from './fixed-text.ts';

/** RFC 3676 asks for lines of at most 78 characters with their space. */
const WIDTH = 76;

/** Paragraphs of a `format=flowed` text: a line that ends with a space goes on in the next one. */
function readFlowed(lines: readonly TextLine[], delSp: boolean): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let first = 0;
  while (first < lines.length) {
    const line = lines[first];
    if (!line) break;
    let last = first;
    while (!isQuoted(line) && isSoft(lines[last]) && follows(lines[last + 1])) last++;
    const run = lines.slice(first, last + 1);
    if (!isQuoted(line) && run.some(({ text }) => hasWords(text))) {
      paragraphs.push(toParagraph(run, first, delSp));
    }
    first = last + 1;
  }
  return paragraphs;
}

function isQuoted({ text }: TextLine): boolean {
  return text.startsWith('>');
}

function isSoft(line: TextLine | undefined): boolean {
  return line !== undefined && line.text.endsWith(' ');
}

/** A change of the quotation depth ends a paragraph. */
function follows(next: TextLine | undefined): boolean {
  return next !== undefined && !isQuoted(next);
}

function toParagraph(run: readonly TextLine[], line: number, delSp: boolean): Paragraph {
  const [first] = run;
  const end = run.at(-1);
  const value = run
    .map(({ text }, i) => {
      const unstuffed = text.startsWith(' ') ? text.slice(1) : text;
      return delSp && i < run.length - 1 ? unstuffed.slice(0, -1) : unstuffed;
    })
    .join('');
  const lineBreak = first?.lineBreak === '' ? '\n' : (first?.lineBreak ?? '\n');
  // What is soft at the very end (the next line is quoted) stays soft.
  const tail = /(?<! ) +$/.exec(value)?.[0] ?? '';
  return {
    span: { start: first?.start ?? 0, end: end?.end ?? 0 },
    line,
    value: tail === '' ? value : value.slice(0, -tail.length),
    write: (translation) => {
      const flat = translation.replace(/\s*[\r\n]\s*/g, ' ').trimEnd();
      return flow(flat, delSp, lineBreak) + tail;
    },
  };
}

function flow(text: string, delSp: boolean, lineBreak: string): string {
  const lines: string[] = [];
  let rest = text;
  const wrapped = wrapText(text, WIDTH);
  for (const [i, line] of wrapped.entries()) {
    rest = rest.slice(line.length);
    const gap = i < wrapped.length - 1 ? (/^ */.exec(rest)?.[0] ?? '') : '';
    rest = rest.slice(gap.length);
    // Without DelSp the space before the break is the words' own: where there is none, the line cannot end.
    if (gap === '' && i < wrapped.length - 1 && !delSp) return stuff(text);
    lines.push(stuff(line) + gap + (delSp && i < wrapped.length - 1 ? ' ' : ''));
  }
  return lines.join(lineBreak);
}

/** RFC 3676, 4.4: what begins like a quotation, a mailbox separator or a stuffed line gets a space before it. */
function stuff(line: string): string {
  return /^(?: |>|From )/.test(line) ? ` ${line}` : line;
}

/**
 * Finds what is to be translated in a plain text: not quoted lines (`>`), not the signature below `-- `, not lines
 * without words. A paragraph that was wrapped by hand is one value and is wrapped again at the width of the text; so is
 * a paragraph of flowed text (RFC 3676).
 */
export function readParagraphs(
  text: string,
  flowed: { readonly delSp: boolean } | undefined,
): readonly Paragraph[] {
  const lines = beforeSignature(linesOf(text));
  return flowed ? readFlowed(lines, flowed.delSp) : readFixed(lines);
}
