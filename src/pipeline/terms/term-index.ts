import type { GlossaryTerm } from '../glossary.ts';
import { lowerCaseOf, piecesOf, type WordPiece } from './word-segmentation.ts';
import { EXACT_FORMS, type SourceForms } from './source-forms.ts';

/** A term of the glossary as it stands in a run of words. */
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

/** The terms that are written by one set of rules, by their pieces. */
interface Trie {
  readonly root: TermNode;
  readonly forms: SourceForms;
  readonly caseSensitive: boolean;
}

interface Match extends Occurrence {
  readonly weight: number;
}

/** Finds the terms of a glossary in texts. The work for a text does not depend on how many terms there are. */
export class TermIndex {
  readonly #tries: readonly Trie[];

  /** `forms` say how terms that are translated may be inflected; names are not. */
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

  /** In the order of the text, without overlaps: where terms compete for words, the longest has them. */
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

/** A text that is gone through for one trie. */
interface TermWalk {
  readonly trie: Trie;
  readonly pieces: readonly WordPiece[];
  /** Each piece as it is compared. */
  readonly keys: readonly string[];
  readonly matches: Match[];
}

/** Goes on from a node with the piece at `at`; collects what ends there. */
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

/** Of terms for the same words the one that is meant more exactly goes first. */
function weightOf({ caseSensitive, doNotTranslate }: GlossaryTerm): number {
  return (caseSensitive ? 2 : 0) + (doNotTranslate ? 1 : 0);
}

const WORD_BEFORE = /[\p{L}\p{N}][.@]$/u;
const WORD_AFTER = /^[.@][\p{L}\p{N}]/u;

/** A part of an address or of a file's name is none of ours. */
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
    // What has words already is at least as long: it covers an end of this one, or nothing of it.
    if (isTaken[start] === 1 || isTaken[end - 1] === 1) return false;
    isTaken.fill(1, start, end);
    return true;
  });
  return taken.toSorted((a, b) => a.start - b.start);
}
