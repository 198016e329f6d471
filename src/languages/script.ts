/** Scripts that practically belong to one language, named as in ISO 15924. */
const ownScripts =
  'Grek Armn Geor Hebr Hang Thai Laoo Khmr Mymr Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Ethi Thaa Mong ' +
  'Cher Cans Tfng Nkoo Adlm Yiii';

/** Scripts that many languages share. Han is one of them: with kana it is Japanese. */
const sharedScripts = ['Latn', 'Cyrl', 'Arab', 'Deva', 'Hani'] as const;

interface Script {
  readonly letter: RegExp;
  readonly otherLetter: RegExp;
  /**
   * Balances scripts: texts of all languages contain Latin words, and a syllable or word sign carries about as much
   * meaning as two letters.
   */
  readonly weight: number;
  readonly language: string | undefined;
  readonly code: SharedScript | undefined;
}

/** The scripts that do not determine the language, named as in ISO 15924; `Hani` includes kana. */
export type SharedScript = (typeof sharedScripts)[number];

/** Kana counts as Han, because both belong to one writing system. */
const classOf = (script: string): string =>
  script === 'Hani' ? '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}' : `\\p{Script=${script}}`;

const syllabic: ReadonlySet<string> = new Set(['Hani', 'Hang']);

const describeScript = (script: string, code?: SharedScript): Script => ({
  letter: new RegExp(`[${classOf(script)}]`, 'gu'),
  otherLetter: new RegExp(`(?![${classOf(script)}])\\p{L}`, 'gu'),
  weight: script === 'Latn' ? 1 : syllabic.has(script) ? 4 : 2,
  language: code === undefined ? languageIn(script) : undefined,
  code,
});

function languageIn(script: string): string {
  return script === 'Nkoo' ? 'nqo' : new Intl.Locale(`und-${script}`).maximize().language;
}

/** Created when first used: it takes 3 ms, and most commands know the languages. */
let scripts: readonly Script[] | undefined;

const describeScripts = (): readonly Script[] => [
  ...ownScripts.split(' ').map((script) => describeScript(script)),
  ...sharedScripts.map((script) => describeScript(script, script)),
];

/** The script in which most of a text is written. */
export interface ScriptFinding {
  /** The text's words in that script. */
  readonly words: string;
  /** Between 0 and 1: the script's share of the text. */
  readonly share: number;
  /** The only language of the script, or the script as named in ISO 15924. */
  readonly language?: string;
  readonly script?: SharedScript;
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Recognizes the rarer language of a script by letters that the main language lacks: Yiddish besides Hebrew. */
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

/** Amharic has lost these sounds except in rare words, and begins words with አ where Tigrinya has ኣ. */
function isTigrinya(words: string): boolean {
  return /[\u1250-\u125d]/.test(words) || countOf(words, /[ኣ\u12b8-\u12be]/g) > countOf(words, /አ/g);
}

/** The dominant script of a text; undefined if all letters belong to scripts other than these. */
export function findScript(text: string): ScriptFinding | undefined {
  let total = 0;
  let best: { script: Script; weight: number } | undefined;
  for (const script of (scripts ??= describeScripts())) {
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
