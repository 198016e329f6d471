import { i18nextPlurals } from '../text/plural-keys.ts';
import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';
import { ICU_OF_SCRIPTS, messagesIn } from './messages.ts';

const asItself = messagesIn({ dialect: 'i18next', plurals: i18nextPlurals, hasPlainWords: true }, 'i18next');
const asIcu = messagesIn(ICU_OF_SCRIPTS, 'icu', 'plain');

export const i18next = describeFramework({
  id: 'i18next',
  title: 'i18next',
  evidence: [
    {
      files: ['package.json'],
      names: [
        'i18next',
        'react-i18next',
        'next-i18next',
        'i18next-vue',
        'i18next-http-backend',
        'i18next-fs-backend',
        'angular-i18next',
        'remix-i18next',
      ],
    },
    {
      files: scriptsNamed('i18next.config', 'i18next-parser.config'),
    },
  ],
  formats: ['json', 'json5', 'yaml', 'module'],
  keysMayBeTexts: ['json', 'json5', 'yaml'],
  sourceSettings: [
    {
      files: scriptsNamed('i18n', 'i18next', 'next-i18next.config', 'i18next.config'),
      text: /\b(?:fallbackLng|defaultLocale|primaryLanguage)\s*:\s*(?:\[\s*)?['"`]([\w-]+)['"`]/,
    },
    {
      files: scriptsNamed('index', 'config'),
      within: /(?:^|\/)(?:i18n|i18next|locales?|lang)$/,
      text: /\bfallbackLng\s*:\s*(?:\[\s*)?['"`]([\w-]+)['"`]/,
    },
  ],
  messagesOf: ({ manifest }) => (manifest?.names.has('i18next-icu') === true ? asIcu() : asItself()),
  lint: { references: /^\$t\(\s*(?:[\w-]+:)?([\w.-]+)/ },
});
