/**
 * The commonest words of languages that no detector knows, and prefixes that most of their other words have. Taken for
 * one of the languages that they know, such a text would be translated from the wrong one.
 */
interface FunctionWords {
  readonly language: string;
  readonly words: ReadonlySet<string>;
  /** Beginnings that hardly any other language has. */
  readonly prefix?: RegExp;
}

const languages: readonly FunctionWords[] = [
  {
    language: 'lg',
    words: setOf(
      'era nga oba nti mu ku ne naye kubanga okuva buli bonna yonna byonna kyonna ennyo nnyo wano leero kye kya bya gwa ' +
        'lwa bwa gye bwe ebyo abo ono oyo gwe nze ffe mmwe ddala awamu singa newankubadde tewali tulina balina alina ' +
        'yabadde ssente webale ssebo nnyabo',
    ),
    prefix:
      /^(?:(?:oku|omu|aba|eki|ebi|obu|olu|emi|eri|ama|n'o|n'e|n'a|ng'o|mu)\p{L}{3}|edd|ekk|enn|egg|bann)/u,
  },
  {
    language: 'ts',
    words: setOf(
      'na ku ka va wa ya ni hi xa swa leswi leswo leswaku loko kumbe naswona eka vanhu munhu hinkwavo hinkwaswo hinkwayo ' +
        'hinkwawo tani hambi kambe hikuva ngopfu sweswi swinene xi swi ti mi lava leyi lexi leri ndzi ngaku kutani ' +
        'endzhaku rixaka tiko siku nkarhi inkomu avuxeni',
    ),
    prefix: /^(?:swi|hinkw|ndz|xi[kmt]|n'w|wun'|un'|rin'|xin'|vu[tvx]|tin|mati|nhl)/,
  },
];

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** One word may be in many languages; of two, one more sign is needed. */
const leastSigns = 2;
/** The longer a text, the less of it has to be recognized. */
const leastShare = (words: number): number => (words < 6 ? 0.6 : 0.4);

/** The language of most of the words; undefined for most texts. */
export function detectByFunctionWords(text: string): string | undefined {
  const words = text.toLowerCase().replaceAll('’', "'").split(/\s+/).filter(Boolean);
  if (words.length < leastSigns) return undefined;
  for (const { language, words: known, prefix } of languages) {
    let signs = 0;
    let prefixes = 0;
    for (const word of words) {
      if (known.has(word)) signs++;
      else if (prefix?.test(word) === true) prefixes++;
    }
    const all = signs + prefixes;
    if (prefixes > 0 && all >= leastSigns && all >= words.length * leastShare(words.length)) return language;
  }
  return undefined;
}
