import type { Token } from '../../text/tagged.ts';
import { hasLetters } from '../lines.ts';
import { splitLiterals } from './literals.ts';

/**
 * How inline pairs travel. `bound`: as word-bound blanks, that follow their words wherever those go. `loose`: opening
 * and closing tags as blanks of their own, that stay where they stand.
 */
export type PairStyle = 'bound' | 'loose';

/** What a numbered blank `[bN]` of a record stands for. */
export interface Blank {
  readonly tokens: readonly Token[];
  /** The pairs around it that travel word-bound, from the outermost. */
  readonly owners: readonly number[];
}

export interface StreamRecord {
  /** Text in Apertium's stream format. */
  readonly stream: string;
  readonly blanks: readonly Blank[];
}

/** Escapes what the stream format gives a meaning. An unescaped `$` ends the whole pipeline. */
function escapeStream(text: string): string {
  return text.replace(/[\\^$/<>{}@[\]]/g, '\\$&');
}

/** @param tokens balanced, without line breaks */
export function encodeRecord(tokens: readonly Token[], style: PairStyle): StreamRecord {
  const blanks: Blank[] = [];
  const owners: number[] = [];
  let stream = '';
  const addBlank = (held: readonly Token[]): void => {
    stream += `[b${blanks.length}]`;
    blanks.push({ tokens: held, owners: [...owners] });
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token) break;
    if (token.type === 'words') {
      for (const piece of splitLiterals(token.text)) {
        if (piece.literal) addBlank([{ type: 'words', text: piece.text }]);
        else stream += bind(piece.text, owners);
      }
    } else if (token.type === 'placeholder' || style === 'loose') addBlank([token]);
    else if (token.type === 'close') owners.pop();
    else {
      const end = closeOf(tokens, i);
      const held = tokens.slice(i, end + 1);
      if (hasLetters(held)) owners.push(token.id);
      else {
        // A pair without words has nothing to be bound to: it travels as one blank.
        addBlank(held);
        i = end;
      }
    }
  }
  return { stream, blanks };
}

/** Space at the edges stays outside: a stage may move a word, and the space must not go with it. */
function bind(raw: string, owners: readonly number[]): string {
  // The dictionaries hold composed characters.
  const prose = raw.normalize('NFC');
  const core = prose.trim();
  if (owners.length === 0 || core === '') return escapeStream(prose);
  const start = prose.indexOf(core);
  const bound = `[[${owners.map((id) => `t:x:${id}`).join('; ')}]]${escapeStream(core)}[[/]]`;
  return prose.slice(0, start) + bound + prose.slice(start + core.length);
}

function closeOf(tokens: readonly Token[], opened: number): number {
  let depth = 0;
  for (let i = opened; i < tokens.length; i++) {
    const { type } = tokens[i] ?? {};
    if (type === 'open') depth++;
    else if (type === 'close' && --depth === 0) return i;
  }
  return tokens.length - 1;
}
