import type { Document } from '../../formats/format.ts';
import { gapsOf } from './structure.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** The texts of a translation by the source texts that they certainly translate. */
export interface TextAlignment {
  readonly pairs: ReadonlyMap<number, number>;
  /** Source texts that the translation certainly lacks. Other unpaired texts may have a translation. */
  readonly missing: ReadonlySet<number>;
}

/** Further evidence about a pair, added to its score. */
export type PairEvidence = (source: number, target: number) => number;

/** How much better the best alignment with a pair must be than the best one without it. */
const MARGIN = 4.5;
/** A text without a counterpart. Titles and attributes are added and removed individually. */
const LONE = -2.5;
const LONE_TITLE = -1.5;
/** Headings are added and removed together with their section. */
const LEFT_SECTION = -4;
/**
 * One paragraph translated as two. Never certain, but an alternative to pairing one of them and assuming a missing
 * text.
 */
const SPLIT = -1.5;
/** The maximum size of a score table: more than 1,000 by 1,000 texts without any certain pair stay unmatched. */
const MAX_CELLS = 1_000_000;
/** How much longer translations are than their sources. */
const USUAL_RATIO = 1.1;
/** By how many texts a translation may be ahead or behind. */
const BAND = 150;
/** How many lines of a code block are compared. */
const MAX_LINES = 40;
/** Alignment is repeated, because certain pairs make their neighbours certain. */
const MAX_ROUNDS = 8;
/** The score of a pair whose words are translated the same way elsewhere on the page. */
const SAME_WORDS = 20;

/** The properties of a text that survive translation: its symbols, length and position. */
interface Trait {
  readonly kind: string;
  readonly level: number;
  readonly value: string;
  /** The length of the words alone (see `weigh`). */
  readonly length: number;
  /** Parts that stay the same in translations: code, destinations, numbers. */
  readonly fixed: readonly string[];
  /** The starts of words: names stay the same, and related languages share many. */
  readonly stems: readonly string[];
  /** The start of the line: `- `, `> `. */
  readonly prefix: string;
  /** The lines of code after it. */
  readonly code: readonly string[];
  /** A heading's anchor: its own, or the one generated from its text. */
  readonly anchor: string | undefined;
  readonly hasAnchor: boolean;
}

/**
 * Aligns a translation with its source by Gale and Church's method: dynamic programming finds the best sequence of
 * pairs, texts without a counterpart, and divided paragraphs. The kinds of blocks must match; the score depends on
 * code, links, numbers, names, lengths and the parts between texts. A pair is certain only if all other good alignments
 * have it too.
 *
 * @param sure known pairs, in order
 */
export function alignTexts(
  source: Document,
  target: Document,
  evidence: PairEvidence,
  sure: TextAlignment['pairs'] = new Map<number, number>(),
): TextAlignment {
  const texts = new Texts(traitsOf(source), traitsOf(target), evidence);
  const pairs = new Map(sure);
  let missing = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = pairs.size;
    missing = new Set();
    for (const segment of segmentsBetween(pairs, texts.size)) alignSegment(texts, segment, pairs, missing);
    if (pairs.size === before) break;
    texts.learn(pairs);
  }
  return { pairs, missing };
}

/** How likely two texts of a segment, counted from its start, are translations of each other. */
export function likenessOf(
  source: Document,
  target: Document,
): (segment: Segment) => (i: number, j: number) => number {
  const texts = new Texts(traitsOf(source), traitsOf(target), () => 0);
  return (segment) => {
    const scores = texts.scores(segment);
    return (i, j) => scores.pair(i, j);
  };
}

/** The texts from `from` up to `to` (exclusive), in the source and the translation. */
interface Segment {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

function segmentsBetween(
  pairs: ReadonlyMap<number, number>,
  size: readonly [number, number],
): readonly Segment[] {
  const segments: Segment[] = [];
  let from: readonly [number, number] = [0, 0];
  for (const [i, j] of [...[...pairs].sort(([a], [b]) => a - b), size]) {
    segments.push({ from, to: [i, j] });
    from = [i + 1, j + 1];
  }
  return segments;
}

/** Adds the certain pairs of a segment. */
function alignSegment(
  texts: Texts,
  { from: [i0, j0], to: [i1, j1] }: Segment,
  pairs: Map<number, number>,
  missing: Set<number>,
): void {
  const [rows, columns] = [i1 - i0, j1 - j0];
  if (rows === 0 || rows * columns > MAX_CELLS) return;
  const width = columns + 1;
  const scores = texts.scores({ from: [i0, j0], to: [i1, j1] });
  const known = new Float64Array(3 * rows * columns);
  /** All steps from a position: the number of texts on both sides, and the score. */
  const steps = (i: number, j: number, use: (rows: number, columns: number, score: number) => void): void => {
    if (i < rows) use(1, 0, texts.alone(0, i0 + i));
    if (j < columns) use(0, 1, texts.alone(1, j0 + j));
    if (i + 1 < rows && texts.isHeading(0, i0 + i)) use(2, 0, LONE + texts.alone(0, i0 + i + 1));
    if (j + 1 < columns && texts.isHeading(1, j0 + j)) use(0, 2, LONE + texts.alone(1, j0 + j + 1));
    if (i === rows || j === columns) return;
    const at = 3 * (i * columns + j);
    use(1, 1, known[at] ?? 0);
    if (i + 1 < rows) use(2, 1, known[at + 1] ?? 0);
    if (j + 1 < columns) use(1, 2, known[at + 2] ?? 0);
  };
  const first = (i: number): number => Math.max(0, Math.round((i * columns) / rows) - BAND);
  const last = (i: number): number => Math.min(columns, Math.round((i * columns) / rows) + BAND);
  for (let i = 0; i < rows; i++)
    for (let j = first(i); j <= last(i) && j < columns; j++) {
      const at = 3 * (i * columns + j);
      known[at] = scores.pair(i, j);
      known[at + 1] = scores.split(i, 2, j, 1);
      known[at + 2] = scores.split(i, 1, j, 2);
    }
  const ahead = new Float64Array((rows + 1) * width).fill(-Infinity);
  const behind = new Float64Array((rows + 1) * width).fill(-Infinity);
  behind[0] = 0;
  ahead[rows * width + columns] = 0;
  for (let i = rows; i >= 0; i--)
    for (let j = last(i); j >= first(i); j--)
      steps(i, j, (r, c, score) => {
        const at = i * width + j;
        ahead[at] = Math.max(ahead[at] ?? 0, score + (ahead[at + r * width + c] ?? 0));
      });
  /** By source text: the score of the best alignment in which it is alone, divided, or in a pair. */
  const lone = new Float64Array(rows).fill(-Infinity);
  const divided = new Float64Array(rows).fill(-Infinity);
  const paired = Array.from({ length: rows }, () => ({ best: -Infinity, second: -Infinity, with: -1 }));
  for (let i = 0; i <= rows; i++)
    for (let j = first(i); j <= last(i); j++)
      steps(i, j, (r, c, score) => {
        const at = i * width + j;
        const next = at + r * width + c;
        const sum = (behind[at] ?? 0) + score;
        behind[next] = Math.max(behind[next] ?? 0, sum);
        const total = sum + (ahead[next] ?? 0);
        if (c === 0) for (let k = i; k < i + r; k++) lone[k] = Math.max(lone[k] ?? 0, total);
        else if (r === 1 && c === 1) {
          const own = paired[i];
          if (own && total > own.best) Object.assign(own, { best: total, second: own.best, with: j });
          else if (own) own.second = Math.max(own.second, total);
        } else if (r > 0) for (let k = i; k < i + r; k++) divided[k] = Math.max(divided[k] ?? 0, total);
      });
  for (const [i, own] of paired.entries()) {
    const [alone = 0, split = 0] = [lone[i], divided[i]];
    if (own.best - Math.max(own.second, alone, split) >= MARGIN) pairs.set(i0 + i, j0 + own.with);
    else if (alone - Math.max(own.best, split) >= MARGIN) missing.add(i0 + i);
  }
}

interface SegmentScores {
  pair(i: number, j: number): number;
  /** Scores paragraphs that may have been divided or joined. */
  split(i: number, rows: number, j: number, columns: number): number;
}

/** The kinds of features that the texts of a pair can share. */
type Sign = 'fixed' | 'stems' | 'code';

class Texts {
  readonly size: readonly [number, number];
  readonly #source: readonly Trait[];
  readonly #target: readonly Trait[];
  readonly #evidence: PairEvidence;
  /** How many source texts have each feature. Constant during a sync. Frequent features prove little. */
  readonly #counts = new Map<string, number>();

  readonly #learned = new Map<string, Set<string>>();

  constructor(source: readonly Trait[], target: readonly Trait[], evidence: PairEvidence) {
    this.size = [source.length, target.length];
    this.#source = source;
    this.#target = target;
    this.#evidence = evidence;
    for (const { fixed, stems } of source)
      for (const one of [...fixed, ...stems]) this.#counts.set(one, (this.#counts.get(one) ?? 0) + 1);
  }

  isHeading(side: 0 | 1, at: number): boolean {
    return (side === 0 ? this.#source : this.#target)[at]?.kind === 'heading';
  }

  learn(pairs: ReadonlyMap<number, number>): void {
    for (const [i, j] of pairs) {
      const [a, b] = [this.#source[i], this.#target[j]];
      if (a && b) this.#learned.set(a.value, (this.#learned.get(a.value) ?? new Set()).add(b.value));
    }
  }

  alone(side: 0 | 1, at: number): number {
    const kind = (side === 0 ? this.#source : this.#target)[at]?.kind ?? '';
    if (kind === 'heading') return LONE + LEFT_SECTION;
    return /^(?:paragraph|cell)/.test(kind) ? LONE : LONE_TITLE;
  }

  scores(segment: Segment): SegmentScores {
    const { from, to } = segment;
    const sources = this.#source.slice(from[0], to[0]);
    const targets = this.#target.slice(from[1], to[1]);
    const weightOf = (one: string): number => Math.min(2, 4 / (this.#counts.get(one) ?? 1));
    const [fixed, stems, code] = (['fixed', 'stems', 'code'] as const).map((sign) =>
      compare(sources, targets, sign, sign === 'code' ? () => 1 : weightOf),
    );
    if (!fixed || !stems || !code) throw new RangeError('no signs');
    const likeness = (i: number, rows: number, j: number, columns: number): number => {
      const [a, b] = [fixed(i, rows, j, columns), stems(i, rows, j, columns)];
      return (
        Math.max(-5, Math.min(12, 2 * a.shared - a.others)) +
        Math.max(-1, Math.min(6, b.shared - 0.05 * b.others))
      );
    };
    return {
      pair: (i, j) => {
        const [a, b] = [sources[i], targets[j]];
        if (!a || !b || a.kind !== b.kind) return -Infinity;
        let score = 2.5 - this.#lengthCost(a.length, b.length) + likeness(i, 1, j, 1);
        if (this.#learned.get(a.value)?.has(b.value) === true) score += SAME_WORDS;
        score += this.#evidence(from[0] + i, from[1] + j);
        if (a.level !== b.level) score -= 2;
        if (a.prefix !== b.prefix) score -= 2.5;
        if (a.value === b.value) score += 2;
        // A setting is identified by its name.
        if (a.kind.startsWith('front matter')) score += 4;
        // Translators keep anchors, because links refer to them.
        if (b.hasAnchor && a.anchor !== undefined) score += a.anchor === b.anchor ? 6 : -4;
        const lines = Math.max(a.code.length, b.code.length);
        return lines > 0 ? score + (5 * code(i, 1, j, 1).shared) / lines - 1 : score;
      },
      split: (i, rows, j, columns) => {
        let [length, other] = [0, 0];
        for (let k = i; k < i + rows; k++) {
          if (sources[k]?.kind !== 'paragraph') return -Infinity;
          length += sources[k]?.length ?? 0;
        }
        for (let k = j; k < j + columns; k++) {
          if (targets[k]?.kind !== 'paragraph') return -Infinity;
          other += targets[k]?.length ?? 0;
        }
        return SPLIT - this.#lengthCost(length, other) + likeness(i, rows, j, columns);
      },
    };
  }

  #lengthCost(source: number, target: number): number {
    const expected = source * USUAL_RATIO;
    const deviation = 0.2 + 0.8 / Math.sqrt(expected + 4);
    return Math.min(8, (Math.log((target + 5) / (expected + 5)) / deviation) ** 2 / 2);
  }
}

interface Comparison {
  readonly shared: number;
  readonly others: number;
}

/** Scores shared and differing features with an index, because most texts share none. */
function compare(
  sources: readonly Trait[],
  targets: readonly Trait[],
  sign: Sign,
  weightOf: (one: string) => number,
): (i: number, rows: number, j: number, columns: number) => Comparison {
  const shared = new Float32Array(sources.length * targets.length);
  const places = new Map<string, number[]>();
  const sum = (traits: readonly Trait[]): readonly number[] =>
    traits.map((trait) => trait[sign].reduce((all, one) => all + weightOf(one), 0));
  const [left, right] = [sum(sources), sum(targets)];
  for (const [j, trait] of targets.entries())
    for (const one of trait[sign]) {
      addTo(places, one, j);
    }
  for (const [i, trait] of sources.entries())
    for (const one of trait[sign])
      for (const j of places.get(one) ?? []) {
        const at = i * targets.length + j;
        shared[at] = (shared[at] ?? 0) + weightOf(one);
      }
  return (i, rows, j, columns) => {
    let [both, all] = [0, 0];
    for (let r = i; r < i + rows; r++) {
      all += left[r] ?? 0;
      for (let c = j; c < j + columns; c++) both += shared[r * targets.length + c] ?? 0;
    }
    for (let c = j; c < j + columns; c++) all += right[c] ?? 0;
    return { shared: both, others: Math.max(0, all - 2 * both) };
  };
}

/** The length that a text would have if its script were an alphabet. */
function weigh(words: string): number {
  const [signs, syllables] = [/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu, /\p{sc=Hang}/gu].map(
    (letters) => words.match(letters)?.length ?? 0,
  );
  return words.length + 1.8 * (signs ?? 0) + 0.9 * (syllables ?? 0);
}

/** Notations that stay unchanged in values appear as tags in running text. */
const TAG = /<[^<>]*>/g;

function traitsOf(document: Document): readonly Trait[] {
  const gaps = gapsOf(document);
  return document.slots.map(({ key, value, span }, i): Trait => {
    const [place = '', name = ''] = key;
    const words = value.replace(TAG, ' ').replace(/&\w+;/g, ' ').trim();
    const plain = words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const tags = [...value.matchAll(/ r="([^"]*)"/g)].map(([, raw = '']) => raw);
    const numbers = words.match(/\d+(?:[.,]\d+)*/g) ?? [];
    const [before, behind] = [i, i + 1].map((at) => document.text.slice(gaps[at]?.start, gaps[at]?.end));
    const line = before?.slice(before.lastIndexOf('\n') + 1) ?? '';
    const anchor = tags.flatMap((raw) => /^\s*\{#([^\s}]+)/.exec(raw)?.[1] ?? [])[0];
    const isHeading = name.endsWith('-heading');
    const row = document.text.slice(document.text.lastIndexOf('\n', span.start) + 1, span.start);
    const column = name.endsWith('-cell') ? row.split('|').length : '';
    const kind = place === 'front matter' ? key.join('\n') : name.replace(/^\d+-/, '');
    return {
      kind: `${kind}${column}`,
      level: kind === 'heading' ? place.split('.').length : 0,
      value,
      length: weigh(words),
      fixed: [...new Set([...tags.map(withoutLanguage), ...numbers])],
      stems: [...new Set((plain.match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.slice(0, 5)))],
      prefix: /^[\s>*+|.)\d-]*$/.test(line) ? line.replace(/[*+]/g, '-').replace(/\d+/, '1').trim() : '',
      code: (behind?.split('\n').slice(1, -1) ?? [])
        .map((text) => text.trim())
        .filter((text) => /\p{L}/u.test(text))
        .slice(0, MAX_LINES),
      anchor: isHeading
        ? (anchor ?? plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, ''))
        : undefined,
      hasAnchor: anchor !== undefined,
    };
  });
}

/** Removes the language from a link, because pages link to pages in the same language. */
function withoutLanguage(raw: string): string {
  return raw.replace(/(?<=\/)[a-z]{2}(?:-[A-Za-z]{2,4})?\//, '');
}
