import type { Edit, Span } from '../base/span.ts';
import { afterBlankLine, beforeBlankLine, wholeLines } from './lines.ts';

/** Edits that remove these blocks, in file order, each with its lines and one blank line. */
export function removeBlocks(text: string, blocks: readonly Span[]): readonly Edit[] {
  const runs: { start: number; end: number }[] = [];
  for (const block of blocks) {
    const lines = wholeLines(text, block);
    const end = lines === block ? block.end : afterBlankLine(text, lines.end);
    const last = runs.at(-1);
    if (last?.end === lines.start) last.end = end;
    else runs.push({ start: lines.start, end });
  }
  return runs.map(({ start, end }) => {
    // At the end of the file the blank line before goes: there is none behind.
    const from = end >= text.length ? beforeBlankLine(text, start) : start;
    return { span: { start: from, end }, text: '' };
  });
}
