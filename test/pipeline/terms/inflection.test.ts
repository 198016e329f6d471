import { describe, expect, it } from 'vitest';
import { termsFor } from '../../../src/pipeline/terms/terms.ts';

/** Whether a translation of `term` is found in a text. */
function isFound(translation: string | readonly string[], text: string, target: string): boolean {
  const list = typeof translation === 'string' ? [translation] : translation;
  const term = { term: 'thing', translations: new Map([[target, list]]) };
  const glossary = { terms: [{ ...term, doNotTranslate: false, caseSensitive: false }] };
  return termsFor(glossary, 'en', target)?.missingIn(['the thing'], [text]).length === 0;
}

describe('a translation is there', () => {
  it.each([
    ['es', 'panel de control', 'Los paneles de control nuevos'],
    ['es', 'imagen', 'Las imágenes'],
    ['es', 'red', 'Las redes'],
    ['es', 'archivo', 'ARCHIVOS'],
    ['es', 'cuenta de usuario', 'Cuentas de los usuarios'],
    ['es', ['tablero', 'panel'], 'El panel'],
    ['de', 'Haus', 'Die Häuser'],
    ['de', 'Passwort', 'Ihre Passwörter'],
    ['de', 'Passwort', 'Passwortänderung'],
    ['de', 'Konto', 'Die Konten'],
    ['de', 'Konto', 'Benutzerkontos'],
    ['de', 'Einstellung', 'In den Einstellungen'],
    ['de', 'gemeinsamer Ordner', 'in gemeinsamen Ordnern'],
    ['de', 'Straße', 'STRASSE'],
    ['fr', 'tableau de bord', 'Les tableaux de bord'],
    ['fr', 'journal', 'Les journaux'],
    ['fr', 'application', "L'application"],
    ['fr', "nom d'utilisateur", 'Le nom de l’utilisateur'],
    ['fr', 'clé', 'CLÉS'],
    ['it', 'pagina', 'Le pagine'],
    ['it', 'scheda', 'le schede'],
    ['pt', 'botão', 'os botões'],
    ['pt', 'configuração', 'Configurações'],
    ['nl', 'instelling', 'accountinstellingen'],
    ['sv', 'lösenord', 'lösenordet'],
    ['da', 'konto', 'kontoindstillinger'],
    ['ru', 'учётная запись', 'в учетной записи'],
    ['ru', 'учётная запись', 'Учётные записи'],
    ['ru', 'файл', 'файлами'],
    ['ru', 'код', 'кодом'],
    ['ru', 'ключ', 'ключи'],
    ['ru', 'список', 'в списке'],
    ['ru', 'пользователь', 'пользователями'],
    ['uk', 'обліковий запис', 'облікового запису'],
    ['pl', 'konto', 'kontem'],
    ['pl', 'ustawienie', 'w ustawieniach'],
    ['cs', 'účet', 'z účtu'],
    ['cs', 'heslo', 'hesel'],
    ['hr', 'račun', 'računom'],
    ['el', 'λογαριασμός', 'τους λογαριασμούς'],
    ['tr', 'hesap', 'hesabınızdaki'],
    ['tr', 'klasör', 'klasörlerinizden'],
    ['tr', 'İstanbul', 'ISTANBUL'],
    ['fi', 'tili', 'tileihin'],
    ['fi', 'käyttäjä', 'käyttäjätili'],
    ['fi', 'luokka', 'luokan'],
    ['fi', 'asetus', 'asetuksissa'],
    ['hu', 'fiók', 'fiókjaiban'],
    ['hu', 'jelszó', 'jelszavak'],
    ['et', 'konto', 'kontodele'],
    ['ja', 'ダッシュボード', '新しいダッシュボードを開く'],
    ['ja', 'ユーザー', 'ユーザ名'],
    ['ja', '設定', '設定画面'],
    ['ja', 'Web サイト', 'Webサイトです'],
    ['zh-CN', '仪表板', '打开仪表板'],
    ['zh-TW', '儀表板', '開啟儀表板。'],
    ['ko', '계정', '계정을 삭제'],
    ['ko', '사용자 계정', '사용자계정이'],
    ['ko', '로그인하다', '로그인했습니다'],
    ['th', 'บัญชี', 'เปิดบัญชีผู้ใช้'],
    ['ar', 'حساب', 'الحسابات'],
    ['ar', 'كلمة المرور', 'بكلمة مرورك'],
    ['ar', 'الإعدادات', 'في إعداداتك'],
    ['ar', 'ملف', 'وَالمِلَفّ'],
    ['fa', 'صفحه‌کلید', 'صفحه‌کلیدها'],
    ['he', 'חשבון', 'בחשבונות'],
    ['hi', 'खाता', 'खाते में'],
    ['cy', 'cyfrif', 'eich gyfrif'],
    ['ga', 'cuntas', 'do chuntais'],
    ['id', 'akun', 'keakunan'],
    ['vi', 'tài khoản', 'Tài khoản của bạn'],
    ['en', 'C++', 'in C++ code'],
    ['en', '🚀', 'go 🚀!'],
    ['es', 'panel', '<x id="1">Panel</x>uno'],
    ['ja', '設定', '<x id="1">設</x>定'],
    ['es', 'panel de control', 'panel <x id="1">de control</x>'],
  ])('%s: %j in %j', (target, translation, text) => {
    expect(isFound(translation, text, target)).toBe(true);
  });
});

describe('a translation is not there', () => {
  it.each([
    ['es', 'panel de control', 'El tablero de mandos'],
    ['es', 'panel de control', 'El panel'],
    ['es', 'panel', 'La pantalla'],
    ['es', 'contraseña', 'Lo contrario'],
    ['es', 'red', 'El registro'],
    ['es', 'panel de control', 'panel uno dos tres cuatro cinco seis control'],
    ['es', 'panel de control', 'panel <x id="1"/> control'],
    ['de', 'Haus', 'Der Hase'],
    ['de', 'Konto', 'Der Kontext'],
    ['fr', 'tableau de bord', 'Le bord de mer'],
    ['ru', 'файл', 'фильм'],
    ['ru', 'учётная запись', 'запись звука'],
    ['tr', 'hesap', 'kitaplar'],
    ['ja', 'ダッシュボード', '新しい画面'],
    ['zh-CN', '仪表板', '控制面板'],
    ['ko', '계정', '계산기'],
    ['ar', 'حساب', 'مستخدم'],
    ['he', 'חשבון', 'משתמש'],
    ['en', 'C++', 'in C code'],
    ['en', 'a', 'an apple'],
    ['es', 'panel', ''],
  ])('%s: %j in %j', (target, translation, text) => {
    expect(isFound(translation, text, target)).toBe(false);
  });
});
