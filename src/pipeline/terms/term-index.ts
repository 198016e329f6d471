import { languageOf } from '../../languages/locale.ts';
import type { GlossaryTerm } from '../glossary.ts';
import { lowerCaseOf, piecesOf, type WordPiece } from './word-segmentation.ts';

/** A glossary term found in a text. */
export interface Occurrence {
  readonly term: GlossaryTerm;
  readonly start: number;
  readonly end: number;
}

interface TermNode {
  readonly next: Map<string, TermNode>;
  readonly ends: TermEntry[];
}

interface TermEntry {
  readonly term: GlossaryTerm;
  readonly keys: readonly string[];
}

/** The terms with one set of spelling rules, by their pieces. */
interface Trie {
  readonly root: TermNode;
  readonly forms: SourceForms;
  readonly caseSensitive: boolean;
}

interface Match extends Occurrence {
  readonly weight: number;
}

/** Finds glossary terms in texts. The work for a text does not depend on the number of terms. */
export class TermIndex {
  readonly #tries: readonly Trie[];

  /** @param forms the inflection of translatable terms; names are not inflected */
  constructor(terms: readonly GlossaryTerm[], forms: SourceForms) {
    const tries = [true, false].flatMap((caseSensitive) =>
      [true, false].map((names): Trie => {
        const trie = { root: emptyNode(), forms: names ? EXACT_FORMS : forms, caseSensitive };
        for (const term of terms) {
          if (term.doNotTranslate === names && term.caseSensitive === caseSensitive) insert(trie, term);
        }
        return trie;
      }),
    );
    this.#tries = tries.filter(({ root }) => root.next.size > 0);
  }

  /** Finds terms in text order, without overlaps: among competing terms, the longest wins. */
  find(text: string): readonly Occurrence[] {
    const pieces = piecesOf(text);
    const exact = pieces.map(({ key }) => key);
    const lower = exact.map(lowerCaseOf);
    const matches: Match[] = [];
    for (const trie of this.#tries) {
      const walk: TermWalk = { trie, pieces, keys: trie.caseSensitive ? exact : lower, matches };
      for (let from = 0; from < pieces.length; from++) follow(walk, trie.root, from, from);
    }
    if (matches.length === 0) return matches;
    return withoutOverlaps(
      text,
      matches.filter(({ start, end }) => !isGlued(text, start, end)),
    );
  }
}

function emptyNode(): TermNode {
  return { next: new Map(), ends: [] };
}

function insert({ root, forms, caseSensitive }: Trie, term: GlossaryTerm): void {
  const pieces = piecesOf(term.term.trim());
  if (pieces.length === 0) return;
  const keys = pieces.map(({ key }) => (caseSensitive ? key : lowerCaseOf(key)));
  let node = root;
  pieces.forEach(({ kind }, i) => {
    const key = keys[i] ?? '';
    const index = kind === 'word' ? forms.indexKey(key) : key;
    let next = node.next.get(index);
    if (!next) node.next.set(index, (next = emptyNode()));
    node = next;
  });
  node.ends.push({ term, keys });
}

/** The state of searching a text in one trie. */
interface TermWalk {
  readonly trie: Trie;
  readonly pieces: readonly WordPiece[];
  /** The comparison key of each piece. */
  readonly keys: readonly string[];
  readonly matches: Match[];
}

/** Continues from a node with the piece at `at`; collects terms that end there. */
function follow(walk: TermWalk, node: TermNode, from: number, at: number): void {
  if (node.ends.length > 0) collect(walk, node.ends, from, at);
  const key = walk.keys[at];
  if (key === undefined || node.next.size === 0) return;
  const next = node.next.get(key);
  if (next) follow(walk, next, from, at + 1);
  if (walk.pieces[at]?.kind !== 'word') return;
  for (const other of walk.trie.forms.lookupKeys(key)) {
    const inflected = node.next.get(other);
    if (inflected && inflected !== next) follow(walk, inflected, from, at + 1);
  }
}

function collect(
  { trie, pieces, keys, matches }: TermWalk,
  ends: readonly TermEntry[],
  from: number,
  at: number,
): void {
  const start = pieces[from]?.start ?? 0;
  const last = pieces[at - 1];
  const end = last ? last.start + last.text.length : start;
  for (const { term, keys: wanted } of ends) {
    const isThere = wanted.every((key, i) => {
      const found = keys[from + i] ?? '';
      return found === key || (pieces[from + i]?.kind === 'word' && trie.forms.isForm(key, found));
    });
    if (isThere) matches.push({ term, start, end, weight: weightOf(term) });
  }
}

/** Among terms for the same words, the more specific one wins. */
function weightOf({ caseSensitive, doNotTranslate }: GlossaryTerm): number {
  return (caseSensitive ? 2 : 0) + (doNotTranslate ? 1 : 0);
}

const WORD_BEFORE = /[\p{L}\p{N}][.@]$/u;
const WORD_AFTER = /^[.@][\p{L}\p{N}]/u;

/** Whether an occurrence is part of an address or file name, and therefore not a term. */
function isGlued(text: string, start: number, end: number): boolean {
  const [before, after] = [text[start - 1], text[end]];
  if (before !== '.' && before !== '@' && after !== '.' && after !== '@') return false;
  return (
    WORD_BEFORE.test(text.slice(Math.max(0, start - 3), start)) || WORD_AFTER.test(text.slice(end, end + 3))
  );
}

function withoutOverlaps(text: string, matches: readonly Match[]): readonly Occurrence[] {
  if (matches.length < 2) return matches;
  const sorted = matches.toSorted(
    (a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start || b.weight - a.weight,
  );
  const isTaken = new Uint8Array(text.length);
  const taken = sorted.filter(({ start, end }) => {
    // Longer terms are placed first, so an overlapping one covers an end of this term.
    if (isTaken[start] === 1 || isTaken[end - 1] === 1) return false;
    isTaken.fill(1, start, end);
    return true;
  });
  return taken.toSorted((a, b) => a.start - b.start);
}

/** The possible forms of a term's word in a source text. */
interface SourceForms {
  /** The key under which a term's word is indexed. */
  indexKey(word: string): string;
  /** Keys of further terms of which a word may be a form. */
  lookupKeys(word: string): readonly string[];
  /** Whether the text's word is a form of the term's word, if they share a key. */
  isForm(term: string, word: string): boolean;
}

/** The forms of names and symbols, which are not inflected. */
const EXACT_FORMS: SourceForms = {
  indexKey: (word) => word,
  lookupKeys: () => [],
  isForm: (term, word) => term === word,
};

/** Only regular plurals: more would accept `user` as a form of `used`. */
const ENGLISH: SourceForms = {
  indexKey: (word) => word,
  lookupKeys: singularsOf,
  isForm: () => true,
};

/** Words that look like plurals of possible terms. */
const NO_PLURALS = /^(?:news|does|its|his|has|was|this|plus|always)$/i;

function singularsOf(word: string): readonly string[] {
  if (word.length < 3 || !/\p{L}s$/iu.test(word) || /ss$/i.test(word) || NO_PLURALS.test(word)) return [];
  const found = [word.slice(0, -1)];
  if (/(?:[sxz]|[cs]h|o)es$/i.test(word)) found.push(word.slice(0, -2));
  if (/[^aeiou]ies$/i.test(word)) found.push(`${word.slice(0, -3)}y`);
  if (/[^aeiou]IES$/.test(word)) found.push(`${word.slice(0, -3)}Y`);
  if (/[aeiourl]ves$/i.test(word)) found.push(`${word.slice(0, -3)}f`, `${word.slice(0, -3)}fe`);
  return found;
}

/** Endings of highly inflected languages: short ones after the word, shorter ones in place of its last vowels. */
const ENDINGS: SourceForms = {
  indexKey: coreOf,
  lookupKeys: (word) => {
    const keys: string[] = [];
    for (let length = word.length - 1; length >= Math.max(3, word.length - LONGEST_ENDING); length--) {
      keys.push(word.slice(0, length));
    }
    keys.push(coreOf(word));
    return keys;
  },
  isForm: (term, word) => {
    if (term === word) return true;
    if (term.length < 3 || word.length < 3) return false;
    if (word.startsWith(term)) return word.length - term.length <= LONGEST_ENDING;
    const core = coreOf(term);
    return core !== term && word.startsWith(core) && word.length - core.length <= LONGEST_ENDING - 1;
  },
};

const LONGEST_ENDING = 3;
const LAST_VOWELS = /(?:[аиоуыэюяеё][йяе]|[aeiouyáéíóúàèìòùâêîôûäöüãõąęěůюяаеиоуыьй])$/i;

/** A word without its own ending. */
function coreOf(word: string): string {
  if (word.length < 4) return word;
  const core = word.replace(LAST_VOWELS, '');
  return core.length < 3 ? word : core;
}

/** The inflection rules for a source language. */
export function sourceFormsOf(language: string): SourceForms {
  return languageOf(language) === 'en' ? ENGLISH : ENDINGS;
}
