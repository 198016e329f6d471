import { percentDone, sumCoverage, type SyncReport } from '../project/plan/report.ts';
import type { ReplaceableKind } from './replaceable-file.ts';
import { count } from './table.ts';

/** Only a badge is replaced by one. */
export const BADGE: ReplaceableKind = {
  name: 'badge',
  marker: '<!-- dragoman badge -->\n',
  example: '--badge translations.svg',
};

const LABEL = 'translations';
/** Of Verdana's digits at 11 px, which most badges are drawn with. */
const CHARACTER_WIDTH = 7;
const PADDING = 6;

/** White text is readable on all of them (contrast 4.5:1 and more). */
const COLOURS = [
  { from: 100, colour: '#2e7d32' },
  { from: 80, colour: '#5a6f00' },
  { from: 50, colour: '#8a5a00' },
  { from: 0, colour: '#b3261e' },
] as const;
const NO_COLOUR = '#595959';

/** The share of translated keys as a picture. Nothing in it comes from files, and it loads nothing. */
export function badgeOf(reports: readonly SyncReport[]): string {
  const languages = reports.flatMap((report) => report.languages);
  const coverage = sumCoverage(languages.map((language) => language.coverage));
  const isEmpty = coverage.keys === 0;
  const percent = percentDone(coverage);
  const value = isEmpty ? 'none' : `${percent} %`;
  const known = new Set(languages.map(({ locale }) => locale)).size;
  const title = isEmpty
    ? `${LABEL}: there are no keys`
    : `${LABEL}: ${value} of ${count(coverage.keys, 'value')} in ${count(known, 'language')}`;
  const colour = isEmpty ? NO_COLOUR : COLOURS.find(({ from }) => percent >= from)?.colour;
  const [left, right] = [widthOf(LABEL), widthOf(value)];
  const text = (at: number, width: number, content: string): string =>
    `<text x="${at + width / 2}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return `${BADGE.marker}<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<rect width="${left}" height="20" fill="#484848"/>
<rect x="${left}" width="${right}" height="20" fill="${colour}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${text(0, left, LABEL)}
${text(left, right, value)}
</g>
</svg>
`;
}

function widthOf(text: string): number {
  return text.length * CHARACTER_WIDTH + 2 * PADDING;
}
