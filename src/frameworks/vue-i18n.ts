import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

/** Options that say which branch of a message a number takes. */
const RULES = /\bplural(?:ization)?Rules\b/;

function nameInScripts(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => ['js', 'ts', 'mjs', 'mts'].map((extension) => `${name}.${extension}`));
}

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
  programs: [
    { files: nameInScripts('i18n', 'i18n.config', 'vue-i18n', 'vue-i18n.options', 'main'), text: RULES },
    { files: nameInScripts('index'), within: /(?:^|\/)(?:i18n|lang|locales?|vue-i18n)$/, text: RULES },
  ],
  branchRule: async (programs) =>
    (await import('./vue-plurals.ts')).readPluralRules(programs.map(({ text }) => text)),
  // Options of Intl, which select how dates and numbers look.
  settings: /(?:^|\/)(?:date-?time|number)-?formats\/[^/]+$/i,
  messagesOf: messagesIn('vue-i18n', 'vue'),
});
