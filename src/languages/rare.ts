/**
 * Three-letter codes that count as languages only next to other languages, because most short names are some language's
 * code. They are codes with a name in the CLDR, and codes of other languages into which software is translated.
 */
export const RARE_LANGUAGES: ReadonlySet<string> = new Set(
  (
    'ace acf ach acm ada ady aeb afb afh agq aii ain akk akz ale aln alt ami ang ann anp apc arc arn aro arp ' +
    'arq ars arw ary asa ase atj avk bal ban bar bas bax bbc bbj bcc bej bem bew bez bfd bfq bgc bgn bik bjn ' +
    'bjs bkm bla blo blt bpy bqi bra brb brh bss bua bug bum byn byv bzd cad cak cay cch ccp cgg chb chg chk ' +
    'chm chn cho chp chy cic cim cjs clc cop cps crg cri crj crk crl crm crs csw dag dar dav del den dgr din ' +
    'dje doi dtp dua dum dws dyo dyu dzg ebu efi egl egy eka elx enm esu evn ewo ext fit fon frc frm fro frr ' +
    'frs gaa gag gan gba gbz gcf gcr gez gil glk gmh goh gon gor got grb grc guc gur guz gwi hai hak hax haz ' +
    'hbo hif hit hne hnj hrx hsn hup hur iba ibb ikt inh isv ixl izh jam jbo jgo jmc jpr jrb jut kaa kac kaj ' +
    'kam kaw kbd kbl kbp kcg kde kea kek ken ket kfo kgp kha kho khq khw kiu kjh kjp kkj kkz kln kmb koi kos ' +
    'kpe krc kri krj krl kru ksb ksf ksh ksw kum kut kwk kxv lad lag lah lam lbe ldn lez lfn lil liv lki lkt ' +
    'lld lou loz lrc lsm lua lud lui lun luo luy lzh lzz mad maf mag mak mam mas mde mdf mdr meh mer mfe mga ' +
    'mgh mgo mhn mic min mix mjw mnc mns mnw moe moh mos mrj mrw mua mus mwl mwr mwv mye myv mzn nah nan nap ' +
    'naq nch ngu nhe nia nio niu njo nmg nnh nog non nov nrm nus nwc nym nyn nyo nzi ojb ojc ojs ojw oka olo ' +
    'ory osa ota oto ovd pag pal pam pau pcd pcm pdc pdt peo pfl phn pis pnt pon pov ppl pqm prg pro pwn qug ' +
    'quy qya raj rap rar rcf rgn rhg rif rof rom rtm rue rug rup rwk sah sam saq sas sat saz sba sbp sdc sdh ' +
    'sdn seh sei sel ses sga sgs shn shu sid sjd sje sjn sju skr slh sli sly sms snk sog son srn sro srr ssy ' +
    'stq str suk sus sux swb swg sxu syc syr tah tay tce tcy tem teo ter tet tgx tht tig tiv tkl tkr tlh tli ' +
    'tly tmh tog tok trs tru trv trw tsd tsi tsz ttm ttt tum tvl twd twq tyv tzl tzo udm uga umb vai vec vep ' +
    'vls vmf vmw vot vro vun wae wal war wbp wls wuu xal xmf xnr xog yao yap yav ybb yrk yrl zab zam zap zbl ' +
    'zea zen zun zza'
  ).split(' '),
);

/** Country codes that are used for a language, and that are not language codes. */
const OF_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ['al', 'sq'],
  ['cn', 'zh-CN'],
  ['cz', 'cs'],
  ['dk', 'da'],
  ['gb', 'en-GB'],
  ['gr', 'el'],
  ['ir', 'fa'],
  ['jp', 'ja'],
  ['mx', 'es-MX'],
  ['rs', 'sr'],
  ['ua', 'uk'],
  ['us', 'en-US'],
  ['vn', 'vi'],
]);

/** The language meant by a country's code: `jp` is Japanese. Undefined for codes of languages. */
export function languageOfCountry(code: string): string | undefined {
  return OF_COUNTRIES.get(code.toLowerCase());
}

/** Whether a code may mean a country in which a language is spoken: `rs` for Serbian, `br` for Brazilian Portuguese. */
export function mayMeanCountryOf(code: string, locale: string): boolean {
  const lower = code.toLowerCase();
  const language = OF_COUNTRIES.get(lower) ?? TWO_MEANINGS.get(lower)?.locale;
  return language?.split('-', 1)[0] === locale.split('-', 1)[0];
}

interface TwoMeanings {
  /** The country's language, canonical. */
  readonly locale: string;
  /** Signs of the country's language. Some may be in texts of the other language, in names or in a list of languages. */
  readonly signs: RegExp;
  /** Signs of the language with this code. */
  readonly ownSigns?: RegExp;
  /** Whether a file without any signs is ambiguous. Otherwise, it is in the language with this code. */
  readonly isRare?: boolean;
}

/** Language codes that are also the code of a country with another language. */
const TWO_MEANINGS: ReadonlyMap<string, TwoMeanings> = new Map([
  ['am', { locale: 'hy', signs: /\p{Script=Armenian}/gu, ownSigns: /\p{Script=Ethiopic}/gu }],
  ['br', { locale: 'pt-BR', signs: /[ãõç]/gi, ownSigns: /c['’ʼ]h|ñ|\b(?:eus|evit|gant)\b/gi }],
  ['in', { locale: 'hi', signs: /\p{Script=Devanagari}/gu, ownSigns: /\b(?:dan|untuk|tidak|yang)\b/gi }],
  ['kr', { locale: 'ko', signs: /\p{Script=Hangul}/gu, ownSigns: /[ǝɍ]/gi, isRare: true }],
  ['se', { locale: 'sv', signs: /[åäö]/gi, ownSigns: /[áčđŋšŧž]/gi }],
  ['si', { locale: 'sl', signs: /[čšž]/gi, ownSigns: /\p{Script=Sinhala}/gu }],
  ['tw', { locale: 'zh-TW', signs: /\p{Script=Han}/gu, ownSigns: /[ɛɔ]/gi, isRare: true }],
]);

/**
 * The locale that a file means by a code that is also a country's: `tw` is Twi or Taiwan.
 *
 * @param locale the code as a language, canonical
 * @param read returns the beginning of the file
 * @returns undefined if it is ambiguous
 */
export function resolveCountryCode(spelling: string, locale: string, read: () => string): string | undefined {
  const meanings = TWO_MEANINGS.get(spelling.toLowerCase());
  if (!meanings) return locale;
  const text = read();
  const countOf = (signs: RegExp | undefined): number =>
    signs === undefined ? 0 : (text.match(signs)?.length ?? 0);
  const [others, own] = [countOf(meanings.signs), countOf(meanings.ownSigns)];
  if (others > own) return meanings.locale;
  return own === 0 && meanings.isRare === true ? undefined : locale;
}
