import type { SharedScript } from './script.ts';

/** Letters that identify a language which the detectors do not know or take for a neighbour. */
interface Telling {
  readonly language: string;
  /** More than one letter in fifty of a text: fewer may stand in foreign names. */
  readonly letters: RegExp;
  /** Each of these is there, … */
  readonly all?: readonly RegExp[];
  /** … and none of these: letters of languages that have the others too. */
  readonly none?: RegExp;
  /** So many letters a text has at least, where it takes some to miss a letter. */
  readonly least?: number;
}

const cyrillic: readonly Telling[] = [
  { language: 'mk', letters: /[ѓќѕ]/gi },
  { language: 'ba', letters: /[ҙҫ]/gi },
  { language: 'cv', letters: /[ӑӗ]/gi },
  { language: 'os', letters: /ӕ/gi },
  { language: 'ab', letters: /[ҭҵҽҿҩԥҧҟ]/gi },
  { language: 'tt', letters: /җ/gi },
  // Kazakh and Bashkir have these as well, and letters of their own in every line.
  { language: 'tt', letters: /[әһ]/gi, none: /[қғұіҡҙҫҝҹҳј]/i, least: 30 },
];

const arabic: readonly Telling[] = [
  { language: 'ps', letters: /[ښړځۍڼ]/g },
  { language: 'ug', letters: /[ۇۈۋڭ]/g },
];

const latin: readonly Telling[] = [
  { language: 'fo', letters: /[ðø]/gi, all: [/ð/i, /ø/i], none: /þ/i },
  { language: 'tk', letters: /[ňýşž]/gi, all: [/ň/i, /[şä]/i], none: /[áéíóúěřğı]/i },
  { language: 'crh', letters: /[ñğşı]/gi, all: [/ñ/i, /[ğşı]/i], none: /[äə]/i },
  { language: 'dsb', letters: /[ěłśŕ]/gi, all: [/ě/i, /ł/i, /[śŕ]/i] },
  { language: 'hsb', letters: /[ěłř]/gi, all: [/ě/i, /ł/i] },
  { language: 'kab', letters: /[ɣɛḍṭẓḥǧč]/gi, all: [/ɣ/i, /[ḍṭẓǧč]/i] },
  { language: 'ee', letters: /[ƒɖʋ]/gi },
];

const tellings: Readonly<Partial<Record<SharedScript, readonly Telling[]>>> = {
  Cyrl: cyrillic,
  Arab: arabic,
  Latn: latin,
};

const leastShare = 0.02;

/** The language that the letters alone decide; undefined for most texts. */
export function tellByLetters(words: string, script: SharedScript): string | undefined {
  const total = words.match(/\p{L}/gu)?.length ?? 0;
  return tellings[script]?.find(
    ({ letters, all = [], none, least = 0 }) =>
      total >= least &&
      (words.match(letters)?.length ?? 0) > total * leastShare &&
      all.every((letter) => letter.test(words)) &&
      none?.test(words) !== true,
  )?.language;
}
