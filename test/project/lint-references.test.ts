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
