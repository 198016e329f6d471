import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

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
  // Options of Intl, which select how dates and numbers look.
  settings: /(?:^|\/)(?:date-?time|number)-?formats\/[^/]+$/i,
  messagesOf: messagesIn('vue-i18n', 'vue'),
});
