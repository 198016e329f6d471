/**
 * Lines of a folded block scalar that read back as `text`: a line break between two ordinary lines needs a blank line,
 * next to a line that begins with white space it stands for itself.
 *
 * @param text not empty, not ending in a line break
 * @param width where to break long lines, in characters; `Infinity` for one line per paragraph
 */
export function foldLines(text: string, width: number): readonly string[] {
  const out: string[] = [];
  let previous: string | undefined;
  let breaks = 0;
  for (const line of text.split('\n')) {
    if (line === '') {
      breaks++;
      continue;
    }
    if (previous === undefined) pushBlank(out, breaks);
    else pushBlank(out, isOrdinary(previous) && isOrdinary(line) ? breaks : breaks - 1);
    if (isOrdinary(line)) wrap(line, width, out);
    else out.push(line);
    previous = line;
    breaks = 1;
  }
  return out;
}

function isOrdinary(line: string): boolean {
  return !line.startsWith(' ') && !line.startsWith('\t');
}

function pushBlank(lines: string[], count: number): void {
  for (let i = 0; i < count; i++) lines.push('');
}

/** Breaks at single spaces only: a fold is read as one space. */
function wrap(line: string, width: number, out: string[]): void {
  if (line.length <= width) {
    out.push(line);
    return;
  }
  let start = 0;
  let last = -1;
  for (let i = 1; i < line.length; i++) {
    if (line[i] !== ' ' || /\s/.test(line[i - 1] ?? ' ') || /\s/.test(line[i + 1] ?? ' ')) continue;
    if (i - start > width && last > start) {
      out.push(line.slice(start, last));
      start = last + 1;
    }
    last = i;
  }
  if (line.length - start > width && last > start) {
    out.push(line.slice(start, last));
    start = last + 1;
  }
  out.push(line.slice(start));
}
