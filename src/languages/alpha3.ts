import { languageOf, parseLocale, spellLocale, type LocaleStyle } from './locale.ts';

/** Each ISO 639-1 code with its three-letter code in ISO 639-2. */
const TERMINOLOGIC = read(
  'aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bibis ' +
    'bmbam bnben bobod brbre bsbos cacat ceche chcha cocos crcre csces cuchu cvchv cycym dadan dedeu ' +
    'dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus fafas ffful fifin fjfij fofao frfra fyfry ' +
    'gagle gdgla glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyhye hzher iaina ' +
    'idind ieile igibo iiiii ikipk ioido isisl itita iuiku jajpn jvjav kakat kgkon kikik kjkua kkkaz ' +
    'klkal kmkhm knkan kokor krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ' +
    'ltlit lulub lvlav mgmlg mhmah mimri mkmkd mlmal mnmon mrmar msmsa mtmlt mymya nanau nbnob ndnde ' +
    'nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya ococi ojoji omorm orori ososs papan pipli plpol ' +
    'pspus ptpor quque rmroh rnrun roron rurus rwkin sasan scsrd sdsnd sesme sgsag sisin skslk slslv ' +
    'smsmo snsna sosom sqsqi srsrp ssssw stsot susun svswe swswa tatam tetel tgtgk ththa titir tktuk ' +
    'tntsn toton trtur tstso tttat tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho ' +
    'yiyid yoyor zazha zhzho zuzul',
);

/** The alternative codes of ISO 639-2, derived from English names. */
const BIBLIOGRAPHIC = read(
  'botib cscze cywel deger elgre eubaq faper frfre hyarm isice kageo mimao mkmac msmay mybur nldut ' +
    'rorum skslo sqalb zhchi',
);

function read(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(' ').map((pair) => [pair.slice(2), pair.slice(0, 2)]));
}

const NAMES: ReadonlyMap<string, string> = new Map([...TERMINOLOGIC].map(([three, two]) => [two, three]));
const OLD_NAMES: ReadonlyMap<string, string> = new Map(
  [...BIBLIOGRAPHIC].map(([three, two]) => [two, three]),
);

/**
 * The canonical code of a locale with the three-letter code of a language that also has a two-letter one: `deu`, `fre`,
 * `por-BR`. Most short directory names are such codes, so callers must know that the name is a language.
 */
export function localeOfAlpha3(spelling: string): string | undefined {
  const three = spelling.slice(0, 3);
  const two = TERMINOLOGIC.get(three) ?? BIBLIOGRAPHIC.get(three);
  return two === undefined ? undefined : parseLocale(two + spelling.slice(3));
}

/**
 * Spells a canonical code with the three letters of its language.
 *
 * @param own other spellings in the project: if one is derived from an English name (`ger`), the result is, too
 */
export function spellAlpha3(locale: string, style: LocaleStyle, own: readonly string[]): string {
  const language = languageOf(locale);
  const isOld = own.some((spelling) => BIBLIOGRAPHIC.has(spelling.slice(0, 3)));
  const three = (isOld ? OLD_NAMES.get(language) : undefined) ?? NAMES.get(language) ?? language;
  return three + spellLocale(locale, style).slice(language.length);
}
