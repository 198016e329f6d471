/** A text as a table cell. */
export function cell(text: string): string {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')
    .replaceAll('*', String.raw`\*`);
}

/** A text in code notation, which preserves everything except pipes in tables. */
export function code(text: string): string {
  return `\`${text.replaceAll('|', String.raw`\|`)}\``;
}

/** Empty if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
