/** Scripts by their Unicode names: with the one language that is written in it, for practical purposes, or … */
const ownScripts = [
  ['Greek', 'el'],
  ['Armenian', 'hy'],
  ['Georgian', 'ka'],
  ['Hebrew', 'he'],
  ['Hangul', 'ko'],
  ['Thai', 'th'],
  ['Lao', 'lo'],
  ['Khmer', 'km'],
  ['Myanmar', 'my'],
  ['Bengali', 'bn'],
  ['Gurmukhi', 'pa'],
  ['Gujarati', 'gu'],
  ['Oriya', 'or'],
  ['Tamil', 'ta'],
  ['Telugu', 'te'],
  ['Kannada', 'kn'],
  ['Malayalam', 'ml'],
  ['Sinhala', 'si'],
  ['Tibetan', 'bo'],
  ['Ethiopic', 'am'],
  ['Thaana', 'dv'],
  ['Mongolian', 'mn'],
  ['Cherokee', 'chr'],
  ['Canadian_Aboriginal', 'iu'],
  ['Tifinagh', 'zgh'],
  ['Nko', 'nqo'],
  ['Adlam', 'ff'],
  ['Yi', 'ii'],
] as const;

/** … with the ISO 15924 code of a script that many share. Han is among them: with kana it is Japanese. */
const sharedScripts = [
  ['Latin', 'Latn'],
  ['Cyrillic', 'Cyrl'],
  ['Arabic', 'Arab'],
  ['Devanagari', 'Deva'],
  ['Han', 'Hani'],
] as const;

interface Script {
  readonly letter: RegExp;
  readonly otherLetter: RegExp;
  /**
   * Texts of all languages contain Latin words, and a syllable or word sign carries as much text as about two
   * letters.
   */
  readonly weight: number;
  readonly language: string | undefined;
  readonly code: SharedScript | undefined;
}

/** The scripts that leave the language open, as ISO 15924 calls them; `Hani` includes kana. */
export type SharedScript = (typeof sharedScripts)[number][1];

/** Kana counts as Han: together they are one writing system. */
const classOf = (name: string): string =>
  name === 'Han' ? '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}' : `\\p{Script=${name}}`;

const syllabic: ReadonlySet<string> = new Set(['Han', 'Hangul']);

function weigh(name: string): number {
  if (name === 'Latin') return 1;
  return syllabic.has(name) ? 4 : 2;
}

const describeScript = (name: string, language?: string, code?: SharedScript): Script => ({
  letter: new RegExp(`[${classOf(name)}]`, 'gu'),
  otherLetter: new RegExp(`(?![${classOf(name)}])\\p{L}`, 'gu'),
  weight: weigh(name),
  language,
  code,
});

const scripts: readonly Script[] = [
  ...ownScripts.map(([name, language]) => describeScript(name, language)),
  ...sharedScripts.map(([name, code]) => describeScript(name, undefined, code)),
];

/** The script most of a text is written in. */
export interface ScriptFinding {
  /** The letters of the script, words apart. */
  readonly words: string;
  /** Between 0 and 1: how much of the text it is. */
  readonly share: number;
  /** The only language of the script, or the script as ISO 15924 calls it. */
  readonly language?: string;
  readonly script?: SharedScript;
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Languages that share a script nearly all of whose texts are another language's, by letters only they have. */
function settleLanguage(language: string, words: string): string {
  const total = countOf(words, /\p{L}/gu);
  if (language === 'he') {
    const ayins = countOf(words, /ע/g);
    return /[\u05f0-\u05f2]/.test(words) || (total >= 20 && ayins / total > 0.08) ? 'yi' : 'he';
  }
  if (language === 'bn') return /[ৰৱ]/.test(words) ? 'as' : 'bn';
  if (language === 'am') return isTigrinya(words) ? 'ti' : 'am';
  return language;
}

/** Amharic has lost these sounds, but for rare words, and begins with አ where Tigrinya has ኣ. */
function isTigrinya(words: string): boolean {
  return /[\u1250-\u125d]/.test(words) || countOf(words, /[ኣ\u12b8-\u12be]/g) > countOf(words, /አ/g);
}

/** The dominant script of a text; undefined when no letter belongs to a script known here. */
export function findScript(text: string): ScriptFinding | undefined {
  let total = 0;
  let best: { script: Script; weight: number } | undefined;
  for (const script of scripts) {
    const weight = countOf(text, script.letter) * script.weight;
    total += weight;
    if (weight > (best?.weight ?? 0)) best = { script, weight };
  }
  if (!best) return undefined;
  const { script, weight } = best;
  const words = text.replace(script.otherLetter, ' ');
  const share = weight / total;
  if (script.code !== undefined) return { words, share, script: script.code };
  return script.language === undefined
    ? undefined
    : { words, share, language: settleLanguage(script.language, words) };
}
