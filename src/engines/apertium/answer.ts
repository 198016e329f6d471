import type { Token } from '../../text/tagged.ts';
import type { Blank } from './record.ts';

/** A stretch of an answer: words or what one blank stood for, with the pairs around it. */
export interface Item {
  readonly tokens: readonly Token[];
  readonly owners: Set<number>;
}

/** Characters that mark a word the dictionaries do not have. Literal ones travel in blanks, so these are all marks. */
const MARKS = new Set(['*', '#', '@', '~']);
/** Lexical units and chunks that no stage resolved. */
const UNRESOLVED = new Set(['^', '$', '<', '>', '{', '}', ']']);

/**
 * Reads an answer in Apertium's stream format.
 *
 * @returns undefined when it is damaged: a blank lost, doubled or unknown, a unit that no stage resolved.
 */
export function readItems(stream: string, blanks: readonly Blank[]): Item[] | undefined {
  const items: Item[] = [];
  const seen = new Set<number>();
  let owners: readonly number[] = [];
  let words = '';
  const flush = (): void => {
    if (words !== '') items.push({ tokens: [{ type: 'words', text: words }], owners: new Set(owners) });
    words = '';
  };
  for (let i = 0; i < stream.length; i++) {
    const c = stream.charAt(i);
    if (c === '[') {
      const bound = stream.startsWith('[[', i);
      const end = stream.indexOf(bound ? ']]' : ']', i);
      if (end < 0) return undefined;
      const name = stream.slice(i + (bound ? 2 : 1), end);
      i = end + (bound ? 1 : 0);
      if (bound) {
        const next = readOwners(name);
        if (!next) return undefined;
        flush();
        owners = next;
      } else if (name !== '') {
        const n = /^b\d+$/.test(name) ? Number(name.slice(1)) : -1;
        const blank = blanks[n];
        if (!blank || seen.has(n)) return undefined;
        seen.add(n);
        flush();
        items.push({ tokens: blank.tokens, owners: new Set(blank.owners) });
      }
    } else if (c === '\\') words += stream.charAt(++i);
    else if (UNRESOLVED.has(c)) return undefined;
    else if (!MARKS.has(c)) words += c;
  }
  flush();
  return seen.size === blanks.length ? items : undefined;
}

/** `t:x:1; t:x:2` names pairs, `/` ends them. */
function readOwners(name: string): readonly number[] | undefined {
  if (name === '/') return [];
  const ids = name.split(';').map((part) => Number(/^\s*t:x:(\d+)\s*$/.exec(part)?.[1] ?? 'NaN'));
  return ids.some(Number.isNaN) ? undefined : [...new Set(ids)];
}
