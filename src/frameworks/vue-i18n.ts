import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';
import { messagesIn } from './messages.ts';

/** Options with rules that select a branch by number. */
const RULES = /\bplural(?:ization)?Rules\b/;

/** Programs that may contain the options of vue-i18n. */
const OPTIONS = scriptsNamed('i18n', 'i18n.config', 'vue-i18n', 'vue-i18n.options', 'main');
const INDEX = { files: scriptsNamed('index'), within: /(?:^|\/)(?:i18n|lang|locales?|vue-i18n)$/ };
const FALLBACK = /\b(?:fallbackLocale|defaultLocale)\s*:\s*['"`]([\w-]+)['"`]/;

export const vueI18n = describeFramework({
  id: 'vue-i18n',
  title: 'vue-i18n',
  evidence: [
    {
      files: ['package.json'],
      names: ['vue-i18n', '@nuxtjs/i18n', 'nuxt-i18n', '@intlify/unplugin-vue-i18n'],
    },
  ],
  formats: ['json', 'json5', 'yaml', 'module'],
  keysMayBeTexts: ['json', 'json5', 'yaml'],
  programs: [
    { files: OPTIONS, text: RULES },
    { ...INDEX, text: RULES },
  ],
  sourceSettings: [
    { files: [...OPTIONS, ...scriptsNamed('nuxt.config')], text: FALLBACK },
    { ...INDEX, text: FALLBACK },
  ],
  branchRule: async (programs) =>
    (await import('./vue-plurals.ts')).readPluralRules(programs.map(({ text }) => text)),
  // Options of Intl, which determine the format of dates and numbers.
  settings: /(?:^|\/)(?:date-?time|number)-?formats\/[^/]+$/i,
  messagesOf: messagesIn({ dialect: 'vue-i18n', hasPlainWords: true }, 'vue'),
  lint: { references: /^@(?:\.\w+)?:\(?['"]?([\w.-]+)/ },
});
