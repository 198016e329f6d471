/** Letters of one language among those of its script that the detectors do not know or take for a neighbour. */
const tellingLetters: readonly (readonly [language: string, letters: RegExp])[] = [
  ['mk', /[ѓќѕ]/gi],
  ['ba', /[ҙҫ]/gi],
  ['cv', /[ӑӗ]/gi],
  ['tt', /җ/gi],
  ['ps', /[ښړځۍڼ]/g],
  ['ug', /[ۇۈ]/g],
];

/** Fewer than one letter in fifty may stand in a foreign name. */
const leastShare = 0.02;

/** The language that the letters alone decide; undefined for most texts. */
export function tellByLetters(words: string): string | undefined {
  const total = words.match(/\p{L}/gu)?.length ?? 0;
  return tellingLetters.find(([, letters]) => (words.match(letters)?.length ?? 0) > total * leastShare)?.[0];
}
