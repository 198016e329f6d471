/** Characters of scripts that are written without spaces and may be parted between any two. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** What may stand on a line of its own and what clings to the character before it. */
const PIECE = new RegExp(`${WIDE.source}[、。，．：；？！）」』】〉》ー々]*|(?:(?!${WIDE.source})\\S)+`, 'g');

/** Columns of a text in a fixed-width font. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Whether no space belongs between the end of one line and the beginning of the next. */
export function joinsWithoutSpace(before: string, after: string): boolean {
  return WIDE.test(before.slice(-1)) && WIDE.test(after.slice(0, 1));
}

/**
 * Breaks a text into lines of at most `width` columns, where a piece that is longer has a line of its own. Spaces at
 * breaks go; no line but the first begins so that a mail program takes it for a quotation or a signature.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = 0;
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    const gap = text.slice(end, match.index);
    const size = columnsOf(gap) + columnsOf(match[0]);
    const breakable = end > 0 && (gap !== '' || WIDE.test(match[0].charAt(0)));
    if (breakable && columns + size > width && !isRisky(text, match.index)) {
      lines.push(line);
      [line, columns] = [match[0], columnsOf(match[0])];
    } else {
      line += gap + match[0];
      columns += size;
    }
    end = match.index + match[0].length;
  }
  return [...lines, line + text.slice(end)];
}

function isRisky(text: string, offset: number): boolean {
  return /^(?:>|From |--(?:\s|$))/.test(text.slice(offset, offset + 5));
}
