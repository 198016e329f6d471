import { expect, it } from 'vitest';
import { findingsIn } from './findings.ts';

it.each([
  ['vue-i18n', '@:menu.save', '@:menu.sichern'],
  ['vue-i18n', '@.lower:menu.save', '@.lower:menu.sichern'],
  ['i18next', '$t(menu.save)', '$t(menu.sichern)'],
  ['i18next', '$t(common:menu.save)', '$t(common:menu.sichern)'],
  ['@jsverse/transloco', '{{menu.save}}', '{{menu.sichern}}'],
])(
  '%s: a translation may write out the text of %s, but %s refers to no text',
  async (dependency, reference, unknown) => {
    const texts = (hint: string, other: string): string =>
      JSON.stringify({ menu: { save: 'Save' }, hint, other });
    const found = await findingsIn({
      'package.json': JSON.stringify({ dependencies: { [dependency]: '1.0.0' } }),
      'locales/en.json': texts(`Press ${reference}`, 'Press Save'),
      'locales/de.json': texts('Drücken Sie Sichern', `Drücken Sie ${reference}`),
      'locales/fr.json': texts(`Appuyez sur ${unknown}`, 'Appuyez'),
    });
    expect(found.map(({ locale, key }) => [locale, key?.join('.')])).toEqual([['fr', 'hint']]);
  },
);

it('Fluent: a translation may inflect the words of another message', async () => {
  const found = await findingsIn({
    'i18n.toml': 'fallback_language = "en"\n',
    'i18n/en/app.ftl': 'trash = Trash\nemptied = Emptied { trash }\nused = { $used } in { trash }\n',
    'i18n/cs/app.ftl': 'trash = Koš\nemptied = Koš vysypán\nused = V koši\n',
    'i18n/de/app.ftl': 'trash = Papierkorb\nemptied = { korb } geleert\nused = { $used } im Papierkorb\n',
  });
  expect(found.map(({ locale, severity, message }) => `${locale} ${severity}: ${message}`)).toEqual([
    'cs error: { $used } is missing',
    'de error: { korb } is not in the source',
  ]);
});

it('Fluent: the content of an unknown element is displayed, but scripts are errors', async () => {
  const found = await findingsIn({
    'i18n.toml': 'fallback_language = "en"\n',
    'i18n/en/app.ftl': 'hint = Read a sentence\nlink = <docsLink>Read</docsLink>\n',
    'i18n/ru/app.ftl': 'hint = Прочтите.<lineBreak></lineBreak> Фразу\nlink = Читать\n',
    'i18n/uk/app.ftl': 'hint = Прочитайте <script>фразу</script>\nlink = <docsLink>Читати</docsLink>\n',
  });
  expect(found.map(({ locale, severity, message }) => `${locale} ${severity}: ${message}`)).toEqual([
    'ru warning: <linebreak> is not in the source',
    'ru error: <docslink> is missing',
    'uk error: <script> is not in the source',
  ]);
});

it('elements with programs or files that a source lacks are errors', async () => {
  const texts = [
    'Read <img src=x onerror=go()>',
    'Read <video></video>',
    'Read <x-y data-a="b"></x-y>',
    'Read <b onmouseover="go()">now</b>',
    'Read <a href="a" onclick="go()">now</a>',
  ];
  const ftl = (values: readonly string[]): string => values.map((text, i) => `a${i} = ${text}\n`).join('');
  const found = await findingsIn({
    'i18n.toml': 'fallback_language = "en"\n',
    'i18n/en/app.ftl': ftl(['Read', 'Read', 'Read', 'Read', 'Read <a href="a">now</a>']),
    'i18n/nl/app.ftl': ftl(texts),
    'web/en.json': JSON.stringify({ a: 'Read' }),
    'web/nl.json': JSON.stringify({ a: texts[3] }),
  });
  expect(found.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'error: <img> is not in the source; the event handler of <img> is not in the source',
    'error: <video> is not in the source',
    'error: <x-y> is not in the source',
    'info: <b> is not in the source',
    'error: the event handler of <b> is not in the source',
    'error: the event handler of <a> is not in the source',
    'info: <b> is not in the source',
    'warning: the event handler of <b> is not in the source',
  ]);
});

it('Qt: a form for a single number may omit all numbers, but not names', async () => {
  const ts = (locale: string, forms: readonly (readonly string[])[]): string =>
    `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="${locale}">\n<context>\n<name>S</name>\n${[
      '%1 - %2 of %n Hits',
      '%n Hits',
    ]
      .map((source, i) => {
        const own = (forms[i] ?? []).map((form) => `<numerusform>${form}</numerusform>`).join('');
        return `<message numerus="yes"><source>${source}</source><translation>${own}</translation></message>`;
      })
      .join('\n')}\n</context>\n</TS>\n`;
  const found = await findingsIn({
    'app.pro': 'TRANSLATIONS = t/app_pl.ts\n',
    't/app_pl.ts': ts('pl', [
      ['%1, jedyny wynik', '%1 - %2 z %n wyników', '%1 z %n wyników'],
      ['%n wynik', '%n wyniki', '%n wyników'],
    ]),
    't/app_ru.ts': ts('ru', [
      ['%1 из %n', '%1 - %2 из %n', '%1 - %2 из %n'],
      ['%n', '%n', '%n'],
    ]),
    't/app_cs.ts': ts('cs', [
      ['%1, jediný výsledek', '%1 - %2 z %n výsledků', '%1 - %2 z %n výsledků'],
      ['%n', '%n', '%n'],
    ]),
  });
  expect(found.map(({ locale, severity }) => [locale, severity])).toEqual([
    ['cs', 'warning'],
    ['pl', 'error'],
    ['ru', 'error'],
  ]);
});

it('Phoenix: an argument that the translation lacks is an error', async () => {
  const po = (text: string): string =>
    `msgid ""\nmsgstr ""\n\nmsgid "Joined by %{count} others"\nmsgstr "${text}"\n`;
  const found = await findingsIn({
    'mix.exs': 'defp deps, do: [{:gettext, "~> 0.20"}]\n',
    'priv/gettext/default.pot': po(''),
    'priv/gettext/de/LC_MESSAGES/default.po': po('Mit {count} anderen'),
  });
  expect(found.map(({ severity }) => severity)).toEqual(['error']);
});
