import { hasWords, type Paragraph, type TextLine } from './text-line.ts';
import { columnsOf, joinsWithoutSpace, wrapText } from './wrap.ts';

/** Widths at which people and programs wrap mail; other line lengths are no sign of wrapping. */
const NARROWEST = 50;
const WIDEST = 100;

/** What stands before the words: indentation and the mark of a list. */
const LEAD = /^[ \t]*(?:(?:[-*+•‣◦–]|\d{1,3}[.)]|[a-zA-Z]\))[ \t]+)?/;

/** Columns of a table in plain text are parted by more than a sentence has. */
const GAP = /(?: {3,}|\t+)/;

/** Paragraphs of a text whose line breaks are in the text. */
export function readFixed(lines: readonly TextLine[]): readonly Paragraph[] {
  const width = widthOf(lines);
  const paragraphs: Paragraph[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (!line) break;
    const first = at++;
    if (!isProse(line)) continue;
    if (GAP.test(line.text.slice(leadOf(line).length).trimEnd())) {
      paragraphs.push(...readCells(line, first));
      continue;
    }
    const run = [line];
    for (let next = lines[at]; next && continues(run, next, width); next = lines[at]) {
      run.push(next);
      at++;
    }
    paragraphs.push(toParagraph(run, first, width));
  }
  return paragraphs;
}

function isProse({ text }: TextLine): boolean {
  return hasWords(text) && !/^[ \t]*>/.test(text);
}

function leadOf({ text }: TextLine): string {
  return LEAD.exec(text)?.[0] ?? '';
}

/** The width at which the text was wrapped; undefined when its lines are paragraphs. */
function widthOf(lines: readonly TextLine[]): number | undefined {
  let widest = 0;
  for (const line of lines) {
    // A link that did not fit says nothing about the others.
    if (isProse(line) && /\S\s+\S/.test(line.text)) widest = Math.max(widest, columnsOf(line.text.trimEnd()));
  }
  return widest >= NARROWEST && widest <= WIDEST ? widest : undefined;
}

/** Whether `next` goes on with the sentence: its first word had no room on the line before. */
function continues(run: readonly TextLine[], next: TextLine, width: number | undefined): boolean {
  const before = run.at(-1);
  if (!before || width === undefined || !isProse(next)) return false;
  const lead = leadOf(next);
  if (/\S/.test(lead) || GAP.test(next.text.slice(lead.length).trimEnd())) return false;
  const expected = run.length === 1 ? hangingLead(before) : leadOf(before);
  if (lead !== expected) return false;
  const word = /^\S*/.exec(next.text.slice(lead.length))?.[0] ?? '';
  const needed = joinsWithoutSpace(before.text.trimEnd(), word) ? 4 : columnsOf(word) + 1;
  return columnsOf(before.text.trimEnd()) + needed > width;
}

/** What the lines of a list item below its first one begin with. */
function hangingLead(line: TextLine): string {
  const lead = leadOf(line);
  return /\S/.test(lead) ? lead.replace(/[^\t]/g, ' ') : lead;
}

function toParagraph(run: readonly TextLine[], line: number, width: number | undefined): Paragraph {
  const [first] = run;
  const last = run.at(-1);
  if (!first || !last) throw new RangeError('a paragraph has lines');
  const lead = leadOf(first);
  const hanging = hangingLead(first);
  // The end of the line before, not of what is joined so far: looking into that would copy it each time.
  let before = first.text.slice(lead.length).trimEnd();
  let value = before;
  for (const { text } of run.slice(1)) {
    const words = text.trim();
    value += (joinsWithoutSpace(before, words) ? '' : ' ') + words;
    before = words;
  }
  const lineBreak = first.lineBreak === '' ? '\n' : first.lineBreak;
  return {
    span: { start: first.start + lead.length, end: last.start + last.text.trimEnd().length },
    line,
    value,
    write: (translation) => {
      const flat = translation.replace(/\s*[\r\n]\s*/g, ' ').trim();
      if (width === undefined) return flat;
      return wrapText(flat, Math.max(20, width - columnsOf(lead))).join(lineBreak + hanging);
    },
  };
}

/** The cells of a line that is part of a table: what parts them stays. */
function readCells(line: TextLine, index: number): Paragraph[] {
  const lead = leadOf(line).length;
  return [...line.text.slice(lead).matchAll(/\S+(?: {1,2}\S+)*/g)]
    .filter(([cell]) => hasWords(cell))
    .map(({ 0: cell, index: at }) => ({
      span: { start: line.start + lead + at, end: line.start + lead + at + cell.length },
      line: index,
      value: cell,
      write: (translation) => translation.replace(/\s+/g, ' ').trim(),
    }));
}
