import type { Span } from '../../base/span.ts';
import { decodeText } from '../html/references.ts';
import type { BlockKind } from './block.ts';
import type { InlinePiece } from './piece.ts';
import { plainRaw, withTexts } from './notation.ts';
import { USUAL } from './value.ts';

/** A part of a value to write: see {@link InlineValue}. */
export interface InlinePart {
  readonly kind: 'words' | 'reference' | 'open' | 'close' | 'code' | 'break';
  readonly name: string;
  /** Decoded words, or a reference as written. */
  readonly text: string;
  /** The notation, as in the attribute. */
  readonly attribute: string | undefined;
}

const TOKEN =
  /<(\/?)(em|strong|del|a|alt|link-title|h|code|x|br)(?: r="([^"<>]*)")?(\/?)>|(&(?:[A-Za-z]\w*|#\d+|#[xX][\dA-Fa-f]+);)|[^<&]+|[<&]/gy;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Parses a value. Undefined if its pairs are not nested. */
export function readInline(value: string): readonly InlinePart[] | undefined {
  const parts: InlinePart[] = [];
  const open: string[] = [];
  const addWords = (text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === 'words') parts[parts.length - 1] = { ...last, text: last.text + text };
    else parts.push({ kind: 'words', name: '', text, attribute: undefined });
  };
  for (const [raw, slash, name, attribute, isEmpty, reference] of value.matchAll(TOKEN)) {
    if (reference !== undefined) {
      const known = ENTITIES[reference];
      if (known !== undefined) addWords(known);
      else parts.push({ kind: 'reference', name: '', text: reference, attribute: undefined });
    } else if (name === undefined) addWords(raw);
    else if (slash === '/') {
      if (open.pop() !== name) return undefined;
      parts.push({ kind: 'close', name, text: '', attribute: undefined });
    } else {
      const kind = isEmpty === '' ? 'open' : name === 'br' ? 'break' : 'code';
      if (kind === 'open') open.push(name);
      parts.push({
        kind,
        name,
        text: '',
        attribute: attribute === undefined ? undefined : decodeText(attribute),
      });
    }
  }
  return open.length === 0 ? parts : undefined;
}

export interface WritingPlace {
  readonly kind: BlockKind;
  /** The document, and the place of the block that is replaced. */
  readonly text: string;
  readonly span: Span;
  readonly pieces: readonly InlinePiece[];
  /** The bytes of a notation, line prefixes included, and whether they come from this place. */
  readonly rawOf: (attribute: string) => { readonly raw: string; readonly isOwn: boolean };
}

export interface WrittenInline {
  readonly text: string;
  /** The same bytes, without container prefixes on their lines. */
  readonly alone: string;
}

export function writeInline(
  parts: readonly InlinePart[],
  place: WritingPlace,
  escapes: 'as it is' | 'escaped',
): WrittenInline {
  const writer = new InlineWriter(place, escapes === 'escaped');
  for (const part of parts) writer.add(part);
  return writer.end();
}

/** Scripts without spaces: a line break would be displayed as a space. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Text that would become markup at the beginning of a line, or end the paragraph on a line without other words. */
const LINE_MARKER =
  /^(?:[-+*](?:\s|$)|[-=]+(?:\s|$)|[-=_*]{3}|[~:!|>#%<{$@/]|`{3}|\+\+|\[\[|\d{1,9}[.)]|(?:import|export)\b|\[[^\]]*\]:)/;

/** A piece of the output: text, or a place where a line may or must end. */
type Chunk = { readonly text: string; readonly alone: string } | 'space' | 'break';

/** A pair that is still open. */
interface OpenPair {
  readonly closing: string;
  /** The opening, if it is a notation that may hold texts, and its index among the chunks. */
  readonly opening?: { readonly attribute: string; readonly index: number };
  /** The texts in its notation, in order. */
  readonly texts: string[];
}

class InlineWriter {
  readonly #place: WritingPlace;
  readonly #isEscaped: boolean;
  readonly #chunks: Chunk[] = [];
  readonly #spellings: ReadonlyMap<string, string>;
  readonly #open: OpenPair[] = [];
  /** The text between two lines: the line end, and the prefix of the next line. */
  readonly #soft: string | undefined;
  /** The text for each required line end, in order. */
  readonly #hard: readonly string[];
  #isUnspaced = false;
  #isInTitle = false;

  constructor(place: WritingPlace, isEscaped: boolean) {
    const { pieces, text } = place;
    this.#place = place;
    this.#isEscaped = isEscaped;
    this.#spellings = spellingsOf(pieces, text);
    const rawsOf = (kind: InlinePiece['kind']): readonly string[] =>
      pieces.filter((one) => one.kind === kind).map(({ start, end }) => text.slice(start, end));
    this.#soft = rawsOf('soft')[0]?.replace(/^[ \t]+/, '');
    this.#hard = rawsOf('hard');
  }

  add({ kind, name, text, attribute }: InlinePart): void {
    const texts = this.#open.at(-1)?.texts ?? [];
    if (name === 'link-title') {
      this.#isInTitle = kind === 'open';
      if (this.#isInTitle) texts.push('');
    } else if (this.#isInTitle) texts.push(`${texts.pop() ?? ''}${text}`);
    else if (kind === 'words') this.#addWords(text);
    else if (kind === 'reference') this.#push(text);
    else if (kind === 'break') this.#chunks.push('break');
    else if (kind === 'code') this.#pushRaw(attribute ?? '');
    else if (kind === 'close') this.#close();
    else if (name === 'a' || name === 'alt') {
      this.#push(USUAL[name] ?? '');
      this.#open.push({ closing: attribute ?? '](<>)', texts: [] });
    } else if ((name === 'h' || name === 'x') && attribute !== undefined) {
      const index = this.#chunks.length;
      this.#pushRaw(attribute);
      const tag = name === 'h' ? `</${/^<([\w.:-]+)/.exec(attribute)?.[1] ?? ''}>` : '';
      this.#open.push({ closing: tag, opening: { attribute, index }, texts: [] });
    } else {
      const marker = attribute ?? USUAL[name] ?? '';
      this.#push(marker);
      this.#open.push({ closing: marker, texts: [] });
    }
  }

  #push(text: string): void {
    this.#chunks.push({ text, alone: text });
  }

  #close(): void {
    const { closing, opening, texts } = this.#open.pop() ?? { closing: '', texts: [] };
    // A pair without a notation contains a text of the pair around it.
    if (!opening && closing === '') this.#open.at(-1)?.texts.push(...texts);
    else if (!opening) this.#pushRaw(closing, texts);
    else {
      this.#chunks[opening.index] = this.#chunkOf(opening.attribute, texts);
      this.#push(closing);
    }
  }

  #pushRaw(attribute: string, texts: readonly string[] = []): void {
    this.#chunks.push(this.#chunkOf(attribute, texts));
  }

  /** A notation with the texts that readers see in it. */
  #chunkOf(attribute: string, texts: readonly string[]): Chunk {
    const { raw: found, isOwn } = this.#place.rawOf(attribute);
    const raw = texts.length === 0 ? found : withTexts(found, texts, this.#place.kind === 'cell');
    const alone = plainRaw(raw);
    return { text: isOwn ? raw : alone.replaceAll('\n', this.#soft ?? '\n'), alone };
  }

  #addWords(words: string): void {
    this.#isUnspaced ||= UNSPACED.test(words);
    // A line may end at a single space between words.
    const pieces = words.split(/((?<=\S) (?=\S))/);
    for (const [i, piece] of pieces.entries()) {
      if (i % 2 === 1 || (piece === ' ' && this.#chunks.length > 0)) this.#chunks.push('space');
      else if (piece.startsWith(' ') && !piece.startsWith('  ') && i === 0 && this.#chunks.length > 0) {
        this.#chunks.push('space');
        this.#addWord(piece.slice(1));
      } else if (piece !== '') this.#addWord(piece);
    }
  }

  #addWord(word: string): void {
    const ends = word.endsWith(' ') && !word.endsWith('  ');
    this.#push(this.#write(ends ? word.slice(0, -1) : word));
    if (ends) this.#chunks.push('space');
  }

  #write(word: string): string {
    let written = '';
    const isFirst = this.#chunks.length === 0;
    for (let i = 0; i < word.length; i++) {
      const c = word[i] ?? '';
      const spelling = this.#spellings.get(c);
      if (spelling !== undefined) written += spelling;
      else if (c === '|' && this.#place.kind === 'cell') written += String.raw`\|`;
      else if (this.#isEscaped && needsEscape(word, i, isFirst)) written += `\\${c}`;
      else written += c;
    }
    if (!this.#isEscaped || !isFirst) return written;
    return written.replace(/^(\d{1,9})([.)])(?=\s|$)/, String.raw`$1\$2`);
  }

  end(): WrittenInline {
    const { kind, text, span } = this.#place;
    const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
    const wraps = this.#soft !== undefined && !this.#isUnspaced && kind !== 'cell' && kind !== 'heading';
    const width = wraps ? longestLine(text.slice(lineStart, span.end)) : Infinity;
    const prefix = (this.#soft ?? '').replace(/^\r?\n|^\r/, '').length;
    let breaks = 0;
    let column = span.start - lineStart;
    let written = '';
    let alone = '';
    for (let i = 0; i < this.#chunks.length; i++) {
      const chunk = this.#chunks[i];
      if (chunk === 'break') {
        const hard = this.#hard[breaks++] ?? this.#hard.at(-1) ?? `\\${this.#soft ?? '\n'}`;
        written += hard;
        alone += plainRaw(hard);
        column = prefix;
      } else if (chunk === 'space') {
        const word = this.#wordFrom(i + 1);
        if (column + 1 + word.length > width && !LINE_MARKER.test(word)) {
          written += this.#soft ?? ' ';
          alone += '\n';
          column = prefix;
        } else {
          written += ' ';
          alone += ' ';
          column++;
        }
      } else if (chunk) {
        written += chunk.text;
        alone += chunk.alone;
        const end = chunk.text.lastIndexOf('\n');
        column = end < 0 ? column + chunk.text.length : chunk.text.length - end - 1;
      }
    }
    return { text: written, alone };
  }

  /**
   * The text up to the next possible line end. Truncated, because a line that is too long only needs to exceed the
   * limit.
   */
  #wordFrom(index: number): string {
    let word = '';
    for (let i = index; i < this.#chunks.length && word.length < 500; i++) {
      const chunk = this.#chunks[i];
      if (chunk === undefined || chunk === 'space' || chunk === 'break') break;
      word += chunk.text;
    }
    return word;
  }
}

/** The spelling of characters that the source always writes as escapes or references, and of dollars. */
function spellingsOf(pieces: readonly InlinePiece[], text: string): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  const spelled = pieces.filter(({ isSpelled }) => isSpelled);
  if (spelled.length === 0) return spellings;
  const bare = pieces.map((piece) => (piece.isSpelled ? '' : piece.text)).join('');
  for (const piece of spelled) {
    const raw = text.slice(piece.start, piece.end);
    // Among bare dollars, a dollar that was escaped would close a formula.
    const isFree = piece.text === '$' || !bare.includes(piece.text);
    if (piece.text.length === 1 && piece.text.trim() !== '' && isFree)
      spellings.set(piece.text, spellings.get(piece.text) ?? raw);
  }
  return spellings;
}

function needsEscape(word: string, i: number, isFirst: boolean): boolean {
  const c = word[i] ?? '';
  const [before, after] = [word[i - 1] ?? ' ', word[i + 1] ?? ' '];
  if (c === '_') return !(/[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after));
  if (c === '&') return /^&#?\w+;/.test(word.slice(i, i + 40));
  if (c === '<') return /\S/.test(after);
  if (c === '!') return after === '[' || (isFirst && i === 0);
  if (c === '#') return before === ' ';
  if (c === '\\') return /[!-/:-@[-`{-~]/.test(after) || i === word.length - 1;
  if (c === ':') return /[\w+-]/.test(after) || (isFirst && i === 0);
  if (/[-+=>/%@]/.test(c)) return isFirst && i === 0;
  return /[*`[\]~${}|]/.test(c);
}

function longestLine(text: string): number {
  return Math.max(...text.split(/\r\n?|\n/).map((line) => line.length));
}
