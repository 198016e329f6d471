import { countCodePoints } from '../base/code-points.ts';
import { displayWidth } from '../base/display-width.ts';
import type { MessageNode } from './node.ts';
import { parseValue } from './parse.ts';
import type { Syntax } from './syntax.ts';

/** The maximum size of a translation where the program displays it. */
export interface LengthLimit {
  readonly max: number;
  readonly unit: LengthUnit;
  /** The form in which the text is measured. Default: unchanged. */
  readonly form?: 'NFC' | 'NFD' | undefined;
}

/** Characters are graphemes, and columns those of a terminal. */
export type LengthUnit =
  'characters' | 'columns' | 'code points' | 'bytes in UTF-8' | 'bytes in UTF-16' | 'bytes in UTF-32';

const WORD = String.raw`(?:max(?:imum|imal)?\.?|at most|up to|not? (?:more|longer) than|limit(?:ed)? to)`;
const UNIT = String.raw`(?<unit>characters?|chars?|columns?|cols?)`;
const LENGTH = String.raw`(?:length|(?:characters?|chars?|columns?|length)[ -]?limit|characters|chars)`;

/** Matches a clause that only states a limit; clauses about users' input are longer. */
const CLAUSES = [
  `${WORD} (?<max>\\d{1,4}) ?${UNIT}`,
  `(?<max>\\d{1,4}) ?${UNIT} ?(?:max(?:imum)?|or (?:less|fewer))`,
  `(?:${WORD}[ _-]?)?${LENGTH} ?(?:is |of )?[:=]? ?(?<max>\\d{1,4})(?: ?${UNIT})?`,
].map((clause) => new RegExp(`^(?:${clause})$`, 'i'));

/** The limit of a text: its own, otherwise the one in its developer's note. */
export function limitOf({
  limit,
  comment,
}: {
  readonly limit?: LengthLimit | undefined;
  readonly comment?: string | undefined;
}): LengthLimit | undefined {
  return limit ?? (comment === undefined ? undefined : limitIn(comment));
}

/** The limit in a developer's note: "Button (max 30 chars)", "Max. length: 30", "at most 12 columns". */
export function limitIn(note: string): LengthLimit | undefined {
  if (!/\d/.test(note)) return undefined;
  for (const clause of note.slice(0, 2_000).split(/[\n;,()[\]]|[.!](?=\s+\p{Lu}|\s*$)| [-–—] /u)) {
    const text = clause.trim().replaceAll(/\s+/g, ' ');
    for (const pattern of CLAUSES) {
      const { max, unit = '' } = pattern.exec(text)?.groups ?? {};
      if (Number(max) > 0)
        return {
          max: Number(max),
          unit: /^col/i.test(unit) || /^col/i.test(text) ? 'columns' : 'characters',
        };
    }
  }
  return undefined;
}

/** Why a translation is too long; undefined if it is not. */
export function excessOf(value: string, limit: LengthLimit, syntax: Syntax): string | undefined {
  // Without normalization, a code unit takes at most four bytes or two columns.
  if (!limit.form && 4 * value.length <= limit.max) return undefined;
  const length = lengthOf(value, limit, syntax);
  return length > limit.max ? `${length} ${limit.unit}, but at most ${limit.max} fit` : undefined;
}

/**
 * The length of a text in the unit of a limit: with several branches, that of the longest one. Placeholders and tags
 * are counted as written, except for inline elements of XLIFF, which represent code of unknown length.
 */
export function lengthOf(value: string, { unit, form }: LengthLimit, syntax: Syntax): number {
  const measure = (text: string): number => MEASURES[unit](form ? text.normalize(form) : text);
  const shown = parseValue(value, syntax).parts.map(({ nodes }) => shownText(nodes, syntax, measure));
  return Math.max(0, ...shown.map(measure));
}

function shownText(nodes: readonly MessageNode[], syntax: Syntax, measure: (text: string) => number): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'complex') {
      const branches = node.branches.map(({ body }) => shownText(body, syntax, measure));
      text += branches.reduce((a, b) => (measure(b) > measure(a) ? b : a), '');
    } else if (node.type === 'text') text += node.text;
    else if (syntax !== 'xliff' || (node.type === 'code' && node.kind !== 'tag')) text += node.raw;
  }
  return text;
}

let segmenter: Intl.Segmenter | undefined;

/**
 * Created on first use: creating a segmenter takes about a hundredth of the time of a short run, and most runs have no
 * limits.
 */
function graphemesOf(text: string): readonly Intl.SegmentData[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return [...segmenter.segment(text)];
}

const MEASURES: Readonly<Record<LengthUnit, (text: string) => number>> = {
  characters: (text) => graphemesOf(text).length,
  // A joined emoji has the width of one.
  columns: (text) =>
    graphemesOf(text).reduce((sum, { segment }) => sum + Math.min(2, displayWidth(segment)), 0),
  'code points': countCodePoints,
  'bytes in UTF-8': (text) => new TextEncoder().encode(text).length,
  'bytes in UTF-16': (text) => 2 * text.length,
  'bytes in UTF-32': (text) => 4 * countCodePoints(text),
};
