import { describe, expect, it } from 'vitest';
import { findingsIn } from './findings.ts';

/** lint's findings in a project, without information. */
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

describe('lint compares split messages as a whole', () => {
  it('in Fluent: a translation may select by any argument, around words or within', async () => {
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

  it('in Fluent: the number may be omitted for one number, whichever variant is the default', async () => {
    const selection = (...variants: readonly string[]): string =>
      `files = { $n ->\n${variants.map((variant) => `    ${variant}\n`).join('')}    }\n`;
    const findings = await lint({
      'locales/en/app.ftl': selection('[one] 1 file', '*[other] { $n } files'),
      'locales/pl/app.ftl': selection('[one] 1 plik', '[few] { $n } pliki', '*[many] { $n } plików'),
      'locales/sk/app.ftl': selection('[one] 1 súbor', '[few] súbory', '*[many] súborov'),
      'locales/de/app.ftl': selection('[two] zwei Dateien', '*[other] Dateien'),
    });
    expect(findings).toEqual([
      'locales/de/app.ftl: { $n } is missing (files › $n [other])',
      'locales/sk/app.ftl: { $n } is missing (files › $n › few)',
      'locales/sk/app.ftl: { $n } is missing (files › $n › many)',
    ]);
  });

  it('in String Catalogs: substitutions of a translation replace conversions', async () => {
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

describe('lint compares keys', () => {
  it('that differ only in a number, each on its own', async () => {
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

describe('lint lets people write pages freely', () => {
  const SOURCE = `# Guide

## Use it

Run {{ command }} and read [the list](./list.md "All") or [more](<more words.md>).

See [a](https://a.org/x).

| Range | Lines \`{5-8}\` |
| ----- | ------------- |
| a     | <b>b</b>      |
`;

  it('with their own heading ids, links and tags', async () => {
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

  it('but reports links whose brackets are separated', async () => {
    const findings = await lint({
      'docs/en/guide.md': SOURCE,
      'docs/es/guide.md': SOURCE.replace('[the list](./list.md', '[la lista] (./list.md')
        .replace('[more](', '[más] (')
        .replace('[a](', '[a]（')
        .replace('x).', 'x）.'),
    });
    expect(findings).toEqual([
      'docs/es/guide.md: the brackets of the link to ./list.md are separated; the brackets of the link to more words.md are separated (["1.1"].2-paragraph)',
      'docs/es/guide.md: the brackets of the link to https://a.org/x are separated (["1.1"].3-paragraph)',
    ]);
  });
});

describe('a fault in a text that another one refers to', () => {
  const files = (shown: string, one: string, other: string): object => ({
    stringUnit: { state: 'translated', value: shown },
    substitutions: { files: { argNum: 1, formatSpecifier: 'lld', ...forms(['one', one], ['other', other]) } },
  });

  it('is one finding in a String Catalog', async () => {
    const en = files('%#@files@ for %2$@', '%arg file', '%arg files');
    const entry = (de: object): object => ({ localizations: { en, de } });
    const strings = {
      branch: entry(files('%#@files@ für %2$@', 'eine Datei', 'Dateien')),
      both: entry(files('%#@files@', 'eine Datei', 'Dateien')),
      shown: entry(files('%#@files@ für alle', '%arg Datei', '%arg Dateien')),
      unused: entry(files('für %2$@', '%arg Datei', '%arg Dateien')),
      right: entry(files('Für %2$@: %#@files@', 'eine Datei', '%arg Dateien')),
    };
    const findings = await lint({
      'App.xcstrings': JSON.stringify({ sourceLanguage: 'en', strings, version: '1.0' }),
    });
    expect(findings).toEqual([
      'App.xcstrings: %arg is missing (branch.substitutions.files [other])',
      'App.xcstrings: %lld is missing; %2$@ is missing (both)',
      'App.xcstrings: %arg is missing (both.substitutions.files [other])',
      'App.xcstrings: %2$@ is missing (shown)',
      'App.xcstrings: %lld is missing (unused)',
    ]);
  });
});

it('lint reports translations of blanks, which programs show as nothing', async () => {
  const findings = await lint({
    'locales/en.json': '{"a": "Garden", "b": " ", "c": ", ", "d": "Tree"}',
    'locales/de.json': '{"a": " ", "b": " ", "c": " ", "d": ""}',
    'po/de.po': 'msgid "Gate"\nmsgstr " "\n',
  });
  expect(findings).toEqual([
    'locales/de.json: the translation consists of blanks (a)',
    'po/de.po: the translation consists of blanks (msgid "Gate")',
  ]);
});
