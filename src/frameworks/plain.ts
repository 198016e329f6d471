import { describeFramework } from './description.ts';
import { rubyErrors } from './validators.ts';

/** The rest: files of which nothing shows what reads them. Their names and values show how they are written. */
export const plain = describeFramework({
  id: 'plain',
  title: 'no framework',
  evidence: [],
  formats: [],
  holders: [
    'locale',
    'locales',
    'lang',
    'langs',
    'language',
    'languages',
    'translation',
    'translations',
    'i18n',
    'intl',
    'l10n',
    'localization',
    'localizations',
    'localisation',
    'localisations',
  ],
  lint: rubyErrors,
});
