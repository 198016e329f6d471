/**
 * The commonest words of languages that no detector knows or that are taken for others, and what most of their other words
 * look like. Taken for another one, such a text would be translated from the wrong language.
 */
interface FunctionWords {
  readonly language: string;
  readonly words: ReadonlySet<string>;
  /** Beginnings and endings that hardly any other language has. */
  readonly shape: RegExp;
}

const languages: readonly FunctionWords[] = [
  {
    language: 'lg',
    words: setOf(
      'era nga oba nti mu ku ne naye kubanga okuva buli bonna yonna byonna kyonna ennyo nnyo wano leero kye kya bya gwa ' +
        'lwa bwa gye bwe ebyo abo ono oyo gwe nze ffe mmwe ddala awamu singa newankubadde tewali tulina balina alina ' +
        'yabadde ssente webale ssebo nnyabo',
    ),
    shape:
      /^(?:(?:oku|omu|aba|eki|ebi|obu|olu|emi|eri|ama|n'o|n'e|n'a|ng'o|mu)\p{L}{3}|edd|ekk|enn|egg|bann)/u,
  },
  {
    language: 'ts',
    words: setOf(
      'na ku ka va wa ya ni hi xa swa leswi leswo leswaku loko kumbe naswona eka vanhu munhu hinkwavo hinkwaswo hinkwayo ' +
        'hinkwawo tani hambi kambe hikuva ngopfu sweswi swinene xi swi ti mi lava leyi lexi leri ndzi ngaku kutani ' +
        'endzhaku rixaka tiko siku nkarhi inkomu avuxeni',
    ),
    shape: /^(?:swi|hinkw|ndz|xi[kmt]|n'w|wun'|un'|rin'|xin'|vu[tvx]|tin|mati|nhl)/,
  },
  {
    language: 'tn',
    words: setOf(
      'go le ba ya wa mo ka ga fa e a o se ke di tsa kwa gore kgotsa jwa lo ne mongwe nngwe nna gagwe',
    ),
    shape: /tlh|tshwanel|kgolol|gololes|^bot[ls]h|^dit[sl]|^mot[hs]|^set[sš]h/,
  },
  {
    language: 'st',
    words: setOf('ho le ba ya wa ka ha tsa e a o se ke hore kapa hae bona mang ena jwalo di'),
    shape: /tjh|^hlok|^bohl|[aeo]hle$|tshwanel|^ditok|^motho$|^setjh/,
  },
  {
    language: 'eo',
    words: setOf(
      'la kaj estas kun tiu neniu povas dum devas nur kiu kiuj ke ol sen pli havas per por pri al sur inter ne en de sia ' +
        'siaj lia ili ni vi li tio kio kiam kiel rajton rajtas homo',
    ),
    shape: /.{2}(?:oj|ojn|ajn)$|[ĉĝĥĵŝŭ]/,
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
  for (const { language, words: known, shape } of languages) {
    let signs = 0;
    let shapes = 0;
    for (const word of words) {
      if (known.has(word)) signs++;
      else if (shape.test(word)) shapes++;
    }
    const all = signs + shapes;
    if (shapes > 0 && all >= leastSigns && all >= words.length * leastShare(words.length)) return language;
  }
  return undefined;
}
