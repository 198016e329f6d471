import { describeFramework } from './description.ts';
import { rubyErrors } from './validators.ts';

/** All other files, without evidence of a framework. Their names and values show their syntax. */
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
