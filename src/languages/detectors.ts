import { DragomanError } from '../base/errors.ts';
import { parseLocale, scriptOf } from './locale.ts';

/** One detector's answer for one text. */
export interface Guess {
  /** Canonical, and written in the script asked for. */
  readonly language: string;
  readonly confidence: number;
}

/** Detects the language of a short text whose script is known. */
export interface Detectors {
  /** Undefined when neither detector names a language of that script. */
  readonly guess: (text: string, script: string) => Guess | undefined;
}

/** The languages that `eld/small` distinguishes. It is the better of the two for them, and blind for all others. */
const eldLanguages: ReadonlySet<string> = new Set(
  (
    'am ar az be bg bn ca ckb cs da de el en es et eu fa fi fil fr gu he hi hr hu hy is it ja ka kn ko lo lt lv ml ' +
    'mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tr uk ur vi yo zh'
  ).split(' '),
);

/**
 * From here on cld3 is believed when it names a language that eld does not know. Of short texts in common languages it
 * says so too easily: there are more of them than of all others.
 */
const sureOfOther = (text: string): number => (text.length < 40 ? 0.97 : 0.9);

/** Below this, cld3 alone says nothing. */
const sureAlone = 0.5;

/** The bytes of a text that cld3 looks at: a window of 1,000 letters of up to four bytes each. */
const mostBytes = 4000;

/**
 * A detector's code in canonical form. Undefined for transliterations (`bg-Latn`) and for a language that is not
 * written in the script.
 */
function accept(code: string, script: string): string | undefined {
  if (code === '' || code === 'und' || code.includes('-')) return undefined;
  // eld's Kurdish is the central one, in Arabic letters; cld3's is the northern, in Latin letters.
  const canonical = code === 'ku' && script === 'Arab' ? 'ckb' : parseLocale(code);
  return canonical !== undefined && scriptOf(canonical) === script ? canonical : undefined;
}

/** How far eld is believed: its score says how well a language fits, not how much better than the next. */
function eldConfidence(score: number, reliable: boolean): number {
  return Math.min(1, Math.max(0, reliable ? score : score / 2));
}

function combine(text: string, eld: Guess | undefined, cld: Guess | undefined): Guess | undefined {
  if (cld && !eldLanguages.has(cld.language) && cld.confidence > sureOfOther(text)) return cld;
  // eld takes all Indonesian for Malay, of which there is much less; cld3 knows both.
  if (cld?.language === 'id' && eld?.language === 'ms' && cld.confidence >= sureAlone) return cld;
  if (!eld) return cld && cld.confidence >= sureAlone ? cld : undefined;
  if (cld?.language !== eld.language) return eld;
  return { language: eld.language, confidence: 1 - (1 - eld.confidence) * (1 - cld.confidence) };
}

async function loadPackages() {
  try {
    const [{ eld }, { loadModule }] = await Promise.all([import('eld/small'), import('cld3-asm')]);
    const cld = await loadModule({ timeout: 10_000 });
    // A separate instance, because settings of the shared one would affect every other user of the package. An
    // identifier takes as long to create as a text to detect, and holds nothing between texts.
    return { eld: eld.newInstance(), identifier: cld.create(0, mostBytes) };
  } catch (cause) {
    throw new DragomanError('internal', 'the language detectors could not be loaded', {
      hint: 'name the source language, or install dragoman again',
      cause,
    });
  }
}

/**
 * Loads the two detectors: some 150 MB and a third of a second.
 *
 * @throws DragomanError `internal` when a package is missing or broken.
 */
export async function loadDetectors(): Promise<Detectors> {
  const { eld, identifier } = await loadPackages();
  return {
    guess(text, script) {
      const first = eld.detect(text);
      const language = accept(first.language, script);
      const second = identifier.findLanguage(text);
      const other = accept(second.language, script);
      return combine(
        text,
        language === undefined
          ? undefined
          : {
              language,
              confidence: eldConfidence(first.getScores()[first.language] ?? 0, first.isReliable()),
            },
        other === undefined ? undefined : { language: other, confidence: second.probability },
      );
    },
  };
}
