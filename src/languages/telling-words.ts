/** What distinguishes a language from the one that detectors take it for. */
interface Sign {
  readonly language: string;
  /** Words that the other one does not have, or writes differently. */
  readonly words: ReadonlySet<string>;
  /** Endings that the other one writes differently. */
  readonly ending: RegExp;
}

const sign = (language: string, ending: RegExp, words: string): Sign => ({
  language,
  ending,
  words: new Set(words.split(' ')),
});

/** Nearly the same letters in nearly the same order: n-grams cannot distinguish these, single words can. */
const pairs: readonly (readonly [Sign, Sign])[] = [
  [
    sign(
      'id',
      /.{3}itas$/,
      'karena bahwa bisa silakan berkas unduh mengunduh unggah mengunggah sandi surel email beranda pengaturan setelan ' +
        'layanan layar akun koneksi jaringan tombol perangkat bagikan hapus menghapus berhasil nanti pencarian ' +
        'tampilkan menampilkan aktifkan nonaktifkan ketentuan kebijakan keranjang gratis belanja ongkos kirim mengirim ' +
        'seret urutkan beda berbeda perbedaan butuh membutuhkan kantor uang mobil provinsi telepon foto yaitu kapan ' +
        'kalian perbarui memperbarui pembaruan tautan peramban obrolan kesempatan pemerintah maupun mendapatkan liburan ' +
        'kesehatan bagian resmi mulai coba mencoba percobaan kode mode proyek grup tim senin jumat agustus desember ' +
        'harus nasional internasional kawin perkawinan',
    ),
    sign(
      'ms',
      /.{4}iti$/,
      'kerana bahawa sahaja fail e-mel emel akaun skrin carian tetapan padam padamkan laluan kongsi perkhidmatan butang ' +
        'nyahaktif troli penghantaran hantar menghantar ralat kemas kemaskini tiada wang syarikat berbeza perbezaan ' +
        'pelbagai manakala kesemua awak hendaklah hendak mahu cuba mencuba percubaan sila percuma universiti ' +
        'antarabangsa isnin ahad jumaat sebarang ialah peranti pautan pelayar mesej sembang kod mod projek bahagian ' +
        'rasmi mula kesihatan terma dayakan langkau perlembagaan sesiapa mestilah adakah telefon ogos disember kahwin ' +
        'perkahwinan ianya',
    ),
  ],
  [
    sign(
      'no',
      /.(?:sjon|het)(?:en|er|ene|s)?$/,
      'av hva etter seg meg deg nå ut uten ble bli blir noe noen mye rett nei takk åpne slett søk bruker språk språket ' +
        'passord passordet tilbake lukk melding meldinger gi igjen siste sist varsler legg opp gikk mot skjerm endre ' +
        'endret endringer enheten frakt lagret lagre tapt uleste ditt nytt sorter laste dra hit modus handlekurven ' +
        'rettigheter samfunn arbeid vei gitt tatt fått gjennom mellom aldri alltid hjelp feil grunn innstillinger avbryt ' +
        'ferdig inn opplysninger personvern',
    ),
    sign(
      'da',
      /.(?:tion|hed)(?:en|er|erne|s)?$/,
      'af hvad efter sig mig dig nu ud uden blev blive bliver noget nogen nogle ret nej tak åbn slet søg bruger sprog ' +
        'sproget adgangskode adgangskoden tilbage luk besked beskeder giv give igen sidste sidst notifikationer læg op ' +
        'gik mod skærm ændre ændret ændringer enheden fragt gemt gem gemme tabt ulæste dit nyt sortér træk hertil ' +
        'kurven rettigheder samfund arbejde vej givet taget fået gennem mellem aldrig altid hjælp fejl grund ' +
        'indstillinger annuller færdig ind oplysninger privatliv',
    ),
  ],
];

/**
 * Shorter texts are as well in one as in the other where no word tells: then it is the one in which there is far more.
 * In letters.
 */
const short = 100;
const usual: ReadonlySet<string> = new Set(['id']);

/** The language itself, or the other one of its pair when more of the words are that one's. */
export function settleByWords(language: string, words: string): string {
  const pair = pairs.find((signs) => signs.some((one) => one.language === language));
  if (!pair) return language;
  const [a, b] = pair;
  let difference = 0;
  for (const word of words.toLowerCase().split(/\s+/)) difference += weigh(a, word) - weigh(b, word);
  if (difference !== 0) return (difference > 0 ? a : b).language;
  return words.length < short && usual.has(a.language) ? a.language : language;
}

function weigh({ words, ending }: Sign, word: string): number {
  return words.has(word) || ending.test(word) ? 1 : 0;
}
