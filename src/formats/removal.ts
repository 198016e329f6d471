import type { Edit, Span } from '../base/span.ts';
import { afterBlankLine, beforeBlankLine, wholeLines } from './lines.ts';

/** Edits that remove these blocks, in file order, each with its lines; of the blank lines around them one remains. */
export function removeBlocks(text: string, blocks: readonly Span[]): readonly Edit[] {
  const runs: { start: number; end: number }[] = [];
  for (const block of blocks) {
    const lines = wholeLines(text, block);
    const last = runs.at(-1);
    const start = last?.end === lines.start ? last.start : lines.start;
    const closed = lines !== block && (start === 0 || beforeBlankLine(text, start) < start);
    const end = closed ? afterBlankLine(text, lines.end) : lines.end;
    if (last?.end === lines.start) last.end = end;
    else runs.push({ start, end });
  }
  return runs.map(({ start, end }) => {
    // At the end of the file the blank line before goes: there is none behind.
    const from = end >= text.length ? beforeBlankLine(text, start) : start;
    return { span: { start: from, end }, text: '' };
  });
}
