import type { Token } from '../../text/tagged.ts';
import { closeOf, hasLetters } from '../lines.ts';

/**
 * How inline pairs are sent. `bound`: as word-bound blanks, which move with their words. `loose`: opening and closing
 * tags as separate blanks, which stay in place.
 */
export type PairStyle = 'bound' | 'loose';

/** The content of a numbered blank `[bN]`. */
interface Blank {
  readonly tokens: readonly Token[];
  /** The word-bound pairs around the part, from the outermost. */
  readonly owners: readonly number[];
}

interface StreamRecord {
  /** Text in Apertium's stream format. */
  readonly stream: string;
  readonly blanks: readonly Blank[];
}

/** Escapes characters that are special in the stream format. An unescaped `$` ends the whole pipeline. */
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
        // A pair without words cannot be bound: it is sent as one blank.
        addBlank(held);
        i = end;
      }
    }
  }
  return { stream, blanks };
}

/** Excludes surrounding space: a stage may move the word, but not the space. */
function bind(raw: string, owners: readonly number[]): string {
  // The dictionaries use composed characters.
  const prose = raw.normalize('NFC');
  const core = prose.trim();
  if (owners.length === 0 || core === '') return escapeStream(prose);
  const start = prose.indexOf(core);
  const bound = `[[${owners.map((id) => `t:x:${id}`).join('; ')}]]${escapeStream(core)}[[/]]`;
  return prose.slice(0, start) + bound + prose.slice(start + core.length);
}

/** A part of the words: prose is translated; a literal is sent in a numbered blank. */
interface LiteralPart {
  readonly literal: boolean;
  readonly text: string;
}

/**
 * Characters that are special in the stream format or mark a word there, that a stage would drop or change, or that no
 * dictionary contains. All of them are sent in blanks, so such a character in an answer outside blanks is a mark.
 */
const LITERAL =
  / {2,}|[*#~+@^$\\{}<>[\]|_=%]+|[^\S ]+|[\p{C}\u20e3\ufe0f\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]+/gu;

const PLAIN = /^[A-Za-z0-9 .,;:!?'"()-]*$/;

/** Splits words into prose and literals, which concatenate to the words. Linear in the length. */
export function splitLiterals(words: string): LiteralPart[] {
  // Most segments match, and examining every chunk takes as long as all other work in this module.
  if (PLAIN.test(words) && !words.includes('  ')) return [{ literal: false, text: words }];
  const pieces: LiteralPart[] = [];
  const add = (text: string, literal: boolean): void => {
    if (text === '') return;
    const last = pieces.at(-1);
    if (last?.literal === literal) pieces[pieces.length - 1] = { literal, text: last.text + text };
    else pieces.push({ literal, text });
  };
  for (const chunk of words.split(/(\s+)/)) {
    const end = chunk.length - trailingPunctuation(chunk);
    if (isCode(chunk.slice(0, end))) {
      add(chunk.slice(0, end), true);
      addProse(chunk.slice(end), add);
    } else addProse(chunk, add);
  }
  return pieces;
}

function addProse(text: string, add: (text: string, literal: boolean) => void): void {
  let at = 0;
  for (const match of text.matchAll(LITERAL)) {
    add(text.slice(at, match.index), false);
    add(match[0], true);
    at = match.index + match[0].length;
  }
  add(text.slice(at), false);
}

function trailingPunctuation(chunk: string): number {
  let count = 0;
  while (count < chunk.length && '.,;:!?)]}"\'»”’…'.includes(chunk.charAt(chunk.length - 1 - count))) count++;
  return count;
}

/** Longer chunks are not examined: the expressions below take more than linear time. */
const LONGEST_CODE = 300;

/** Whether a chunk has no translatable words, as addresses, paths and identifiers do not. */
function isCode(chunk: string): boolean {
  if (/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(chunk)) return true;
  if (chunk.length < 3 || chunk.length > LONGEST_CODE) return false;
  return (
    /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(chunk) ||
    /^(?:\.{1,2}|~)?\/[\w.-]/.test(chunk) ||
    /^[\w.]*[A-Za-z0-9]_[\w.]*$/.test(chunk)
  );
}

/** A part of an answer: words or the content of a blank, with the pairs around it. */
export interface RecordItem {
  readonly tokens: readonly Token[];
  readonly owners: Set<number>;
}

/** Marks of unknown words. Literal characters of this kind are sent in blanks, so all matches are marks. */
const MARKS = new Set(['*', '#', '@', '~']);
/** Signs of lexical units and chunks that no stage resolved. */
const UNRESOLVED = new Set(['^', '$', '<', '>', '{', '}', ']']);

/**
 * Parses an answer in Apertium's stream format.
 *
 * @returns undefined if it is damaged: a blank that is missing, repeated or unknown, or an unresolved unit
 */
export function readItems(stream: string, blanks: readonly Blank[]): RecordItem[] | undefined {
  const items: RecordItem[] = [];
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

/** `t:x:1; t:x:2` names pairs; `/` ends them. */
function readOwners(name: string): readonly number[] | undefined {
  if (name === '/') return [];
  const ids = name.split(';').map((part) => Number(/^\s*t:x:(\d+)\s*$/.exec(part)?.[1] ?? 'NaN'));
  return ids.some(Number.isNaN) ? undefined : [...new Set(ids)];
}
