import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/project/lint/finding.ts';
import { lintProject } from '../../src/project/lint/lint.ts';
import { openProjects } from '../../src/project/state/project.ts';
import { ProjectDirectory } from './project-directory.ts';

async function findingsIn(files: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const { path } = new ProjectDirectory(files);
  const [project] = await openProjects([path], { source: 'en' });
  if (!project) throw new Error('no project');
  return lintProject(project, new AbortController().signal);
}

/** What lint says of a project, without what is only information. */
async function lint(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return (await findingsIn(files)).flatMap(({ severity, file, message, keyName }) =>
    severity === 'info' ? [] : `${file}: ${message} (${keyName})`,
  );
}

const forms = (...texts: readonly (readonly [category: string, text: string])[]): object => ({
  variations: {
    plural: Object.fromEntries(
      texts.map(([category, value]) => [category, { stringUnit: { state: 'translated', value } }]),
    ),
  },
});

describe('lint compares messages that stand in pieces as a whole', () => {
  it('in Fluent: a translation selects by what it likes, around the words or within', async () => {
    const findings = await lint({
      'locales/en/app.ftl': `around = { $number } { $number ->
    [one] hour
   *[other] hours
}
two = { $name } has { $n ->
    [one] one file
   *[other] { $n } files
} in { $m ->
    [one] one folder
   *[other] { $m } folders
}
hidden = { $n ->
    [one] One
   *[other] Many
}
gone = { $n ->
    [one] an hour
   *[other] { $n } hours
}
lost = { $n ->
    [one] One file of { $user }
   *[other] { $n } files of { $user }
}
simple = { $n } files
    .label = Label of { $user }
`,
      'locales/es/app.ftl': `around =
    { $number ->
        [1] 1 hora
       *[other] { $number } horas
    }
two = { $n ->
    [one] { $name } tiene un archivo en { $m }
   *[other] { $name } tiene { $n } archivos en { $m }
}
hidden = { $n ->
    [one] Uno
   *[other] Son { $n }
}
gone = horas
lost = { $n ->
    [one] un archivo
   *[other] archivos de { $user }
}
simple = { $n ->
    [one] un archivo
   *[other] { $n } archivos
}
    .label = Etiqueta
`,
    });
    expect(findings).toEqual([
      'locales/es/app.ftl: { $n } is missing (gone)',
      'locales/es/app.ftl: { $user } is missing; { $n } is missing (lost › $n [one, other])',
      'locales/es/app.ftl: { $user } is missing (simple.label)',
    ]);
  });

  it("in String Catalogs: a translation's own substitutions stand for conversions", async () => {
    const substitution = (argNum: number, formatSpecifier: string): object => ({
      argNum,
      formatSpecifier,
      ...forms(['one', '%arg x'], ['other', '%arg y']),
    });
    const unit = (value: string): object => ({ stringUnit: { state: 'translated', value } });
    const findings = await lint({
      'App.xcstrings': JSON.stringify({
        sourceLanguage: 'en',
        strings: {
          '%lld files in %lld folders': {
            localizations: {
              de: {
                ...unit('%#@files@ in %#@folders@'),
                substitutions: { files: substitution(1, 'lld'), folders: substitution(2, 'lld') },
              },
            },
          },
          '%@ has %lld': {
            localizations: {
              de: { ...unit('%2$#@n@ hat %1$@'), substitutions: { n: substitution(2, 'lld') } },
            },
          },
          '%@ wants %lld': {
            localizations: {
              de: { ...unit('%@ will %#@n@'), substitutions: { n: substitution(2, 'lld') } },
            },
          },
          '%@ lost %lld': { localizations: { de: unit('%@ verlor %#@n@') } },
          'likes %lld': {
            localizations: {
              en: unit('likes it'),
              de: { ...unit('%#@n@'), substitutions: { n: substitution(1, 'lld') } },
              fr: unit('%1$lld aiment'),
              es: unit('%@ lo gusta'),
            },
          },
          'fans %lld %@': {
            localizations: {
              en: {
                ...unit('%#@n@'),
                substitutions: {
                  n: { formatSpecifier: 'lld', ...forms(['one', '%2$@ fan'], ['other', '%2$@ fans']) },
                },
              },
              ja: unit('ファン %2$@ 人'),
            },
          },
          'posts %lld %lld': {
            localizations: {
              en: {
                ...unit('%#@a@ by %#@b@'),
                substitutions: { a: substitution(1, 'lld'), b: substitution(2, 'lld') },
              },
              de: {
                ...unit('%#@a@%#@b@'),
                substitutions: {
                  a: {
                    argNum: 1,
                    formatSpecifier: 'lld',
                    ...forms(['one', '%lld x'], ['other', '%1$lld y']),
                  },
                  b: { argNum: 2, formatSpecifier: 'lld', ...forms(['one', '%@ x'], ['other', '%2$lld y']) },
                },
              },
            },
          },
          '%@ won %d': {
            localizations: { de: { ...unit('gewonnen %#@n@'), substitutions: { n: substitution(2, 'd') } } },
          },
          count: {
            localizations: {
              en: { ...unit('%#@n@'), substitutions: { n: substitution(1, 'd') } },
              de: forms(['one', '%d Datei'], ['other', '%d Dateien']),
            },
          },
        },
        version: '1.0',
      }),
    });
    expect(findings).toEqual([
      'App.xcstrings: %lld is missing; %#@n@ is not in the source (%@ lost %lld)',
      'App.xcstrings: %@ is not in the source (likes %lld)',
      'App.xcstrings: %arg is missing; %@ is not in the source (["posts %lld %lld"].substitutions.b [one])',
      'App.xcstrings: %@ is missing (%@ won %d)',
    ]);
  });
});

describe('lint compares keys beside each other', () => {
  it('that are numbered each with its own', async () => {
    const findings = await lint({
      'locales/en.json': '{"warning_1": "Remove {name}?", "warning_2": "You cannot go back."}',
      'locales/de.json': '{"warning_1": "Entfernen?", "warning_2": "{name}: kein Zurück."}',
    });
    expect(findings).toEqual([
      'locales/de.json: {name} is missing (warning_1)',
      'locales/de.json: {name} is not in the source (warning_2)',
    ]);
  });
});

describe('lint lets people write pages as they like', () => {
  const SOURCE = `# Guide

## Use it

Run {{ command }} and read [the list](./list.md "All") or [more](<more words.md>).

See [a](https://a.org/x).

| Range | Lines \`{5-8}\` |
| ----- | ------------- |
| a     | <b>b</b>      |
`;

  it('with ids of headings, links and tags of their own', async () => {
    const findings = await lint({
      'docs/en/guide.md': SOURCE,
      'docs/es/guide.md': `# Guía {#guide}

## Uso {#use-it .wide}

Ejecute y lea [la lista](./lista.md), <kbd>x</kbd>, [otra](https://b.org) {{ extra }}.

Vea https://a.org/x.

| Rango | Líneas {5-8} |
| ----- | ------------ |
| a     | b            |
`,
    });
    expect(findings).toEqual([]);
  });

  it('but not with links whose brackets have come apart', async () => {
    const findings = await lint({
      'docs/en/guide.md': SOURCE,
      'docs/es/guide.md': SOURCE.replace('[the list](./list.md', '[la lista] (./list.md')
        .replace('[more](', '[más] (')
        .replace('[a](', '[a]（')
        .replace('x).', 'x）.'),
    });
    expect(findings).toEqual([
      'docs/es/guide.md: the brackets of the link to ./list.md are apart; the brackets of the link to more words.md are apart (["1.1"].2-paragraph)',
      'docs/es/guide.md: the brackets of the link to https://a.org/x are apart (["1.1"].3-paragraph)',
    ]);
  });
});

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
    // Nothing says whether apostrophes quote.
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

  it("takes Minecraft's %d for %s, and %% for a percent sign", async () => {
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

  it('lets apostrophes stand before tags where ICU itself reads them', async () => {
    const file = (text: string): string => `a: "${text}"\n`;
    const findings = await graded({
      'composer.json': '{ "require": { "symfony/translation": "^7.0" } }',
      'translations/messages+intl-icu.en.yaml': file('See the <b>page</b>'),
      'translations/messages+intl-icu.fr.yaml': file("Voir l'<b>autre page</b> de l'app"),
      'translations/messages+intl-icu.it.yaml': file("Vedi l'<b>altra pagina dell'app"),
    });
    expect(findings).toEqual(['a error <b> is not opened and closed in pairs']);
  });

  it('knows what Fluent cannot read, and skips with all of its message', async () => {
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

  it("reads Lingui's catalogues as ICU messages, which gettext's flags would say otherwise", async () => {
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
      `.${texts[1]} info the form other is for several numbers, and {0} is left out`,
    ]);
  });

  it("takes braces without Symfony's spaces for words, where its validator replaces them", async () => {
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
      'uploaded error :attribute is not in the source',
      'json error :attribute is missing',
    ]);
  });

  it("lets a form of Qt's plural show the number that its source leaves out", async () => {
    const message = (attributes: string, source: string, translation: string): string =>
      `<message${attributes}><source>${source}</source><translation>${translation}</translation></message>`;
    const findings = await graded({
      'CMakeLists.txt': 'find_package(Qt6 COMPONENTS LinguistTools)\n',
      'translations/app_id.ts': `<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="id"><context><name>A</name>\n${message(' numerus="yes"', 'Drop the file(s)', '<numerusform>Jatuhkan %n berkas</numerusform>')}\n${message('', 'Drop the file', 'Jatuhkan %n berkas')}\n</context></TS>\n`,
    });
    expect(findings).toEqual(['A.Drop the file. error %n is not in the source']);
  });

  it('takes a colon behind a word for an ending, where no argument of Laravel is called so', async () => {
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

  it("lets messages of Ruby's validators leave out what is shown beside them, but not numbers", async () => {
    const findings = await graded({
      Gemfile: "gem 'rails'\n",
      'config/locales/en.yml':
        'en:\n  errors:\n    short: needs %{count} characters\n    same: is not %{attribute}\n    empty: is empty\n',
      'config/locales/es.yml':
        'es:\n  errors:\n    short: es corto\n    same: no coincide\n    empty: "%{attribute} vacío, %{count}"\n',
    });
    expect(findings).toEqual(['errors.short error %{count} is missing']);
  });

  it('doubts branches that vue-i18n shows one of', async () => {
    const findings = await graded({
      'package.json': '{"dependencies": {"vue-i18n": "^11"}}',
      'src/lang/en.json': '{"a": "Group"}',
      'src/lang/fr.json': '{"a": "Groupe | Groupes"}',
    });
    expect(findings).toEqual(['a warning 2 branches between bars instead of 1']);
  });

  it('knows Angular in a workspace of Nx', async () => {
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
    expect(findings).toEqual(['x.1 error {VAR_PLURAL, plural, …} has no branch other']);
  });
});
