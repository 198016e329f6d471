import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { supportedLanguages } from '../../src/languages/catalog.ts';
import { detectLanguage, detectTexts } from '../../src/languages/detection.ts';
import { processorTime } from '../processor-time.ts';
import { sentences } from './sentences.ts';
import { codePoint } from '../code-point.ts';

describe('detectLanguage', () => {
  it.each(Object.entries(sentences))('recognizes %s from a sentence', async (code, sentence) => {
    const { language, confidence } = await detectLanguage(sentence);
    expect(language).toBe(code);
    expect(confidence).toBeGreaterThan(0.5);
    expect(confidence).toBeLessThanOrEqual(1);
  });

  it.each([
    '',
    ' ',
    '\n\t',
    '123',
    '1.234,56 %',
    '…!?',
    '🙂👍🏽',
    '\u0000',
    '\ud83d',
    'https://example.com/path',
    'a@b.example',
    '𐌰𐌱',
  ])('leaves %j undetermined', async (text) => {
    expect(await detectLanguage(text)).toEqual({ language: undefined, confidence: 0 });
  });

  it.each([
    ['Hello', 'en'],
    ['Hello, world!', 'en'],
    ['SAVE', 'en'],
    ['Guardar', 'es'],
    ['Paramètres', 'fr'],
    ['Einstellungen', 'de'],
    ['Нажмите OK', 'ru'],
    ['Ρυθμίσεις', 'el'],
    ['설정', 'ko'],
    ['ตั้งค่า', 'th'],
    ['保存する', 'ja'],
    // cld3 alone detects Hausa and Western Frisian here.
    ['Darmowa dostawa', 'pl'],
    ['In winkelwagen', 'nl'],
  ])('recognizes %j: %s', async (text, code) => {
    expect((await detectLanguage(text)).language).toBe(code);
  });

  it.each([
    ['os', 'Райсомӕй мах базармӕ ацыдыстӕм ӕмӕ халсартӕ балхӕдтам.'],
    ['ab', 'Иахьа шьыжьы ҳара аџьармыкьаҿы ҳцеит, аҩныҟа ауҭраҭыхқәа аахәеит.'],
    ['tt', 'Бүген иртән без базарга бардык һәм әбигә яңа яшелчәләр алдык.'],
    ['kk', 'Әжем мен әкем базарға барып, балаларға жаңа піскен жеміс әкелді.'],
    ['ug', 'بۈگۈن ئەتىگەن بىز بازارغا بېرىپ يېڭى كۆكتات ۋە مېۋە ئالدۇق.'],
    ['ug', 'يېڭى تېلېفون ۋە كىتاب'],
    ['ti', 'ሎሚ ንግሆ ናብ ዕዳጋ ኸይድና ኣሕምልቲ ገዚእና።'],
    ['fo', 'Í morgun fóru vit á marknaðin og keyptu feskt grønmeti til ommu okkara.'],
    ['tk', 'Biz şu gün irden bazara gitdik we eneme täze gök önümler satyn aldyk. Siziň adyňyz näme?'],
    ['crh', 'Bugün biz bazarğa bardıq ve qartanama taze sebzeler aldıq, soñ evge qayttıq.'],
    ['hsb', 'Dźensa rano smy na wiki šli a za wowku zeleninu kupili, přetož wěmy, zo je so wjeseliła.'],
    ['dsb', 'Źinsa zajtša smy na wiki šli a za starku zeleninu kupili; wóna jo ju na měsće pśedała.'],
    ['kab', 'Ass-a nruḥ ɣer ssuq, nuɣ-d iḍumman d lexḍra i setti, dɣa nuɣal-d ɣer uxxam.'],
    ['ee', 'Míeyi asi ɖe egbe ŋdi eye míeƒle amagbe yeyewo na mama le aƒeme.'],
  ])('recognizes %s by its letters: %j', async (code, text) => {
    expect((await detectLanguage(text)).language).toBe(code);
  });

  it.each([
    ['id', 'Silakan masukkan kata sandi Anda'],
    ['id', 'Urutkan berdasarkan harga'],
    ['id', 'Semua orang sudah pulang'],
    ['ms', 'Sila masukkan kata laluan anda'],
    ['ms', 'Fail itu tidak dijumpai'],
    ['ms', 'Kualiti imej ini rendah'],
    ['no', 'Har du glemt passordet ditt?'],
    ['no', 'Informasjonen er ikke tilgjengelig'],
    ['da', 'Har du glemt din adgangskode?'],
    ['da', 'Ændringer, der ikke er gemt, går tabt'],
    ['nn', 'Eg veit ikkje kva dei vil gjere med innstillingane'],
    ['no', 'Jeg vet ikke hva de vil gjøre med innstillingene'],
    ['bs', 'Niko ne zna tačno koliko sedmica traje prvi uslov'],
    ['hr', 'Nitko ne zna točno koliko tjedana traje prvi uvjet'],
    ['tn', 'Batho botlhe ba na le tshwanelo ya go bua kgotsa go didimala'],
    ['st', 'Batho bohle ba na le tokelo ya ho bua kapa ho thola'],
    ['lg', 'Abantu bonna balina eddembe okwogera era okuwuliriza'],
    ['ts', 'Vanhu hinkwavo va na swilaveko naswona xikolo xi kona'],
    ['sw', 'Watu wote wana haki ya kusema na kusikiliza bila hofu'],
  ])('distinguishes %s from a similar language by words: %j', async (code, text) => {
    expect((await detectLanguage(text)).language).toBe(code);
  });

  it('is less certain with fewer letters', async () => {
    const few = await detectLanguage('OK');
    const many = await detectLanguage(sentences['pl'] ?? '');
    expect(few.confidence).toBeLessThan(0.3);
    expect(many.confidence).toBeGreaterThan(0.9);
  });

  it.each([
    ['en', 'Read the documentation at https://пример.example before you call us'],
    ['ru', 'Сохраните файл как PDF и отправьте его в Dropbox или на почту user@example.com'],
    ['ja', 'Google Drive に保存しました'],
    ['ko', '漢字 한자를 함께 쓰는 글입니다'],
  ])('detects %s despite foreign words', async (code, text) => {
    expect((await detectLanguage(text)).language).toBe(code);
  });

  it('judges a long text as a whole, not only by its beginning', async () => {
    const text = `${`${sentences['en']} `.repeat(30)}${`${sentences['es']} `.repeat(1000)}`;
    expect((await detectLanguage(text)).language).toBe('es');
  });

  it('examines a bounded part of ten million characters', async () => {
    for (const unit of ['x', 'a@', 'é ', '://', `${sentences['ru']} `, '漢']) {
      const text = unit.repeat(Math.ceil(10_000_000 / unit.length));
      const before = processorTime();
      await detectLanguage(text);
      expect(processorTime() - before).toBeLessThan(2000);
    }
  });

  it('always answers with a known language and a valid confidence', async () => {
    const codes = new Set(supportedLanguages().map(({ code }) => code));
    const text = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 200 }),
      fc
        .array(fc.constantFrom(...Object.values(sentences).flatMap((sentence) => sentence.split(' '))), {
          maxLength: 8,
        })
        .map((words) => words.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const { language, confidence } = await detectLanguage(value);
        expect(language === undefined ? confidence === 0 : codes.has(language)).toBe(true);
        expect(confidence >= 0 && confidence <= 1).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('Chinese', () => {
  it.each([
    ['设置', 'zh-CN'],
    ['關閉', 'zh-TW'],
    ['关于我们', 'zh-CN'],
    ['關於我們', 'zh-TW'],
    ['账户余额不足', 'zh-CN'],
    ['帳戶餘額不足', 'zh-TW'],
    ['请输入密码后继续', 'zh-CN'],
    ['請輸入密碼後繼續', 'zh-TW'],
    ['他说：「繁體字」这个词很常见，我们经常使用', 'zh-CN'],
    ['経済産業省', 'ja'],
    ['検索', 'ja'],
  ])('%s is %s', async (text, code) => {
    expect((await detectLanguage(text)).language).toBe(code);
  });

  it('has a confidence of one half if both scripts write the text the same', async () => {
    expect(await detectLanguage('中文')).toEqual({ language: 'zh-CN', confidence: 0.5 });
  });
});

describe('detectTexts', () => {
  it.each([
    ['en', ['OK', 'Save', 'Cancel', 'Are you sure?', 'Last seen', 'No results', 'File not found', 'Sign in']],
    [
      'es',
      [
        'Aceptar',
        'Guardar',
        'Cancelar',
        '¿Está seguro?',
        'Sin resultados',
        'Archivo no encontrado',
        'Iniciar sesión',
      ],
    ],
    [
      'fr',
      [
        'OK',
        'Enregistrer',
        'Annuler',
        'Êtes-vous sûr ?',
        'Aucun résultat',
        'Fichier introuvable',
        'Se connecter',
      ],
    ],
    [
      'de',
      [
        'OK',
        'Speichern',
        'Abbrechen',
        'Sind Sie sicher?',
        'Keine Ergebnisse',
        'Datei nicht gefunden',
        'Anmelden',
      ],
    ],
    ['it', ['OK', 'Salva', 'Annulla', 'Sei sicuro?', 'Nessun risultato', 'File non trovato', 'Accedi']],
    [
      'pt',
      ['OK', 'Salvar', 'Cancelar', 'Tem certeza?', 'Nenhum resultado', 'Arquivo não encontrado', 'Entrar'],
    ],
    [
      'nl',
      [
        'OK',
        'Opslaan',
        'Annuleren',
        'Weet je het zeker?',
        'Geen resultaten',
        'Bestand niet gevonden',
        'Inloggen',
      ],
    ],
    ['sv', ['OK', 'Spara', 'Avbryt', 'Är du säker?', 'Inga resultat', 'Filen hittades inte', 'Logga in']],
    [
      'pl',
      ['OK', 'Zapisz', 'Anuluj', 'Czy na pewno?', 'Brak wyników', 'Nie znaleziono pliku', 'Zaloguj się'],
    ],
    [
      'cs',
      [
        'OK',
        'Uložit',
        'Zrušit',
        'Opravdu chcete pokračovat?',
        'Žádné výsledky',
        'Soubor nebyl nalezen',
        'Přihlásit se',
      ],
    ],
    [
      'tr',
      ['Tamam', 'Kaydet', 'İptal', 'Emin misiniz?', 'Sonuç bulunamadı', 'Dosya bulunamadı', 'Giriş yap'],
    ],
    ['ru', ['OK', 'Сохранить', 'Отмена', 'Вы уверены?', 'Нет результатов', 'Файл не найден', 'Войти']],
    [
      'uk',
      ['OK', 'Зберегти', 'Скасувати', 'Ви впевнені?', 'Немає результатів', 'Файл не знайдено', 'Увійти'],
    ],
    [
      'hu',
      ['OK', 'Mentés', 'Mégse', 'Biztos benne?', 'Nincs találat', 'A fájl nem található', 'Bejelentkezés'],
    ],
    [
      'fi',
      [
        'OK',
        'Tallenna',
        'Peruuta',
        'Oletko varma?',
        'Ei tuloksia',
        'Tiedostoa ei löytynyt',
        'Kirjaudu sisään',
      ],
    ],
    ['vi', ['OK', 'Lưu', 'Hủy', 'Bạn có chắc không?', 'Không có kết quả', 'Không tìm thấy tệp', 'Đăng nhập']],
    [
      'id',
      [
        'OK',
        'Simpan',
        'Batalkan',
        'Apakah Anda yakin?',
        'Tidak ada hasil',
        'Berkas tidak ditemukan',
        'Silakan masuk untuk melihat pesanan Anda',
      ],
    ],
    ['ar', ['موافق', 'حفظ', 'إلغاء', 'هل أنت متأكد؟', 'لا توجد نتائج', 'الملف غير موجود', 'تسجيل الدخول']],
    [
      'fa',
      ['تأیید', 'ذخیره', 'لغو', 'آیا مطمئن هستید؟', 'نتیجه‌ای یافت نشد', 'پرونده پیدا نشد', 'ورود به حساب'],
    ],
    ['zh-CN', ['确定', '保存', '取消', '您确定吗？', '没有结果', '找不到文件', '登录']],
    ['zh-TW', ['確定', '儲存', '取消', '您確定嗎？', '沒有結果', '找不到檔案', '登入']],
    [
      'ja',
      [
        'OK',
        '保存',
        'キャンセル',
        'よろしいですか？',
        '結果がありません',
        'ファイルが見つかりません',
        'ログイン',
      ],
    ],
  ])('recognizes a file of short %s strings', async (code, texts) => {
    expect((await detectTexts(texts)).language).toBe(code);
  });

  it('does not count names in placeholders, tags and entities as words', async () => {
    const texts = [
      'Hello',
      'World {x}',
      '%(sz)s',
      '%{kcal} %1$s',
      '${trg} {{ vv }}',
      '<b class="szczęście">&nbsp;</b>',
    ];
    expect(await detectTexts(texts)).toMatchObject({ language: 'en' });
    expect(await detectTexts(['{count, plural, one {Datei löschen} other {Dateien löschen}}'])).toMatchObject(
      {
        language: 'de',
      },
    );
  });

  it('leaves a file without words undetermined', async () => {
    expect(await detectTexts([])).toEqual({ language: undefined, confidence: 0 });
    expect(await detectTexts(['', '1', '—', '{}'])).toEqual({ language: undefined, confidence: 0 });
  });

  it('spreads its sample over a large file', async () => {
    const texts = [
      ...Array<string>(2000).fill('Save the file'),
      ...Array<string>(60_000).fill('Archivo no encontrado en el disco'),
    ];
    expect((await detectTexts(texts)).language).toBe('es');
    const one = await detectTexts([`${sentences['de']} `.repeat(10_000), sentences['de'] ?? '']);
    expect(one.language).toBe('de');
  });
});
