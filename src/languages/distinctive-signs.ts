import type { SharedScript } from './script.ts';

/** Signs that distinguish a language from those that detectors confuse it with. */
interface DistinctiveWords {
  readonly language: string;
  /** Words that those languages lack, or spell differently. */
  readonly words: ReadonlySet<string>;
  /** Endings that those languages spell differently. */
  readonly ending: RegExp;
}

const wordsOf = (language: string, ending: RegExp, words: string): DistinctiveWords => ({
  language,
  ending,
  words: new Set(words.split(' ')),
});

/** Languages whose letters and their sequences are nearly the same: single words distinguish them, n-grams cannot. */
const groups: readonly (readonly DistinctiveWords[])[] = [
  [
    wordsOf(
      'id',
      /.{3}itas$/,
      'karena bahwa bisa silakan berkas unduh mengunduh unggah mengunggah sandi surel email beranda pengaturan setelan ' +
        'layanan layar akun koneksi jaringan tombol perangkat bagikan hapus menghapus berhasil nanti pencarian ' +
        'laki-laki kota rumah sakit polisi tanggal besok sore ketika persen partai jepang prancis spanyol italia eropa ' +
        'juli juni maret kamis delapan miliar musik televisi kualitas aktivitas universitas nomor dukungan fitur ' +
        'jendela daftar tampilan peladen perintah memiliki berdasarkan adanya dapat sehingga perangkat lunak opsi ' +
        'galat mungkin tampilkan menampilkan aktifkan nonaktifkan ketentuan kebijakan keranjang gratis belanja ongkos kirim mengirim ' +
        'seret urutkan beda berbeda perbedaan butuh membutuhkan kantor uang mobil provinsi telepon foto yaitu kapan ' +
        'kalian perbarui memperbarui pembaruan tautan peramban obrolan kesempatan pemerintah maupun mendapatkan liburan ' +
        'kesehatan bagian resmi mulai coba mencoba percobaan kode mode proyek grup tim senin jumat agustus desember ' +
        'harus nasional internasional kawin perkawinan tipe karakter setelah kesalahan standar peringatan',
    ),
    wordsOf(
      'ms',
      /.{4}iti$/,
      'kerana bahawa sahaja fail e-mel emel akaun skrin carian tetapan padam padamkan laluan kongsi perkhidmatan butang ' +
        'nyahaktif troli penghantaran hantar menghantar ralat kemas kemaskini tiada wang syarikat berbeza perbezaan ' +
        'pelbagai manakala kesemua awak hendaklah hendak mahu cuba mencuba percubaan sila percuma universiti ' +
        'antarabangsa isnin ahad jumaat sebarang ialah peranti pautan pelayar mesej sembang kod mod projek bahagian ' +
        'rasmi mula kesihatan terma dayakan langkau perlembagaan sesiapa mestilah adakah telefon ogos disember kahwin ' +
        'perkahwinan ianya daripada iaitu kanak-kanak bandar hospital polis tarikh esok petang cakap ' +
        '  pejabat kerajaan pelancong percutian cuti tempatan peratus parti jepun inggeris perancis ' +
        'sepanyol itali eropah julai jun mac khamis lapan bilion muzik filem televisyen komputer kualiti aktiviti sains ' +
        'fizik wang nombor alamat had sokongan ciri tetingkap senarai tunjuk tunjukkan papar paparan simpanan ' +
        '   hendaklah kedua-dua sesebuah kerosakan pelayan ' +
        ' pengecam senarai jalur dijumpai menjumpai perisian patut imej saiz aksara lalai semasa semula lajur kandungan ' +
        'benarkan selepas jadual kawasan samada fon',
    ),
  ],
  [
    wordsOf(
      'no',
      /.(?:sjon|het)(?:en|er|ene|s)?$/,
      'av hva etter seg meg deg nå ut uten ble bli blir noe noen mye rett nei takk åpne slett søk bruker språk språket ' +
        'passord passordet tilbake lukk melding meldinger gi igjen siste sist varsler legg opp gikk mot skjerm endre ' +
        'endret endringer enheten frakt lagret lagre tapt uleste ditt nytt sorter laste dra hit modus handlekurven ' +
        'rettigheter samfunn arbeid vei gitt tatt fått gjennom mellom aldri alltid hjelp feil grunn innstillinger avbryt ' +
        'ferdig inn opplysninger personvern',
    ),
    wordsOf(
      'nn',
      /.{2}(?:leg|lege|inga|ingar|ingane|ane|heita)$/,
      'ikkje eg ein eit frå dei vere vera kva kven korleis nokon noko nokre mykje meir kvar sjå gjere gjer vore vart vert ' +
        'blei berre eigen eige eiga saman desse dykk dykkar deira hennar høyre høgre innstillingar lagra opna heim ho ' +
        'millom anna sjølv sidan difor dersom medan såleis einskild rettar menneske fridom mogleg ' +
        'moglegheit verksemd kjelde teikn lesa velja leggja fann fyrst fyrste seie seier ' +
        'vanleg skilje tilgjenge røyst kvarandre noreg vegen veg tenester følgjande ukjend ' +
        'teiknet namn namnet fila slettar brukar brukaren ei kvar oppgje storleik noverande tilgjengeleg fleire utan ' +
        'same heile visast brukast korkje anten tryggleik',
    ),
    wordsOf(
      'da',
      /.(?:tion|hed)(?:en|er|erne|s)?$/,
      'af hvad efter sig mig dig nu ud uden blev blive bliver noget nogen nogle ret nej tak åbn slet søg bruger sprog ' +
        'sproget adgangskode adgangskoden tilbage luk besked beskeder giv give igen sidste sidst notifikationer læg op ' +
        'gik mod skærm ændre ændret ændringer enheden fragt gemt gem gemme tabt ulæste dit nyt sortér træk hertil ' +
        'kurven rettigheder samfund arbejde vej givet taget fået gennem mellem aldrig altid hjælp fejl grund ' +
        'indstillinger annuller færdig ind oplysninger privatliv',
    ),
  ],
  [
    wordsOf(
      'hr',
      /.{3}(?:irati|iran|irana|irano|irani|iranje|iranja|telj[aui]?ica)$/,
      'tko netko nitko svatko itko što tjedan tjedna tisuća tisuće tijekom općenito točno točka točke sustav sustava ' +
        'povijest zrak kruh kava tvornica glazba vlak kazalište europa europski europske sveučilište znanost siječanj ' +
        'veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac uvjet uvjeti uvjete uvjetima ' +
        'obitelj obitelji vlastiti vlastita stupanj također uporaba uporabi primjerice glede uvezi zaporka zaporku ' +
        'poslužitelj poslužitelja preglednik datoteka datoteke datoteku mapa tipkovnica pisač inačica inačice izbornik ' +
        'nepoznat nepostojeći ispravan neispravan uključi isključi spremi pohrani poveznica zahtjev htjeti nazočnost ' +
        'ovisno prosvjed udruga udruge gospodarski nadzor osobe osoba izvješće redak retka dopuštenje dopušteno ponovno ' +
        'postavke pomoću međutim tijelo proračun slijedeći zbirka obrana obrane utjecaj utjecaja utječe razina razine ' +
        'područje područja zaslon odabrano odabrana osobni osobna osobnog osobne jamstvo jamči popis gumb stupac',
    ),
    wordsOf(
      'bs',
      /.{3}(?:ovati|ovan|ovana|ovano|ovani|isati|isan|isana|isano)$/,
      'ko neko niko svako iko šta sedmica sedmice hiljada hiljade tokom uopšte uopće tačno tačka tačke sistem sistema ' +
        'historija vazduh hljeb kafa fabrika muzika voz pozorište evropa evropski evropske univerzitet nauka nauke januar ' +
        'februar mart april maj juni juli august septembar oktobar novembar decembar uslov uslovi uslove uslovima porodica ' +
        'porodice sopstveni sopstvena stepen takođe također upotreba upotrebi naprimjer lozinka lozinku server servera ' +
        'tastatura štampač verzija verzije nepoznato omogući onemogući snimi sačuvaj link ovdje bosanski bosna ' +
        'hercegovina lahko mehko kahva općina opština opći opšti organizacija finansije finansijski demokratija ' +
        'saglasno saradnja učestvovati učešće lice lica shodno prema ličnosti ličnost bezbjednost sigurnost ' +
        'deklaracija stanovništvo obezbijediti zvanični zvanično izvještaj hiljadu mogu datoteka direktorij prilikom ' +
        'ukoliko obavezno obavještenje preduzeće komandna komanda fajl fajla fajlove dozvola dozvole dozvoljeno nivo nivoa ' +
        'oblast oblasti spisak uticaj uticaja utiče dugme kolona ekran izabrano izabrana nevažeći odbrana odbrane lični ' +
        'lična ličnog lične garantuje garancija',
    ),
  ],
  [
    wordsOf(
      'af',
      /[rtwbgk]y[hdskfnvw]|gelyk|asie|ery$|[^j]like$|^sk[a-z]{2}/,
      "die nie word vir hierdie daardie deur soos jy hy hulle julle sy hê sal se kry dié nuwe wees 'n",
    ),
    wordsOf(
      'nl',
      /ij|.atie$/,
      'de een niet worden wordt als naar er deze heeft hebben zonder uw ik wij andere ieder elke niemand',
    ),
  ],
  [
    wordsOf(
      'mk',
      /.{3}(?:иот|јот|ување|увања|њето)$|ј.*(?:та|то|те)$/,
      'во со ја ќе кога биде оваа овој ги кои кој повеќе меѓу сите бидат беше ве ме ѝ',
    ),
    wordsOf(
      'bg',
      /.{3}(?:ът|ят)$/,
      'в с към бъде този тази които който която със във съм повече между преди всеки',
    ),
    wordsOf(
      'sr',
      /.{3}(?:ијом|овима|ити)$/,
      'је у су које који као бити ће није нисам али које сме свако ни',
    ),
  ],
  [
    wordsOf(
      'hi',
      /.{2}(?:ों|ें)$/,
      'है हैं का के को से में और नहीं यह करें करने जो इस किया गया गई सकता सकते होगा था थे लिए अपने तथा',
    ),
    wordsOf(
      'mr',
      /ळ|.{2}(?:च्या|ण्याचा|ण्यात|ल्या|ून|णे|ांचा|ांची|ांचे|ांना)$/,
      'आहे आहेत आणि नाही हा ही हे व करा केले केली या असे तर होते किंवा आपल्या त्याच्या',
    ),
  ],
  [
    wordsOf(
      'st',
      /^(?:hlok|tse[nd]|bohl)/,
      'ho hore kapa hape haholo bohle bona kajeno hona jwale joale tse ntse empa feela hobane kappa lokela tokelo ditokelo ' +
        'mang eng jwang tjena tsohle ohle yohle sohle hae bao tseo tsena ena ba le',
    ),
    wordsOf(
      'tn',
      /tlh|jw|tshw|kgolol|gon[gn]/,
      'go gore kgotsa gape thata botlhe otlhe yotlhe tsotlhe gompieno jaanong mme fela gonne jwa lo tsa mongwe sengwe ' +
        'nngwe dingwe gagwe gaufi fa kwa teng jaaka ntlha pele morago bangwe gongwe gore',
    ),
    wordsOf(
      'nso',
      /š|bj|swanetš|ohle$/,
      'gore goba gape gagolo bohle lehono bjale eupša fela gobane tša tše tšeo yeo fao wo woo yohle tšohle mang bjang ' +
        'gagwe ditokelo bao',
    ),
  ],
];

/** Texts with fewer letters and no distinctive word may be in either language; the more common one wins. */
const shortText = 100;
const moreCommon: ReadonlySet<string> = new Set(['id']);

/** The language itself, or another one of its group if it has more of the words. */
export function distinguishByWords(language: string, words: string): string {
  const group = groups.find((signs) => signs.some((one) => one.language === language));
  if (!group) return language;
  const list = words.toLowerCase().split(/\s+/);
  const scores = group.map((signs) => list.reduce((score, word) => score + weigh(signs, word), 0));
  const best = Math.max(...scores);
  const [first, ...others] = group.filter((_, i) => scores[i] === best).map((signs) => signs.language);
  if (first !== undefined && others.length === 0) return first;
  const isOpen = (code: string): boolean => code === first || others.includes(code);
  const common = [...moreCommon].find(isOpen);
  if (common !== undefined && words.length < shortText) return common;
  return isOpen(language) ? language : (first ?? language);
}

function weigh({ words, ending }: DistinctiveWords, word: string): number {
  return words.has(word) || ending.test(word) ? 1 : 0;
}

/** Letters that identify a language that detectors do not support or mistake for a related one. */
interface DistinctiveLetters {
  readonly language: string;
  /** Letters of which a text needs a minimum share, because a few may belong to foreign names. */
  readonly letters: RegExp;
  /** Signs that must all occur. */
  readonly all?: readonly RegExp[];
  /** Signs of which none may occur, because they belong to other languages with the same letters. */
  readonly none?: RegExp;
  /** The shortest text, in letters, in which missing letters prove anything. */
  readonly least?: number;
}

const cyrillic: readonly DistinctiveLetters[] = [
  { language: 'mk', letters: /[ѓќѕ]/gi },
  { language: 'ba', letters: /[ҙҫ]/gi },
  { language: 'kk', letters: /[ғқұәһ]/gi, all: [/[ғқұ]/i], none: /[ҡҙҫҝҹҳҷӣӯҗў]/i },
  { language: 'cv', letters: /[ӑӗ]/gi },
  { language: 'os', letters: /ӕ/gi },
  { language: 'ab', letters: /[ҭҵҽҿҩԥҧҟ]/gi },
  { language: 'tt', letters: /җ/gi },
  // Kazakh and Bashkir share these, but nearly every line in them also has letters that Tatar lacks.
  { language: 'tt', letters: /[әһ]/gi, none: /[қғұіҡҙҫҝҹҳј]/i, least: 30 },
];

const arabic: readonly DistinctiveLetters[] = [
  { language: 'ps', letters: /[ښړځۍڼ]/g },
  { language: 'ug', letters: /[ۇۈۋڭ]/g },
];

const latin: readonly DistinctiveLetters[] = [
  { language: 'fo', letters: /[ðø]/gi, all: [/ð/i, /ø/i], none: /þ/i },
  { language: 'tk', letters: /[ňýşž]/gi, all: [/ň/i, /[şä]/i], none: /[áéíóúěřğı]/i },
  { language: 'crh', letters: /[ñğşı]/gi, all: [/ñ/i, /[ğşı]/i], none: /[äə]/i },
  { language: 'dsb', letters: /[ěłśŕ]/gi, all: [/ě/i, /ł/i, /[śŕ]/i] },
  { language: 'hsb', letters: /[ěłř]/gi, all: [/ě/i, /ł/i] },
  { language: 'kab', letters: /[ɣɛḍṭẓḥǧč]/gi, all: [/ɣ/i, /[ḍṭẓǧč]/i] },
  { language: 'ee', letters: /[ƒɖʋ]/gi },
];

const distinctiveLetters: Readonly<Partial<Record<SharedScript, readonly DistinctiveLetters[]>>> = {
  Cyrl: cyrillic,
  Arab: arabic,
  Latn: latin,
};

const leastShare = 0.02;

/** The language that letters alone determine; undefined for most texts. */
export function detectByLetters(words: string, script: SharedScript): string | undefined {
  const total = words.match(/\p{L}/gu)?.length ?? 0;
  return distinctiveLetters[script]?.find(
    ({ letters, all = [], none, least = 0 }) =>
      total >= least &&
      (words.match(letters)?.length ?? 0) > total * leastShare &&
      all.every((letter) => letter.test(words)) &&
      none?.test(words) !== true,
  )?.language;
}

/** Characters that only one of the writing systems uses: those that only its national character set contains. */
interface HanSets {
  readonly simplified: ReadonlySet<string>;
  readonly traditional: ReadonlySet<string>;
  readonly japanese: ReadonlySet<string>;
}

/** All ideographs between two codes of `encoding`, read row by row from the platform's tables. */
function ideographs(encoding: string, first: number, last: number): Set<string> {
  const bytes: number[] = [];
  for (let lead = first >> 8; lead <= last >> 8; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const code = lead * 256 + trail;
      if (code >= first && code <= last) bytes.push(lead, trail, 0x0a);
    }
  }
  const text = new TextDecoder(encoding).decode(new Uint8Array(bytes));
  return new Set(text.match(/\p{Script=Han}/gu));
}

/** The members of one set that none of the others contains. */
function only(own: ReadonlySet<string>, ...others: readonly ReadonlySet<string>[]): Set<string> {
  return new Set([...own].filter((han) => !others.some((other) => other.has(han))));
}

let sets: HanSets | undefined;

function hanSets(): HanSets {
  if (sets) return sets;
  // The two levels of GB 2312, Big5 and JIS X 0208: later additions include the others' characters. The trail bytes of
  // the first and third begin at A1; GBK filled the lower half with traditional characters.
  const gb = new Set<string>();
  const jis = new Set<string>();
  for (let lead = 0xb0; lead <= 0xf7; lead++) {
    for (const han of ideographs('gbk', lead * 256 + 0xa1, lead * 256 + 0xfe)) gb.add(han);
    if (lead > 0xf4) continue;
    for (const han of ideographs('euc-jp', lead * 256 + 0xa1, lead * 256 + 0xfe)) jis.add(han);
  }
  const big5 = new Set([...ideographs('big5', 0xa440, 0xc67e), ...ideographs('big5', 0xc940, 0xf9d5)]);
  sets = { simplified: only(gb, big5), traditional: only(big5, gb), japanese: only(jis, gb, big5) };
  return sets;
}

/** Chinese (`zh-CN`, `zh-TW`) or Japanese, with the confidence (0 to 1). */
interface HanFinding {
  readonly language: 'zh-CN' | 'zh-TW' | 'ja';
  readonly confidence: number;
}

/**
 * The language of a text in ideographs and kana. Without distinctive characters, simplified Chinese with confidence
 * 0.5.
 */
export function detectHan(words: string): HanFinding {
  const kana = words.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  let han = 0;
  let simplified = 0;
  let traditional = 0;
  let japanese = 0;
  const { simplified: s, traditional: t, japanese: j } = hanSets();
  for (const [sign] of words.matchAll(/\p{Script=Han}/gu)) {
    han++;
    if (s.has(sign)) simplified++;
    else if (t.has(sign)) traditional++;
    else if (j.has(sign)) japanese++;
  }
  // A quoted name or a decorative の does not make a Chinese text Japanese.
  if (kana * 10 >= kana + han) return { language: 'ja', confidence: 1 };
  if (japanese * 10 >= han) return { language: 'ja', confidence: 0.8 };
  const distinctive = simplified + traditional;
  if (distinctive === 0) return { language: 'zh-CN', confidence: 0.5 };
  return simplified >= traditional
    ? { language: 'zh-CN', confidence: simplified / distinctive }
    : { language: 'zh-TW', confidence: traditional / distinctive };
}
