import { DragomanError } from '../base/errors.ts';
import type { Detectors } from './detectors.ts';
import { detectByLetters, detectHan, distinguishByWords } from './distinctive-signs.ts';
import { findScript, type SharedScript } from './script.ts';

/** The detected language of a text. */
export interface Detection {
  /** A canonical code of the catalogue; undefined if no language can be detected, as for a text without letters. */
  readonly language: string | undefined;
  /** 0 to 1; 0 if undetermined. Not a probability, but a higher value is more certain. */
  readonly confidence: number;
}

const undetermined: Detection = { language: undefined, confidence: 0 };

/** With fewer letters, n-grams are unreliable. */
const fewLetters = 12;

/** The error if the language of a text is needed and cannot be detected. */
export function undetectable(hint: string): DragomanError {
  return new DragomanError('unsupported_language', 'cannot detect the language of the text', { hint });
}

let detectors: Promise<Detectors> | undefined;

/** Loaded on first use, because some texts need no detectors. */
function openDetectors(): Promise<Detectors> {
  detectors ??= import('./detectors.ts').then(({ loadDetectors }) => loadDetectors());
  return detectors;
}

/**
 * Preloads the tables that {@link detectLanguage} only needs for some texts, so that no text waits for them.
 *
 * @throws DragomanError like {@link detectLanguage}
 */
export async function loadDetection(): Promise<void> {
  await openDetectors();
}

/** Each window's vote is weighted by its confidence and length. */
async function vote(windows: readonly string[], script: string): Promise<Detection> {
  const { guess } = await openDetectors();
  const votes = new Map<string, number>();
  let total = 0;
  for (const window of windows) {
    total += window.length;
    const found = guess(window, script);
    if (found) votes.set(found.language, (votes.get(found.language) ?? 0) + found.confidence * window.length);
  }
  const [winner] = [...votes].sort(([, a], [, b]) => b - a);
  if (!winner) return undetermined;
  return { language: winner[0], confidence: (winner[1] / total) * Math.min(1, total / fewLetters) };
}

function distinguish({ language, confidence }: Detection, words: string): Detection {
  return { language: language && distinguishByWords(language, words), confidence };
}

/** Detects the language of a text in a script that several languages share. */
async function detectAmong(words: string, script: SharedScript): Promise<Detection> {
  if (script === 'Hani') return detectHan(words);
  const byLetters = detectByLetters(words, script);
  if (byLetters !== undefined) return { language: byLetters, confidence: 0.9 };
  const byWords = script === 'Latn' ? detectByFunctionWords(words) : undefined;
  if (byWords !== undefined) return { language: byWords, confidence: 0.8 };
  const windows = words.split('\n').map((window) => window.replace(/ +/g, ' ').trim());
  const common = commonLanguages(windows.join(' '));
  const [likeliest] = common;
  if (likeliest !== undefined && common.length === 1) return { language: likeliest, confidence: 0.9 };
  const detection = distinguish(await vote(windows, script), words);
  if (likeliest === undefined || common.includes(detection.language ?? '')) return detection;
  return { language: likeliest, confidence: 0.5 };
}

/**
 * The language of windows taken by `sampleText` or `sampleTexts`, for callers that do not have the texts.
 *
 * @throws DragomanError like {@link detectLanguage}
 */
export async function detectWindows(windows: readonly string[]): Promise<Detection> {
  const finding = findScript(windows.join('\n'));
  if (finding?.language !== undefined) return { language: finding.language, confidence: finding.share };
  if (finding?.script === undefined) return undetermined;
  const { language, confidence } = await detectAmong(finding.words, finding.script);
  return { language, confidence: confidence * finding.share };
}

/**
 * The language of one text. Of a long text, only 20,000 characters spread over it are examined. Callers should remove
 * placeholders and markup first.
 *
 * @throws DragomanError `internal` if the detectors' packages cannot be loaded.
 */
export async function detectLanguage(text: string): Promise<Detection> {
  return detectWindows(sampleText(text));
}

/**
 * The common language of a file's values: single interface strings are too short for detection.
 *
 * @throws DragomanError like {@link detectLanguage}
 */
export async function detectTexts(texts: readonly string[]): Promise<Detection> {
  return detectWindows(sampleTexts(texts));
}

/**
 * The most frequent words of a language that detectors do not support or mistake for another, and the shape of most of
 * its other words. Otherwise such texts would be translated from the wrong language.
 */
interface FunctionWords {
  readonly language: string;
  readonly words: ReadonlySet<string>;
  /** Beginnings and endings that are rare in other languages. */
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

/** A single word may exist in several languages. */
const leastSigns = 2;
/** The longer a text, the smaller the share of its words that must be recognized. */
const leastShare = (words: number): number => (words < 6 ? 0.6 : 0.4);

/** The language to which most of the words belong; undefined for most texts. */
function detectByFunctionWords(text: string): string | undefined {
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

/** The maximum length of a window; one of the detectors itself stops at 1,000 characters. */
const windowLength = 1000;

/** Twenty windows suffice to detect the language of any text; more would only take longer. */
const mostWindows = 20;

const sampleLength = windowLength * mostWindows;

/** The most frequent forms of placeholders, tags and entities, whose names are not words of a natural language. */
const codes =
  /\$?\{{1,2}\s*[\w.$-]*\s*\}{1,2}|%\(\w+\)[a-zA-Z]|%\{\w+\}|%(?:\d+\$)?[-+0#]*[\d.*]*(?:hh?|ll?)?[sdiufxXc@](?![a-z])|<\/?[a-zA-Z][^<>]*>|&#?\w+;/g;

/** The ICU syntax around the branches of a plural or a choice: its English words occur in files of every language. */
const icuHead = /\{\s*[\w.-]+\s*,\s*(?:plural|select|selectordinal)\s*,(?:\s*offset:\d+)?/g;
const icuSelector = /[\w=-]+\s*(?=\{)/g;

/**
 * Letters and their marks, with the apostrophes and hyphens inside words. Addresses are excluded, because they have no
 * language.
 */
function lettersOf(window: string): string {
  return withoutCodes(window.normalize('NFC'))
    .replace(/\S*(?::\/\/|@)\S*/g, ' ')
    .replace(/[^\p{L}\p{M}'’·-]+/gu, ' ')
    .trim();
}

function withoutCodes(window: string): string {
  const words = window.replace(codes, ' ');
  const branches = words.replace(icuHead, ' ');
  return branches.length === words.length ? words : branches.replace(icuSelector, ' ');
}

/**
 * The input of detection: the words of the whole text, or of windows evenly spread over a long one, at most 20,000
 * UTF-16 code units. Windows without a letter are skipped.
 */
function sampleText(text: string): readonly string[] {
  const count = Math.min(mostWindows, Math.ceil(text.length / windowLength));
  const step = text.length > sampleLength ? (text.length - windowLength) / (mostWindows - 1) : windowLength;
  const starts = Array.from({ length: count }, (_, i) => Math.floor(i * step));
  return starts
    .map((start) => lettersOf(text.slice(start, start + windowLength)))
    .filter((window) => /\p{L}/u.test(window));
}

/** Same as {@link sampleText}, for the values of a file: as many as fit, evenly distributed. */
export function sampleTexts(texts: readonly string[]): readonly string[] {
  let total = 0;
  for (const text of texts) total += Math.min(text.length, windowLength) + 1;
  const stride = Math.max(1, Math.ceil(total / sampleLength));
  const chosen: string[] = [];
  for (let i = 0; i < texts.length; i += stride) chosen.push((texts[i] ?? '').slice(0, windowLength));
  return sampleText(chosen.join('\n'));
}

/**
 * Words of greetings and interfaces. N-grams are unreliable for one or two words ("Hello" looks Italian to one detector
 * and Serbian to the other), but people try those first. Ordered by the amount of software in each language.
 */
const lists: readonly (readonly [language: string, words: string])[] = [
  [
    'en',
    'hello hi hey welcome world good morning evening night thanks thank you please yes no the a an of to in on for and or ' +
      'is are not my your we i how what save cancel close open edit delete remove add new next back file files help home ' +
      'settings search sign log login logout out up user users name password email done loading error warning download ' +
      'upload share send copy paste select all none more less view show hide start stop about profile account language ' +
      'today yesterday tomorrow update submit continue retry undo',
  ],
  [
    'es',
    'hola buenos buenas días tardes noches gracias por favor sí no mundo el la los las de del y o en un una mi tu su ' +
      'guardar cancelar cerrar abrir editar eliminar añadir nuevo nueva siguiente atrás archivo archivos ayuda inicio ' +
      'ajustes configuración buscar iniciar sesión salir usuario nombre contraseña correo hecho cargando descargar ' +
      'compartir enviar copiar pegar seleccionar todo más menos ver cuenta idioma hoy ayer mañana continuar cambios',
  ],
  [
    'fr',
    'bonjour bonsoir salut bienvenue merci oui non monde le la les de des du et ou un une mon votre vos ' +
      'enregistrer annuler fermer ouvrir modifier supprimer ajouter nouveau nouvelle suivant retour fichier fichiers ' +
      'aide accueil paramètres rechercher connexion déconnexion utilisateur nom passe erreur chargement ' +
      'télécharger partager envoyer copier coller tout plus moins voir compte langue hier demain continuer',
  ],
  [
    'de',
    'hallo guten tag morgen abend willkommen danke bitte ja nein welt der die das den und oder ein eine mein ihr ' +
      'speichern abbrechen schließen öffnen bearbeiten löschen hinzufügen neu weiter zurück datei dateien hilfe ' +
      'einstellungen suchen suche anmelden abmelden benutzer passwort fehler herunterladen hochladen teilen senden ' +
      'kopieren einfügen auswählen alle mehr weniger anzeigen konto sprache heute gestern fertig',
  ],
  [
    'pt',
    'olá oi bom boa dia tarde noite obrigado obrigada por favor sim não mundo o os as do da dos e ou em um uma meu sua ' +
      'salvar guardar cancelar fechar abrir editar excluir eliminar adicionar novo nova próximo voltar arquivo ficheiro ' +
      'ajuda início configurações definições buscar pesquisar entrar sair usuário utilizador nome senha carregando ' +
      'baixar compartilhar partilhar enviar copiar colar tudo mais menos ver conta idioma hoje ontem amanhã continuar',
  ],
  [
    'it',
    'ciao buongiorno buonasera benvenuto benvenuti grazie prego sì mondo il lo gli di del della e un una mio ' +
      'salva annulla chiudi apri modifica elimina aggiungi nuovo nuova avanti indietro file aiuto impostazioni cerca ' +
      'accedi esci utente nome errore caricamento scarica carica condividi invia copia incolla tutto più meno mostra ' +
      'lingua oggi ieri domani continua',
  ],
  [
    'nl',
    'hallo goedemorgen welkom dank bedankt ja nee wereld de het een en of van mijn uw opslaan annuleren sluiten openen ' +
      'bewerken verwijderen toevoegen nieuw volgende terug bestand bestanden hulp instellingen zoeken inloggen ' +
      'uitloggen gebruiker naam wachtwoord fout laden downloaden delen verzenden kopiëren plakken alles meer minder ' +
      'taal vandaag gisteren klaar doorgaan',
  ],
  [
    'ru',
    'привет здравствуйте добро пожаловать спасибо пожалуйста да нет мир и или не в на сохранить отмена отменить ' +
      'закрыть открыть изменить удалить добавить новый далее назад файл файлы помощь настройки поиск войти выйти ' +
      'пользователь имя пароль ошибка загрузка скачать поделиться отправить копировать вставить нажмите выбрать все ' +
      'ещё показать язык сегодня вчера завтра готово продолжить',
  ],
  [
    'fa',
    'سلام دنیا جهان خوش آمدید ممنون لطفا بله خیر و از به در ذخیره لغو بستن باز کردن ویرایش حذف افزودن جدید بعدی ' +
      'بازگشت فایل راهنما خانه تنظیمات جستجو ورود خروج کاربر نام رمز عبور خطا زبان امروز دیروز فردا ادامه',
  ],
  [
    'hi',
    'नमस्ते दुनिया स्वागत है धन्यवाद कृपया हाँ हां नहीं का की के को में से और या सहेजें रद्द करें बंद खोलें संपादित हटाएं हटाएँ जोड़ें नया ' +
      'अगला वापस फ़ाइल मदद सहायता होम सेटिंग सेटिंग्स खोजें लॉग इन साइन आउट उपयोगकर्ता नाम पासवर्ड त्रुटि भाषा आज कल जारी रखें',
  ],
];

/** A longer text has enough n-grams. */
const mostWords = 4;

let languagesOf: Map<string, Set<string>> | undefined;

function knownWords(): ReadonlyMap<string, ReadonlySet<string>> {
  if (languagesOf) return languagesOf;
  languagesOf = new Map();
  for (const [language, words] of lists) {
    for (const word of words.split(' ')) {
      const known = languagesOf.get(word) ?? new Set();
      languagesOf.set(word, known.add(language));
    }
  }
  return languagesOf;
}

/** The possible languages of a short text that only has common words, the likeliest first; otherwise empty. */
function commonLanguages(text: string): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 || words.length > mostWords) return [];
  const known = words.map((word) => knownWords().get(word));
  return lists
    .map(([language]) => language)
    .filter((language) => known.every((found) => found?.has(language)));
}
