import type { CST, YAMLMap } from 'yaml';
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
    if (key === null && mark && mark.indent !== srcToken.indent)
      throw syntaxError(text, mark.offset, 'all keys of a map must start in the same column');
    if (key && mark && has(sep.slice(0, colon), 'newline'))
      throw syntaxError(text, mark.offset, 'a key and its colon must stand on one line');
  }
}

function has(tokens: readonly CST.SourceToken[], wanted: CST.SourceToken['type']): boolean {
  return tokens.some(({ type }) => type === wanted);
}
