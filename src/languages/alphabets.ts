/**
 * The letters of languages that detectors know, those of Latin alphabets without `a` to `z`. A word with a letter that
 * the alphabet lacks is of another language, however well its n-grams fit. Letters of common loan words are among them;
 * what is not listed may have any letter.
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

/** More of a text than this: a name may have foreign letters. */
const MOST_FOREIGN = 0.02;

/** Which languages a text can be in, as far as its letters say. */
export function languagesByLetters(text: string): (language: string) => boolean {
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
