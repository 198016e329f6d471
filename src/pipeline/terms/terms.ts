import { fallbackCodes } from '../../engines/chain-rules.ts';
import type { RequiredTerm } from '../../engines/engine.ts';
import { parseMessage } from '../../text/message.ts';
import type { Syntax } from '../../text/syntax.ts';
import { mergeWords, type TaggedText, type Token, tokenize, writeTagged } from '../../text/tagged.ts';
import type { Glossary, GlossaryTerm } from '../glossary.ts';
import { type Inflection, inflectionOf } from './inflection.ts';
import { type Occurrence, sourceFormsOf, TermIndex } from './term-index.ts';
import { identityOf, type Name, TranslationWords, wantedOf, type WantedTranslation } from './term-match.ts';

/**
 * The requirements of a glossary in one direction. A term is found in whole words, in one of their forms, and not
 * across placeholders or inline markup; among competing terms, the longest wins. Immutable.
 */
export interface Terms {
  /**
   * Replaces fixed names with placeholders (with ids above those of the text). A text that is only a name has no words
   * left.
   */
  protect(segment: TaggedText): ProtectedSegment;
  /** The terms with a translation in this language that occur in the segments, without names. */
  requiredIn(segments: readonly TaggedText[]): readonly RequiredTerm[];
  /** Both the terms and the names that occur in the segments, as the glossary has them. */
  foundIn(segments: readonly TaggedText[]): readonly GlossaryTerm[];
  /**
   * The terms and names in the segments whose translations lack them: a name must occur at least as often as in the
   * source, a term at least once, in any of its translations and forms. If there are as many translations as segments,
   * each segment is compared with its own translation.
   */
  missingIn(segments: readonly TaggedText[], translations: readonly TaggedText[]): readonly RequiredTerm[];
}

export interface ProtectedSegment {
  readonly tagged: TaggedText;
  /** Restores the names, spelled as in the source. Keeps other placeholders. */
  readonly restore: (translation: TaggedText) => TaggedText;
}

const PREPARED = new WeakMap<Glossary, Map<string, Terms | undefined>>();

/** Undefined if the glossary has no terms for the direction. Cached per glossary and direction. */
export function termsFor(glossary: Glossary, source: string, target: string): Terms | undefined {
  let directions = PREPARED.get(glossary);
  if (!directions) PREPARED.set(glossary, (directions = new Map()));
  const direction = `${source} ${target}`;
  if (!directions.has(direction)) directions.set(direction, prepare(glossary, source, target));
  return directions.get(direction);
}

function prepare(glossary: Glossary, source: string, target: string): Terms | undefined {
  const required = new Map<GlossaryTerm, Required>();
  const used = glossary.terms.filter((term) => {
    if (term.doNotTranslate) return true;
    const code = fallbackCodes(target).find((candidate) => term.translations.has(candidate));
    const [translation, ...others] = (code === undefined ? undefined : term.translations.get(code)) ?? [];
    if (translation === undefined) return false;
    const { note } = term;
    required.set(term, {
      term: { term: term.term, translation, ...(note !== undefined && { note }) },
      wanted: [translation, ...others].map(wantedOf),
    });
    return true;
  });
  if (used.length === 0) return undefined;
  return new PreparedTerms(new TermIndex(used, sourceFormsOf(source)), required, target);
}

interface Required {
  readonly term: RequiredTerm;
  readonly wanted: readonly WantedTranslation[];
}

/** The terms found in one text. */
interface FoundTerm {
  readonly terms: readonly GlossaryTerm[];
  /** Spellings and their number of occurrences. */
  readonly names: readonly Name[];
}

/** The maximum length of remembered texts, in UTF-16 code units. Each text is checked several times. */
const MOST_REMEMBERED = 2_000_000;
const NOTHING: FoundTerm = { terms: [], names: [] };

class PreparedTerms implements Terms {
  readonly #index: TermIndex;
  readonly #required: ReadonlyMap<GlossaryTerm, Required>;
  readonly #target: Inflection;
  readonly #found = new Map<TaggedText, FoundTerm>();
  #remembered = 0;

  constructor(index: TermIndex, required: ReadonlyMap<GlossaryTerm, Required>, target: string) {
    this.#index = index;
    this.#required = required;
    this.#target = inflectionOf(target);
  }

  protect(segment: TaggedText): ProtectedSegment {
    if (this.#findIn(segment).names.length === 0) return { tagged: segment, restore: (answer) => answer };
    return protectNames(segment, (text) => this.#index.find(text).filter(({ term }) => term.doNotTranslate));
  }

  requiredIn(segments: readonly TaggedText[]): readonly RequiredTerm[] {
    const terms = new Set(segments.flatMap((segment) => this.#findIn(segment).terms));
    return [...terms].flatMap((term) => this.#required.get(term)?.term ?? []);
  }

  foundIn(segments: readonly TaggedText[]): readonly GlossaryTerm[] {
    const words = segments.flatMap(wordsOf);
    return [...new Set(words.flatMap((text) => this.#index.find(text).map(({ term }) => term)))];
  }

  missingIn(segments: readonly TaggedText[], translations: readonly TaggedText[]): readonly RequiredTerm[] {
    const found = segments.map((segment) => this.#findIn(segment));
    if (found.every((each) => each === NOTHING)) return [];
    const isParallel = segments.length === translations.length;
    const all = new TranslationWords(translations);
    const missing = new Set<GlossaryTerm>();
    found.forEach(({ terms }, i) => {
      if (terms.length === 0) return;
      const isWhole = !isParallel || segments.length === 1;
      const own = isWhole ? all : new TranslationWords([translations[i] ?? '']);
      for (const term of terms) if (!this.#has(own, term)) missing.add(term);
    });
    const names = all.missingNames(sumOf(found, isParallel));
    return [
      ...[...missing].flatMap((term) => this.#required.get(term)?.term ?? []),
      ...names.map(({ spelling }) => ({ term: spelling, translation: spelling })),
    ];
  }

  #has(words: TranslationWords, term: GlossaryTerm): boolean {
    return this.#required.get(term)?.wanted.some((wanted) => words.has(wanted, this.#target)) ?? true;
  }

  #findIn(segment: TaggedText): FoundTerm {
    const known = this.#found.get(segment);
    if (known) return known;
    const found = this.#search(segment);
    this.#remembered += segment.length;
    if (this.#remembered > MOST_REMEMBERED) {
      this.#found.clear();
      this.#remembered = segment.length;
    }
    this.#found.set(segment, found);
    return found;
  }

  #search(segment: TaggedText): FoundTerm {
    const terms = new Set<GlossaryTerm>();
    const names: Name[] = [];
    for (const words of wordsOf(segment)) {
      for (const { term, start, end } of this.#index.find(words)) {
        if (!term.doNotTranslate) terms.add(term);
        else names.push({ spelling: words.slice(start, end), caseSensitive: term.caseSensitive, count: 1 });
      }
    }
    if (terms.size === 0 && names.length === 0) return NOTHING;
    return { terms: [...terms], names: sumOf([{ terms: [], names }], true) };
  }
}

/**
 * Replaces parts of a text's words with placeholders, with ids above those of the text.
 *
 * @param find returns disjoint parts of some words, in order
 */
function protectNames(
  segment: TaggedText,
  find: (words: string) => readonly Pick<Occurrence, 'start' | 'end'>[],
): ProtectedSegment {
  const tokens = tokenize(segment) ?? [];
  let id = 0;
  for (const token of tokens) if (token.type !== 'words') id = Math.max(id, token.id);
  const spellings = new Map<number, string>();
  const protectedTokens = tokens.flatMap((token): Token[] => {
    if (token.type !== 'words') return [token];
    return cutOut(token.text, find(token.text), (spelling) => {
      spellings.set(++id, spelling);
      return { type: 'placeholder', id };
    });
  });
  return {
    tagged: writeTagged(protectedTokens),
    restore: (answer) => putBack(answer, spellings),
  };
}

function wordsOf(segment: TaggedText): readonly string[] {
  if (!/[<&]/.test(segment)) return [segment];
  return mergeWords(tokenize(segment) ?? []).flatMap((token) => (token.type === 'words' ? [token.text] : []));
}

/** How many times each name is required; once if the translation and the source have different branches. */
function sumOf(found: readonly FoundTerm[], isParallel: boolean): readonly Name[] {
  const [only, ...others] = found;
  if (others.length === 0 && only && only.names.length < 2) return only.names;
  const sums = new Map<string, Name>();
  for (const name of found.flatMap(({ names }) => names)) {
    const key = identityOf(name);
    const count = isParallel ? (sums.get(key)?.count ?? 0) + name.count : 1;
    sums.set(key, { ...(sums.get(key) ?? name), count });
  }
  return [...sums.values()];
}

function cutOut(
  text: string,
  names: readonly Pick<Occurrence, 'start' | 'end'>[],
  placeholderFor: (spelling: string) => Token,
): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const { start, end } of names) {
    if (start > at) tokens.push({ type: 'words', text: text.slice(at, start) });
    tokens.push(placeholderFor(text.slice(start, end)));
    at = end;
  }
  if (at < text.length) tokens.push({ type: 'words', text: text.slice(at) });
  return tokens;
}

function putBack(answer: TaggedText, spellings: ReadonlyMap<number, string>): TaggedText {
  const tokens = tokenize(answer);
  if (!tokens) return answer;
  const restored = tokens.map((token): Token => {
    const spelling = token.type === 'placeholder' ? spellings.get(token.id) : undefined;
    return spelling === undefined ? token : { type: 'words', text: spelling };
  });
  return writeTagged(mergeWords(restored));
}

/** The text that a comment locks: words, or everything. */
type Locked = readonly string[] | 'all';

const NOTHING_LOCKED: Locked = [];
const INSTRUCTION = /\{(?:Locked|Placeholder)(=|\})/g;
const QUOTED = /"([^"]+)"(?:\s*,\s*)?/y;

/**
 * The text that a developer's comment locks, in the notation of .NET and VS Code: `{Locked}` for the whole text,
 * `{Locked="Contoso","beta"}` and `{Placeholder="{0}"}` for the words that they name.
 */
function lockedBy(comment: string | undefined): Locked {
  if (comment === undefined || !/\{(?:Locked|Placeholder)/.test(comment)) return NOTHING_LOCKED;
  const words: string[] = [];
  for (const { index, 0: opening, 1: sign } of comment.matchAll(INSTRUCTION)) {
    if (sign === '}' && opening === '{Locked}') return 'all';
    QUOTED.lastIndex = index + opening.length;
    for (let found = QUOTED.exec(comment); found; found = QUOTED.exec(comment)) words.push(found[1] ?? '');
  }
  return words;
}

interface LockedPlace {
  readonly comment?: string | undefined;
}

/** Puts placeholders in place of text that comments lock; undefined if nothing is locked. */
export function protectLocked(
  segments: readonly { readonly tagged: TaggedText; readonly context?: LockedPlace | undefined }[],
): ReadonlyMap<TaggedText, ProtectedSegment> | undefined {
  if (!segments.some(({ context }) => lockedBy(context?.comment).length > 0)) return undefined;
  const found = new Map<TaggedText, Locked>();
  for (const { tagged, context } of segments) {
    const locked = lockedBy(context?.comment);
    const known = found.get(tagged) ?? NOTHING_LOCKED;
    // A text may occur in several places with different comments: it stays locked if one of them locks it.
    found.set(tagged, known === 'all' || locked === 'all' ? 'all' : [...known, ...locked]);
  }
  return new Map(
    [...found].map(([tagged, locked]) => [tagged, protectNames(tagged, (text) => spansOf(text, locked))]),
  );
}

/** Whether translations keep the locked text of their sources. */
export function keepsLocked(
  comment: string | undefined,
  sources: readonly TaggedText[],
  translations: readonly TaggedText[],
): boolean {
  const locked = lockedBy(comment);
  if (locked === 'all') return sources.every((source, i) => source === translations[i]);
  if (locked.length === 0) return true;
  const count = (texts: readonly TaggedText[], word: string): number =>
    texts
      .flatMap((text) => tokenize(text) ?? [])
      .reduce((sum, token) => sum + (token.type === 'words' ? token.text.split(word).length - 1 : 0), 0);
  return locked.every((word) => count(translations, word) >= count(sources, word));
}

/** The places of the words, without overlaps; if several begin at the same place, the longest is used. */
function spansOf(text: string, locked: Locked): readonly { readonly start: number; readonly end: number }[] {
  if (locked === 'all') return text.trim() === '' ? [] : [{ start: 0, end: text.length }];
  const spans = locked
    .flatMap((word) => occurrencesOf(text, word))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let behind = 0;
  return spans.filter(({ start, end }) => start >= behind && (behind = end) > 0);
}

function occurrencesOf(text: string, word: string): { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    found.push({ start: at, end: at + word.length });
  return found;
}

/** A value as written in its file. */
interface WrittenValue {
  readonly value: string;
  readonly syntax: Syntax;
}

/** The terms that a value translated elsewhere lacks. */
export function missingInValue(
  terms: Terms,
  source: WrittenValue,
  translation: WrittenValue,
  locale: string,
): readonly RequiredTerm[] {
  const [segments, translations] = [source, translation].map(({ value, syntax }) =>
    parseMessage(value, syntax).segments(locale),
  );
  return terms.missingIn(segments ?? [], translations ?? []);
}

/** The message about a term that a translation lacks. */
export function missingTermText({ term, translation }: RequiredTerm): string {
  return term === translation
    ? `${JSON.stringify(term)} is missing`
    : `${JSON.stringify(term)} is not translated as ${JSON.stringify(translation)}`;
}
