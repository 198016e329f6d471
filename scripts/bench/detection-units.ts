import { detectLanguage } from '../../src/languages/detection.ts';
import { sameLanguage } from '../../src/languages/locale.ts';
import type { Declaration } from './declarations.ts';
import { printRow } from './measure.ts';

/**
 * The languages that comparisons of detectors usually include. The thresholds between the detectors were
 * tuned on the catalogues of free software (GLib, GTK, coreutils and others), not on the declarations.
 */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'af sq ar hy az eu be bn nb bs bg ca zh-CN hr cs da nl en eo et fi fr lg ka de el gu he hi hu is id ga it ja kk ko la ' +
    'lv lt mk ms mi mr mn nn no fa pl pt pa ro ru sr sn sk sl so st es sw sv fil ta te th ts tn tr uk ur vi cy xh yo zu'
  ).split(' '),
);
const AIMS = { sentences: 93, 'word pairs': 78, 'single words': 62 } as const;
const SAMPLES = 60;
/** Shorter sentences and words occur in many languages. */
const LEAST_SENTENCE = 25;
const LEAST_WORD = 4;
/** A character of these scripts represents a syllable or a word. */
const SYLLABIC =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Ethiopic}]/u;

/** The share of sentences, word pairs and single words that are detected; every language counts equally. */
export async function benchDetectionUnits(declarations: readonly Declaration[]): Promise<void> {
  const chosen = declarations.filter(({ language }) => LANGUAGES.has(language));
  for (const [kind, aim] of Object.entries(AIMS)) {
    let sum = 0;
    const poor: string[] = [];
    for (const declaration of chosen) {
      const share = await shareOf(declaration.language, unitsOf(declaration)[kind] ?? []);
      sum += share;
      if (share < 50) poor.push(`${declaration.language} ${share.toFixed(0)}`);
    }
    const figure = sum / chosen.length;
    const what = `detection  ${kind} of ${chosen.length} languages`;
    printRow(what, `${figure.toFixed(1).padStart(6)} % right; below 50: ${poor.join(', ')}`, {
      text: `>= ${aim} %`,
      met: figure >= aim,
    });
  }
}

function unitsOf({ language, text }: Declaration): Readonly<Record<string, readonly string[]>> {
  const segment = (granularity: 'sentence' | 'word'): Intl.SegmentData[] => [
    ...new Intl.Segmenter(language, { granularity }).segment(text),
  ];
  const words = segment('word').filter(
    ({ segment: word, isWordLike }) => isWordLike === true && /\p{L}/u.test(word),
  );
  const isLong = (word: string): boolean => word.length >= LEAST_WORD || SYLLABIC.test(word);
  return {
    sentences: segment('sentence')
      .map((sentence) => sentence.segment.trim())
      .filter(({ length }) => length > LEAST_SENTENCE),
    'word pairs': words
      .slice(1)
      .map(({ index, segment: word }, i) => text.slice(words[i]?.index, index + word.length)),
    'single words': words.map((word) => word.segment).filter(isLong),
  };
}

/** In percent of units spread over the whole text. */
async function shareOf(language: string, units: readonly string[]): Promise<number> {
  const count = Math.min(SAMPLES, units.length);
  let right = 0;
  for (let i = 0; i < count; i++) {
    const found = (await detectLanguage(units[Math.floor((i * units.length) / count)] ?? '')).language;
    if (found !== undefined && sameLanguage(found, language)) right++;
  }
  return (100 * right) / Math.max(1, count);
}
