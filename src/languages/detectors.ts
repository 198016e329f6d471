import type { eld as Eld } from 'eld/small';
import { DragomanError } from '../base/errors.ts';
import { parseLocale, scriptOf } from './locale.ts';

/** One detector's answer for one text. */
export interface Guess {
  /** Canonical, and written in the requested script. */
  readonly language: string;
  readonly confidence: number;
}

/** Detects the language of a short text whose script is known. */
export interface Detectors {
  /** Undefined if neither detector names a language in that script. */
  readonly guess: (text: string, script: string) => Guess | undefined;
}

/** The languages that `eld/small` distinguishes. For these, it is more accurate than cld3; it supports no others. */
const eldLanguages: ReadonlySet<string> = new Set(
  (
    'am ar az be bg bn ca ckb cs da de el en es et eu fa fi fil fr gu he hi hr hu hy is it ja ka kn ko lo lt lv ml ' +
    'mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tr uk ur vi yo zh'
  ).split(' '),
);

/**
 * The minimum confidence for accepting cld3's answer if eld does not support that language. For short texts in common
 * languages, cld3 returns such languages too often; but the lower eld's score, and its lead over the second choice, the
 * more likely cld3 is right. Tuned on messages of free software, not on the benchmark's texts.
 */
function sureOfOther(text: string, { score, lead }: EldGuess): number {
  return Math.min(text.length < 40 ? 0.99 : 0.9, 1.6 * score + 2 * lead - 0.4);
}

/** cld3 decides between languages with nearly equal scores in eld. */
const sureBetween = 0.9;
const nearlyAsGood = 0.04;

/** Below this confidence, cld3's answer alone is not accepted. */
const sureAlone = 0.5;

/** The bytes of a text that cld3 examines: a window of 1,000 letters of up to four bytes each. */
const mostBytes = 4000;

/**
 * A detector's code in canonical form. Undefined for transliterations (`bg-Latn`) and languages that are not written in
 * the script.
 */
function accept(code: string, script: string): string | undefined {
  if (code === '' || code === 'und' || code.includes('-')) return undefined;
  // eld's `ku` is Central Kurdish, in Arabic letters; cld3's is Northern Kurdish, in Latin letters.
  const canonical = code === 'ku' && script === 'Arab' ? 'ckb' : parseLocale(code);
  return canonical !== undefined && scriptOf(canonical) === script ? canonical : undefined;
}

/** The weight of eld's answer: its score shows how well a language fits, not how much better than the next one. */
function eldConfidence(score: number, reliable: boolean): number {
  return Math.min(1, Math.max(0, reliable ? score : score / 2));
}

/** eld's answer, with the data for choosing between the two detectors. */
interface EldGuess {
  /** Undefined if the language is not written in that script. */
  readonly guess: Guess | undefined;
  readonly score: number;
  /** The score's lead over the next language. */
  readonly lead: number;
  /** The score of each canonical language. */
  readonly scores: ReadonlyMap<string, number>;
}

function judge(
  result: ReturnType<typeof Eld.detect>,
  isPossible: (language: string) => boolean,
  script: string,
): EldGuess {
  const list: { readonly language: string | undefined; readonly code: string; readonly score: number }[] = [];
  for (const [code, score] of Object.entries(result.getScores())) {
    const language = accept(code, script);
    if (language === undefined || isPossible(language)) list.push({ language, code, score });
    if (list.length === MOST_SCORES) break;
  }
  const [{ language, score } = { language: undefined, score: 0 }, { score: next } = { score: 0 }] = list;
  const scores = new Map(list.map((one) => [one.language ?? one.code, one.score]));
  const confidence = eldConfidence(score, result.isReliable());
  return {
    guess: language === undefined ? undefined : { language, confidence },
    score,
    lead: score - next,
    scores,
  };
}

/** Lower-ranked languages are not useful. */
const MOST_SCORES = 4;

function combine(text: string, eld: EldGuess, cld: Guess | undefined): Guess | undefined {
  if (!eld.guess) return cld && cld.confidence >= sureAlone ? cld : undefined;
  const { language, confidence } = eld.guess;
  if (!cld) return eld.guess;
  if (cld.language === language) return { language, confidence: 1 - (1 - confidence) * (1 - cld.confidence) };
  if (!eldLanguages.has(cld.language) && cld.confidence > sureOfOther(text, eld)) return cld;
  // eld mistakes all Indonesian for Malay, which is much rarer; cld3 distinguishes them.
  if (cld.language === 'id' && language === 'ms' && cld.confidence >= sureAlone) return cld;
  const other = eld.scores.get(cld.language);
  const isNear = other !== undefined && eld.score - other < nearlyAsGood;
  return isNear && cld.confidence > sureBetween ? cld : eld.guess;
}

async function loadPackages() {
  try {
    const [{ eld }, { loadModule }] = await Promise.all([import('eld/small'), import('cld3-asm')]);
    const cld = await loadModule({ timeout: 10_000 });
    // A separate instance, because settings of the shared one would affect every other user of the package. Creating an
    // identifier takes as long as detecting the language of a text, and it keeps no state between texts.
    return { eld: eld.newInstance(), identifier: cld.create(0, mostBytes) };
  } catch (cause) {
    throw new DragomanError('internal', 'the language detectors could not be loaded', {
      hint: 'name the source language, or install dragoman again',
      cause,
    });
  }
}

/**
 * Loads the two detectors: some 30 MB and a fifth of a second in the bundle.
 *
 * @throws DragomanError `internal` if a package is missing or broken
 */
export async function loadDetectors(): Promise<Detectors> {
  const { eld, identifier } = await loadPackages();
  return {
    guess(text, script) {
      const isPossible = languagesByLetters(text);
      const first = eld.detect(text);
      const second = identifier.findLanguage(text);
      const other = accept(second.language, script);
      const guess =
        other === undefined || !isPossible(other)
          ? undefined
          : { language: other, confidence: second.probability };
      return combine(text, judge(first, isPossible, script), guess);
    },
  };
}

/**
 * The letters of the languages that detectors support; for Latin alphabets, those besides `a` to `z`. A word with
 * another letter belongs to another language, even if its n-grams fit. Letters of common loan words are included;
 * unlisted languages may have any letter.
 */
const ALPHABETS: Readonly<Record<string, string>> = {
  af: 'áäéèêëíîïóôöúûüýŉ',
  az: 'çəğıöşü',
  bs: 'čćđšž',
  ca: 'àçèéíïòóúü',
  cs: 'áčďéěíňóřšťúůýž',
  cy: 'áàâäéèêëíìîïóòôöúùûüẁẃŵẅŷÿ',
  da: 'æøåéáóúü',
  de: 'äöüßé',
  en: 'éï',
  eo: 'ĉĝĥĵŝŭ',
  es: 'áéíñóúü',
  et: 'äöõüšž',
  eu: 'çñü',
  fi: 'äåöšž',
  fil: 'ñ',
  fr: 'àâæçèéêëîïôœùûüÿ',
  fy: 'âêôûúéëïä',
  ga: 'áéíóú',
  gd: 'àèìòùáéó',
  gl: 'áéíïñóúü',
  hr: 'čćđšž',
  hu: 'áéíóöőúüű',
  id: 'é',
  is: 'áðéíóúýþæö',
  it: 'àèéìíîòóùú',
  lb: 'äëéèêöüàâîôûç',
  lt: 'ąčęėįšųūž',
  lv: 'āčēģīķļņōŗšūž',
  ms: 'é',
  mt: 'ċġħżàèìòù',
  nl: 'áéëèêïíóöüú',
  nn: 'æøåéèêòóôâ',
  no: 'æøåéèêòóôâ',
  pl: 'ąćęłńóśźż',
  pt: 'áâãàçéêíóôõúü',
  ro: 'ăâîșțşţ',
  sk: 'áäčďéíĺľňóôŕšťúýž',
  sl: 'čšžćđ',
  sq: 'çë',
  sv: 'åäöéàü',
  sw: '',
  tr: 'çğıöşüâîû',
  xh: '',
  zu: '',
  be: 'абвгдеёжзійклмнопрстуўфхцчшыьэюя',
  bg: 'абвгдежзийклмнопрстуфхцчшщъьюя',
  kk: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяәғқңөұүһі',
  ky: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяңөү',
  mk: 'абвгдѓежзѕијклљмнњопрстќуфхцчџшѐѝ',
  mn: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяөү',
  ru: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  sr: 'абвгдђежзијклљмнњопрстћуфхцчџш',
  tg: 'абвгдеёжзийклмнопрстуфхчшъэюяғӣқӯҳҷ',
  uk: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
};

/** The share of foreign letters that a text may have, because of names. */
const MOST_FOREIGN = 0.02;

/** The languages that a text's letters allow. */
function languagesByLetters(text: string): (language: string) => boolean {
  const counts = new Map<string, number>();
  for (const [letter] of text
    .toLowerCase()
    .normalize('NFC')
    .matchAll(/[^\u0000-\u007f\P{L}]/gu))
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const most = text.length * MOST_FOREIGN;
  return (language) => {
    const alphabet = ALPHABETS[language];
    if (alphabet === undefined) return true;
    let foreign = 0;
    for (const [letter, count] of counts) if (!alphabet.includes(letter)) foreign += count;
    return foreign <= most;
  };
}
