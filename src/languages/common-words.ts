/**
 * Words of greetings and interfaces. N-grams say little about one or two words ("Hello" looks Italian to one detector
 * and Serbian to the other), and those are the ones people try first. Ordered by how much software is written in it.
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

/**
 * The languages a short text can be in when all of its words are common ones, the likeliest first; empty when a word
 * is not, and for longer texts.
 */
export function commonLanguages(text: string): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 || words.length > mostWords) return [];
  const known = words.map((word) => knownWords().get(word));
  return lists
    .map(([language]) => language)
    .filter((language) => known.every((found) => found?.has(language)));
}
