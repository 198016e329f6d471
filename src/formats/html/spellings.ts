import type { BlockPlace } from './block.ts';
import { readReference, REFERENCE } from './references.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Receives a character that may be written as a reference, with its spelling and offset. */
type TakeCharacter = (character: string, spelling: string, start: number) => void;

/**
 * How a block spells characters that it writes as references: `&eacute;` or `&#233;` for `é`. Its translation uses the
 * same spellings. Includes `&` and `<` even if the source has them bare (`Tom & Jerry`).
 */
export class Spellings {
  readonly #place: BlockPlace;
  /** The spellings of each character, in source order. */
  readonly #source = new Map<string, string[]>();
  readonly #pattern: RegExp;
  readonly #counts = new Map<string, number>();
  readonly #written = new Map<string, number>();

  /** @param texts the texts of a block, in order and without templates */
  constructor(texts: readonly string[], place: BlockPlace) {
    this.#place = place;
    const found = new Set<string>();
    for (const text of texts) eachCharacter(text, place, BARE, (character) => found.add(character));
    this.#pattern = patternOf(found);
    for (const text of texts) {
      eachCharacter(text, place, this.#pattern, (character, spelling) => {
        addTo(this.#source, character, spelling);
      });
    }
  }

  /** Counts the characters of a piece of the translation. All pieces are counted before the first is written. */
  count(piece: string): void {
    eachCharacter(piece, 'text', this.#pattern, (character) => {
      this.#counts.set(character, (this.#counts.get(character) ?? 0) + 1);
    });
  }

  /** Skips a piece that the translation shares with the source. */
  skip(piece: string): void {
    eachCharacter(piece, 'text', this.#pattern, (character) => void this.#next(character));
  }

  /**
   * Writes a piece of the translation.
   *
   * @param after the text that follows in the file, unless it is markup
   * @param writeWords writes the text between characters that have a spelling
   */
  write(piece: string, after: string, writeWords: (words: string) => string): string {
    const parts: { readonly words: string; readonly spelling: string }[] = [];
    let at = 0;
    eachCharacter(piece, 'text', this.#pattern, (character, spelling, start) => {
      parts.push({ words: piece.slice(at, start), spelling: this.#spell(character, spelling) });
      at = start + spelling.length;
    });
    let written = writeWords(piece.slice(at));
    // The following text decides whether a semicolon can be omitted, so pieces are written from last to first.
    let tail = (written + after).slice(0, LONGEST);
    for (const { words, spelling } of parts.reverse()) {
      const part = writeWords(words) + this.#closed(spelling, tail);
      written = part + written;
      tail = (part + tail).slice(0, LONGEST);
    }
    return written;
  }

  #next(character: string): number {
    const index = this.#written.get(character) ?? 0;
    this.#written.set(character, index + 1);
    return index;
  }

  #spell(character: string, given: string): string {
    const index = this.#next(character);
    const spellings = this.#source.get(character);
    if (!spellings) return given;
    const same = spellings.length === this.#counts.get(character) ? spellings[index] : undefined;
    if (same !== undefined) return same;
    if (!ESCAPES.has(given) && given !== character && spellings.includes(given)) return given;
    return spellings.find((spelling) => spelling !== character) ?? character;
  }

  /** A spelling that still decodes to its character before `tail`. */
  #closed(spelling: string, tail: string): string {
    if (spelling === '<') return this.#staysText(tail) ? spelling : '&lt;';
    if (!spelling.startsWith('&') || spelling.endsWith(';')) return spelling;
    REFERENCE.lastIndex = 0;
    const match = REFERENCE.exec(spelling + tail);
    const [raw] = match ?? [''];
    const next = (spelling + tail)[raw.length];
    const read = match?.index === 0 ? readReference(raw, this.#place, next) : undefined;
    if (spelling === '&') return read ? '&amp;' : spelling;
    return read?.spelling === spelling ? spelling : `${spelling};`;
  }

  /** Whether a bare `<` before `tail` starts neither a tag nor a template. */
  #staysText(tail: string): boolean {
    const isQuoted = this.#place === 'double-quoted' || this.#place === 'single-quoted';
    return isQuoted ? !/^[%?]/.test(tail) : /^(?:$|[\s\d=<&])/.test(tail);
  }
}

/** Whether a text has characters whose written form differs from their form in values. */
export function isSpelled(text: string): boolean {
  return /&(?!(?:amp|lt);)|</.test(text);
}

/** The default escapes of values, which the source does not choose. */
const ESCAPES: ReadonlySet<string> = new Set(['&amp;', '&lt;', '&gt;']);

/** The maximum length of a reference, longer than any name. */
const LONGEST = 80;

const BARE = new RegExp(`${REFERENCE.source}|[&<]`, 'g');
const patterns = new Map<string, RegExp>();
const MAX_PATTERNS = 256;

/** References, and these characters if bare. White space in running text has no other spelling. */
function patternOf(characters: ReadonlySet<string>): RegExp {
  const bare = [...characters].filter((character) => character.trim() !== '');
  if (bare.every((character) => character === '&' || character === '<')) return BARE;
  const key = bare.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('\0');
  let pattern = patterns.get(key);
  if (!pattern) {
    const escaped = bare.map((character) => character.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
    pattern = new RegExp(`${REFERENCE.source}|${['&', '<', ...escaped].join('|')}`, 'g');
    if (patterns.size < MAX_PATTERNS) patterns.set(key, pattern);
  }
  return pattern;
}

function eachCharacter(text: string, place: BlockPlace, pattern: RegExp, take: TakeCharacter): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { 0: raw, index } = match;
    const next = text[pattern.lastIndex];
    const { text: character, spelling } = readCharacter(raw, place, next);
    take(character, spelling, index);
    // The match may include a word: `&copyright` is a reference and `right`.
    pattern.lastIndex = index + spelling.length;
  }
}

function readCharacter(
  raw: string,
  place: BlockPlace,
  next: string | undefined,
): { readonly text: string; readonly spelling: string } {
  if (!raw.startsWith('&')) return { text: raw, spelling: raw };
  return readReference(raw, place, next) ?? { text: '&', spelling: '&' };
}
