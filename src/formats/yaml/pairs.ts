import type { CST, YAMLMap } from 'yaml';
import { firstProp } from './nodes.ts';
import { syntaxError } from './parse.ts';

/**
 * Looks for what the library lets pass in block maps, though no other reader does: there it loses values, and what it
 * reads changes with the lines around.
 *
 * @throws DragomanError `unreadable_input`
 */
export function checkPairs(text: string, { srcToken }: YAMLMap.Parsed): void {
  if (srcToken?.type !== 'block-map') return;
  for (const { start, key, sep, value } of srcToken.items) {
    const colon = sep?.findIndex(({ type }) => type === 'map-value-ind') ?? -1;
    if (value && colon === -1)
      throw syntaxError(text, value.offset, 'there is no colon between this value and its key');
    if (!sep || has(start, 'explicit-key-ind')) continue;
    const mark = sep[colon];
    const astray =
      mark && (mark.indent !== srcToken.indent || !beginsEntry(text, firstProp(start) ?? mark.offset));
    if (key === null && astray)
      throw syntaxError(text, mark.offset, 'all keys of a map must start in the same column');
    if (key && mark && has(sep.slice(0, colon), 'newline'))
      throw syntaxError(text, mark.offset, 'a key and its colon must stand on one line');
  }
}

/** Whether nothing but white space and marks of the collections around stands before `offset` on its line. */
function beginsEntry(text: string, offset: number): boolean {
  return /^ *(?:[-?:] +)*$/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}

function has(tokens: readonly CST.SourceToken[], wanted: CST.SourceToken['type']): boolean {
  return tokens.some(({ type }) => type === wanted);
}
