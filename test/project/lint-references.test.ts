import { expect, it } from 'vitest';
import { findingsIn } from './findings.ts';

it.each([
  ['vue-i18n', '@:menu.save', '@:menu.sichern'],
  ['vue-i18n', '@.lower:menu.save', '@.lower:menu.sichern'],
  ['i18next', '$t(menu.save)', '$t(menu.sichern)'],
  ['i18next', '$t(common:menu.save)', '$t(common:menu.sichern)'],
  ['@jsverse/transloco', '{{menu.save}}', '{{menu.sichern}}'],
])('%s: the words may stand for %s, and %s is no text', async (dependency, reference, unknown) => {
  const texts = (hint: string, other: string): string =>
    JSON.stringify({ menu: { save: 'Save' }, hint, other });
  const found = await findingsIn({
    'package.json': JSON.stringify({ dependencies: { [dependency]: '1.0.0' } }),
    'locales/en.json': texts(`Press ${reference}`, 'Press Save'),
    'locales/de.json': texts('Drücken Sie Sichern', `Drücken Sie ${reference}`),
    'locales/fr.json': texts(`Appuyez sur ${unknown}`, 'Appuyez'),
  });
  expect(found.map(({ locale, key }) => [locale, key?.join('.')])).toEqual([['fr', 'hint']]);
});

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

it('Phoenix: an argument that a translation lacks is an error', async () => {
  const po = (text: string): string =>
    `msgid ""\nmsgstr ""\n\nmsgid "Joined by %{count} others"\nmsgstr "${text}"\n`;
  const found = await findingsIn({
    'mix.exs': 'defp deps, do: [{:gettext, "~> 0.20"}]\n',
    'priv/gettext/default.pot': po(''),
    'priv/gettext/de/LC_MESSAGES/default.po': po('Mit {count} anderen'),
  });
  expect(found.map(({ severity }) => severity)).toEqual(['error']);
});
