import { describe, expect, it } from 'vitest';
import { findingsIn } from './findings.ts';

describe('lint reads apostrophes as the program does', () => {
  it('reads the apostrophes of Flutter as its generator does', async () => {
    const texts = {
      'lib/l10n/app_en.arb': JSON.stringify({
        a: "Use '{server}'",
        b: 'the {n, plural, one{file of {x}} other{files of {x}}}',
        c: '{x} is there',
        d: "Use '{server}'",
      }),
      'lib/l10n/app_fr.arb': JSON.stringify({
        a: 'Utiliser « {server} »',
        b: "l'{n, plural, one{un d'{x}} other{d'{x}}}",
        c: "l'{x}",
        d: "Utiliser '{serveur}'",
      }),
    };
    const found = async (l10n: string | undefined): Promise<readonly string[]> =>
      (await findingsIn(l10n === undefined ? texts : { ...texts, 'l10n.yaml': l10n })).map(
        ({ key, severity, message }) => `${key?.join('.')} ${severity} ${message}`,
      );
    const own = '{server} is missing; {serveur} is not in the source';
    expect(await found('arb-dir: lib/l10n\n')).toEqual([`d error ${own}`]);
    expect(await found('arb-dir: lib/l10n\nuse-escaping: true\n')).toEqual([
      'a error {server} is not in the source',
      'b error not a message: malformed argument at character 34',
      'c error {x} is missing',
    ]);
    // Nothing shows whether apostrophes quote.
    expect(await found(undefined)).toEqual([
      'b warning not a message: malformed argument at character 34',
      'c warning {x} is missing',
      `d warning ${own}`,
    ]);
  });
});

describe('lint reads arguments as the program does', () => {
  const graded = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await findingsIn(files)).map(({ key, severity, message }) => `${key?.join('.')} ${severity} ${message}`);

  it("reads Minecraft's %d as %s, and %% as a percent sign", async () => {
    const findings = await graded({
      'src/main/resources/assets/mod/lang/en_us.json': JSON.stringify({
        a: 'Holds %d buckets',
        b: 'Split at 25%',
        c: '%1$d of %2$s',
        d: 'Size: %s',
      }),
      'src/main/resources/assets/mod/lang/fr_fr.json': JSON.stringify({
        a: 'Contient %s seaux',
        b: 'Divise à 25 %%',
        c: '%1$s sur %2$s',
        d: 'Taille : %b',
      }),
    });
    expect(findings).toEqual(['d warning %s is missing']);
  });

  it('accepts apostrophes before tags in ICU messages', async () => {
    const file = (text: string): string => `a: "${text}"\n`;
    const findings = await graded({
      'composer.json': '{ "require": { "symfony/translation": "^7.0" } }',
      'translations/messages+intl-icu.en.yaml': file('See the <b>page</b>'),
      'translations/messages+intl-icu.fr.yaml': file("Voir l'<b>autre page</b> de l'app"),
      'translations/messages+intl-icu.it.yaml': file("Vedi l'<b>altra pagina dell'app"),
    });
    expect(findings).toEqual(['a error <b> has a start or end tag without a partner']);
  });

  it('reports entries that Fluent cannot parse, and skips messages that it drops completely', async () => {
    const findings = await graded({
      'i18n.toml': 'fallback_language = "en"\n',
      'i18n/en/app.ftl': 'a = A\n    .b = B { $n }\nc = C\nd = D\n',
      'i18n/de/app.ftl':
        'a = AA\n    .b = { $n ->\n        [one] B\n       *[other]\n    }\nc = C { $n\nd = DD\n',
    });
    expect(findings).toEqual([
      'a error programs skip the entry: expected value',
      'c error programs skip the entry: expected token: "}"',
    ]);
  });

  it('reads Lingui’s catalogues as ICU messages, despite gettext’s flags', async () => {
    const header = (language: string): string => `msgid ""\nmsgstr "Language: ${language}\\n"\n`;
    const entry = (id: string, text: string): string => `\nmsgid "${id}"\nmsgstr "${text}"\n`;
    const texts = ['Hello {name}', "It's {0, plural, one {# day} other {# days}}", '100 %'] as const;
    const findings = await graded({
      'package.json': '{ "dependencies": { "@lingui/core": "5.0.0" } }',
      'src/locales/en/messages.po': header('en') + texts.map((text) => entry(text, text)).join(''),
      'src/locales/de/messages.po':
        header('de') +
        entry(texts[0], 'Hallo') +
        entry(texts[1], 'Das sind {0, plural, one {# Tag} other {Tage}}') +
        entry(texts[2], '100 %'),
    });
    expect(findings).toEqual([
      '.Hello {name} error {name} is missing',
      `.${texts[1]} info the form other is for several numbers, but {0} is missing`,
    ]);
  });

  it('treats braces without Symfony’s spaces as words, if its validator replaces them', async () => {
    const file = (...texts: readonly string[]): string =>
      texts.map((text, i) => `k${i}: "${text}"\n`).join('');
    const findings = await graded({
      'composer.json': '{ "require": { "symfony/translation": "^7.0" } }',
      'translations/validators.en.yaml': file('At least {{ limit }}.', 'At most {{ limit }}.'),
      'translations/validators.fr.yaml': file('Au moins {{limit}}.', 'Au plus {{ limit }}.'),
      'translations/messages.en.yaml': file('Hello {{ name }}.'),
      'translations/messages.fr.yaml': file('Bonjour {{name}}.'),
    });
    expect(findings).toEqual(['k0 error {{ limit }} is missing']);
  });

  it('reads a translation that states the numbers of its branches in Symfony, even if the source does not', async () => {
    const findings = await graded({
      'composer.json': '{ "require": { "symfony/translation": "^7.0" } }',
      'translations/messages.en.yaml': 'a: Error|Errors\nb: Error\n',
      'translations/messages.ar.yaml': "a: '{1} خطأ|{2} خطآن|]2,Inf] أخطاء'\nb: '{1} خطأ|{2} خطآن'\n",
    });
    expect(findings.filter((one) => one.startsWith('a '))).toEqual([]);
    expect(findings.filter((one) => one.startsWith('b ')).length).toBeGreaterThan(0);
  });

  it('warns about an added named argument, which the program may pass, but not about one that its reader refuses', async () => {
    const findings = await graded({
      'composer.json': '{ "require": { "symfony/translation": "^7.0" } }',
      'translations/messages.en.yaml': 'a: "Welcome"\nb: "Hi %name%"\n',
      'translations/messages.de.yaml': 'a: "Willkommen, %name%"\nb: "Hallo %nom%"\n',
      'web/package.json': '{"dependencies": {"i18next": "24.0.0"}}',
      'web/locales/en.json': '{"a": "Welcome"}',
      'web/locales/de.json': '{"a": "Willkommen, {{name}}"}',
      'cli/po/de.po': `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n#, python-format\nmsgid "Welcome"\nmsgstr "Willkommen, %(name)s"\n`,
      'android/app/build.gradle': "plugins { id 'com.android.application' }\n",
      'android/app/src/main/res/values/strings.xml':
        '<resources>\n<string name="a">Welcome</string>\n</resources>\n',
      'android/app/src/main/res/values-de/strings.xml':
        '<resources>\n<string name="a">Willkommen, %1$s</string>\n</resources>\n',
    });
    expect(findings).toEqual([
      'a error %1$s is not in the source',
      '.Welcome error %(name)s is not in the source',
      'a warning %name% is not in the source',
      'b error %name% is missing; %nom% is not in the source',
      'a warning {{name}} is not in the source',
    ]);
  });

  it('treats names in braces as words if the framework replaces none', async () => {
    const texts = ['e.g. h_{FE}', 'at least %count%'] as const;
    const yaml = (...lines: readonly string[]): string =>
      lines.map((text, i) => `k${i}: "${text}"\n`).join('');
    const findings = await graded({
      'composer.json': '{ "require": { "symfony/translation": "^7.0" } }',
      'translations/messages.en.yaml': yaml(...texts),
      'translations/messages.de.yaml': yaml('z. B. Stromverstärkung', 'mindestens {count}'),
      'translations/messages+intl-icu.en.yaml': yaml('e.g. h_{FE}'),
      'translations/messages+intl-icu.de.yaml': yaml('z. B. h'),
      'shop/composer.json': '{"require": {"laravel/framework": "^11"}}',
      'shop/lang/en/a.php': "<?php\nreturn ['a' => 'e.g. h_{FE}', 'b' => 'for :name'];\n",
      'shop/lang/de/a.php': "<?php\nreturn ['a' => 'z. B. h', 'b' => 'für {name}'];\n",
      'site/Gemfile': "gem 'rails'\n",
      'site/config/locales/en.yml': 'en:\n  a: e.g. h_{FE}\n  b: for %{name}\n',
      'site/config/locales/de.yml': 'de:\n  a: z. B. h\n  b: für {name}\n',
      'mod/src/main/resources/assets/m/lang/en_us.json': '{"a": "e.g. h_{FE}", "b": "for %s"}',
      'mod/src/main/resources/assets/m/lang/de_de.json': '{"a": "z. B. h", "b": "für {name}"}',
    });
    expect(findings).toEqual([
      'b warning %s is missing',
      'b error :name is missing',
      'b error %{name} is missing',
      'k0 error {FE} is missing',
      'k1 error %count% is missing',
    ]);
  });

  it('warns about lost Laravel placeholders after letters', async () => {
    const texts = (a: string, b: string): string => `<?php\nreturn ['a' => '${a}', 'b' => '${b}'];\n`;
    const findings = await graded({
      'composer.json': '{"require": {"laravel/framework": "^11"}}',
      'lang/en/a.php': texts('<a class="hover:bg-full" href=":url">Docs</a>', 'v:version'),
      'lang/de/a.php': texts('<a href=":url">Doku</a>', 'Fassung'),
      'lang/fr/a.php': texts('<a href="/">Doc</a>', 'v:version'),
    });
    expect(findings).toEqual([
      'a warning :bg is missing',
      'b warning :version is missing',
      'a error :bg is missing; :url is missing',
    ]);
  });

  it("lets messages of Laravel's validator name the attribute", async () => {
    const texts = (...lines: readonly string[]): string => `<?php\nreturn [${lines.join(', ')}];\n`;
    const findings = await graded({
      'composer.json': '{"require": {"laravel/framework": "^11"}}',
      'lang/en/validation.php': texts(`'uploaded' => 'It failed.'`, `'json' => ':attribute is not JSON'`),
      'lang/cs/validation.php': texts(`'uploaded' => ':Attribute selhal.'`, `'json' => 'Není JSON'`),
      'lang/en/app.php': texts(`'uploaded' => 'It failed.'`),
      'lang/cs/app.php': texts(`'uploaded' => ':attribute selhal.'`),
    });
    expect(findings).toEqual([
      'uploaded warning :attribute is not in the source',
      'json error :attribute is missing',
    ]);
  });

  it('lets a form of Qt’s plural show the number that its source omits', async () => {
    const message = (attributes: string, source: string, translation: string): string =>
      `<message${attributes}><source>${source}</source><translation>${translation}</translation></message>`;
    const findings = await graded({
      'CMakeLists.txt': 'find_package(Qt6 COMPONENTS LinguistTools)\n',
      'translations/app_id.ts': `<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="id"><context><name>A</name>\n${message(' numerus="yes"', 'Drop the file(s)', '<numerusform>Jatuhkan %n berkas</numerusform>')}\n${message('', 'Drop the file', 'Jatuhkan %n berkas')}\n${message('', 'Write %name%', 'Tulis %isi%')}\n</context></TS>\n`,
    });
    expect(findings).toEqual(['A.Drop the file. error %n is not in the source']);
  });

  it('treats a percent sign before a number as a percentage, no matter how many digits Qt reads', async () => {
    const message = (source: string, translation: string): string =>
      `<message><source>${source}</source><translation>${translation}</translation></message>`;
    const findings = await graded({
      'CMakeLists.txt': 'find_package(Qt6 COMPONENTS LinguistTools)\n',
      'translations/app_tr.ts': `<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="tr"><context><name>A</name>\n${message('Louder than 100% is distorted', '%100&apos;ün üzeri bozulur')}\n${message('Above 100 %', '%1000 üzeri')}\n${message('Above 100 percent', '%100 üzeri')}\n</context></TS>\n`,
    });
    expect(findings).toEqual([
      'A.Above 100 %. error %10 is not in the source',
      'A.Above 100 percent. error %10 is not in the source',
    ]);
  });

  it('treats a percent sign as a word in Apple’s texts without arguments', async () => {
    const texts = (rate: string, count: string): string => `"rate" = "${rate}";\n"count" = "${count}";\n`;
    const findings = await graded({
      'App.xcodeproj/project.pbxproj': '',
      'en.lproj/Localizable.strings': texts('Not 100% guaranteed, numeric %', '%d files, 5%'),
      'hu.lproj/Localizable.strings': texts('Nem 100%-osan, %-ok', '%d fájl, 5%-os'),
    });
    expect(findings).toEqual(['count error %-o is not in the source']);
  });

  it('reads the numbers of branches in Symfony, even if the source is a key', async () => {
    const texts = (code: string, text: string): string =>
      `<?xml version="1.0"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">\n<file source-language="en" target-language="${code}" datatype="plaintext" original="">\n<body><trans-unit id="results"><source>results</source><target>${text}</target></trans-unit></body></file></xliff>\n`;
    const findings = await graded({
      'composer.json': '{"require": {"symfony/translation": "^7"}}',
      'translations/messages.en.xliff': texts('en', '1 result|%count% results'),
      'translations/messages.fr.xliff': texts('fr', '{1} résultat|]1,Inf[ résultats'),
      'translations/messages.lv.xliff': texts('lv', '{0}nav|{1} rezultāts|]1,+Inf[ %count% rezultāti'),
    });
    expect(findings).toEqual(['.results error %count% is missing']);
  });

  it('reports code that a VS Code translation writes without backticks, and missing code', async () => {
    const findings = await graded({
      'package.json': '{"devDependencies": {"@types/vscode": "^1"}}',
      'package.nls.json': '{"a": "If `true`, it stops.", "b": "Set `debug.mode` to `none`."}',
      'package.nls.de.json': '{"a": "Bei true hält es.", "b": "Setzt „debug.mode“ auf „keine“."}',
    });
    expect(findings).toEqual([
      'a info `true` is written without backticks',
      'b info `debug.mode` is written without backticks',
      'b warning `none` is missing',
    ]);
  });

  it('reads CodeIgniter’s language files, including those of version 4', async () => {
    const texts = (line: string, other = ''): string =>
      `<?php\n\nreturn [\n    'a' => "${line}",\n    'b' => "${other}",\n];\n`;
    const findings = await graded({
      'composer.json': '{"require": {"codeigniter4/framework": "4.7.4"}}',
      'app/Language/en/Sales.php': texts('{0} of {1}'),
      'app/Language/de-DE/Sales.php': texts('{0}', 'nur {0}'),
      'app/Language/fr/Sales.php': texts("l'{0} de {1}"),
    });
    expect(findings).toEqual(['a error {1} is missing', 'a error {0} is missing; {1} is missing']);
  });

  it('reads a colon after a word as an ending, unless it names a Laravel argument', async () => {
    const texts = (text: string): string => `<?php\nreturn ['code' => '${text}', 'old' => 'Old'];\n`;
    const findings = await graded({
      'composer.json': '{"require": {"laravel/framework": "^11"}}',
      'lang/en/a.php': texts('The :attribute is no code.'),
      'lang/sv/a.php': texts(':Attribute:en är ingen ABC:n.'),
      'lang/de/a.php': texts('Kein Code: :en :attribut'),
    });
    expect(findings).toEqual([
      'code error :attribute is missing; :en is not in the source; :attribut is not in the source',
    ]);
  });

  it('lets messages of Ruby’s validators omit the attribute, but not numbers', async () => {
    const findings = await graded({
      Gemfile: "gem 'rails'\n",
      'config/locales/en.yml':
        'en:\n  errors:\n    short: needs %{count} characters\n    same: is not %{attribute}\n    empty: is empty\n    format: "%{attribute} %{message}"\n',
      'config/locales/es.yml':
        'es:\n  errors:\n    short: es corto\n    same: no coincide\n    empty: "%{attribute} vacío, %{count}"\n    format: "%{attribute}"\n',
    });
    expect(findings).toEqual([
      'errors.short error %{count} is missing',
      'errors.format error %{message} is missing',
    ]);
  });

  it('takes into account the number that vue-i18n passes itself', async () => {
    const findings = await graded({
      'package.json': '{"dependencies": {"vue-i18n": "^11"}}',
      'src/lang/en.json': JSON.stringify({
        a: '{0} follows|{0} follow',
        b: '{0} of {1}|{0} in {1}',
        c: '{0} follows',
      }),
      'src/lang/de.json': JSON.stringify({
        a: '{n} folgt|{count} folgen',
        b: '{n} folgt|{n} folgen',
        c: '{n} folgt',
      }),
    });
    expect(findings).toEqual(['b error {1} is missing', 'c error {0} is missing; {n} is not in the source']);
  });

  it('warns about printf conversions in Angular, which does not read them', async () => {
    const unit = (id: number, source: string, target: string): string =>
      `<trans-unit id="${id}"><source>${source}</source><target>${target}</target></trans-unit>\n`;
    const file = (language: string, ...units: readonly string[]): string =>
      `<xliff version="1.2"><file source-language="en" target-language="${language}" original="ng2.template"><body>\n${units.join('')}</body></file></xliff>\n`;
    const [saved, kept] = ['saved <x id="INTERPOLATION"/>% on fees', 'kept 5% of it'];
    const findings = await graded({
      'angular.json': '{"projects": {}}',
      'l/messages.xlf': file('en', unit(1, saved, saved), unit(2, kept, kept)),
      'l/messages.tr.xlf': file(
        'tr',
        unit(1, saved, '%1<x id="INTERPOLATION"/> ücret'),
        unit(2, kept, '%1$s tuttu'),
      ),
    });
    expect(findings.map((line) => line.replace(/^.*\.(?=\d)/, ''))).toEqual([
      '1 warning %1 is not in the source',
      '2 warning %1$s is not in the source',
    ]);
  });

  it('only warns if a plural without numbers is lost, because one form may be enough', async () => {
    const findings = await graded({
      'package.json': '{"dependencies": {"react-intl": "^6"}}',
      'src/locales/en.json': JSON.stringify({
        a: '{n, plural, one {Country} other {Countries}}',
        b: '{n, plural, one {# country} other {# countries}}',
      }),
      'src/locales/fr.json': JSON.stringify({ a: 'Pays', b: 'Pays' }),
      'src/locales/ja.json': JSON.stringify({ a: '国', b: '国 {n}' }),
    });
    expect(findings).toEqual(['a warning {n, plural, …} is missing', 'b error {n} is missing']);
  });

  it('warns about branches of which vue-i18n shows only one', async () => {
    const findings = await graded({
      'package.json': '{"dependencies": {"vue-i18n": "^11"}}',
      'src/lang/en.json': '{"a": "Group"}',
      'src/lang/fr.json': '{"a": "Groupe | Groupes"}',
    });
    expect(findings).toEqual(['a warning 2 branches between bars instead of 1']);
  });

  it('recognizes Angular in an Nx workspace', async () => {
    const xliff = (language: string, target: string): string =>
      `<xliff version="1.2"><file source-language="en"${language} original="x"><body>
<trans-unit id="1"><source>{VAR_PLURAL, plural, =1 {one} other {many}}</source>${target}</trans-unit></body></file></xliff>`;
    const findings = await graded({
      'package.json': '{"dependencies": {"@angular/core": "20.0.0"}}',
      'apps/client/src/locales/messages.xlf': xliff('', ''),
      'apps/client/src/locales/messages.fr.xlf': xliff(
        ' target-language="fr"',
        '<target>{VAR_PLURAL, plural, =1 {un} autres {plusieurs}}</target>',
      ),
    });
    expect(findings).toEqual(['x.1 error {VAR_PLURAL, plural, …} has no "other" branch']);
  });
});
