import { displayWidth } from '../base/display-width.ts';

/** The most that a translation may take up where the program shows it. */
export interface LengthLimit {
  readonly max: number;
  /** Graphemes, or columns of a terminal. */
  readonly unit: 'characters' | 'columns';
}

const WORD = String.raw`(?:max(?:imum|imal)?\.?|at most|up to|not? (?:more|longer) than|limit(?:ed)? to)`;
const UNIT = String.raw`(?<unit>characters?|chars?|columns?|cols?)`;
const LENGTH = String.raw`(?:length|(?:characters?|chars?|columns?|length)[ -]?limit|characters|chars)`;

/** A clause that states a limit and nothing else: one about what users type is longer. */
const CLAUSES = [
  `${WORD} (?<max>\\d{1,4}) ?${UNIT}`,
  `(?<max>\\d{1,4}) ?${UNIT} ?(?:max(?:imum)?|or (?:less|fewer))`,
  `(?:${WORD}[ _-]?)?${LENGTH} ?(?:is |of )?[:=]? ?(?<max>\\d{1,4})(?: ?${UNIT})?`,
].map((clause) => new RegExp(`^(?:${clause})$`, 'i'));

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

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Why a translation is too long; undefined if it is not. */
export function excessOf(text: string, { max, unit }: LengthLimit): string | undefined {
  // No text has more characters than code units, or more columns than twice as many.
  if (2 * text.length <= max) return undefined;
  const length = lengthOf(text, unit);
  return length > max ? `${length} ${unit}, and at most ${max} fit` : undefined;
}

/** The length of a text in the unit of a limit. Placeholders and tags count as they are written. */
export function lengthOf(text: string, unit: LengthLimit['unit']): number {
  const parts = [...graphemes.segment(text)];
  if (unit === 'characters') return parts.length;
  // A joined emoji has the width of one.
  return parts.reduce((sum, { segment }) => sum + Math.min(2, displayWidth(segment)), 0);
}
