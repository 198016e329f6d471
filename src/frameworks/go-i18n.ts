import { goPlurals } from '../text/plural-keys.ts';
import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const goI18n = describeFramework({
  id: 'go-i18n',
  title: 'go-i18n',
  evidence: [
    {
      files: ['go.mod'],
      names: [
        'github.com/nicksnyder/go-i18n/v2',
        'github.com/nicksnyder/go-i18n',
        'github.com/nicksnyder/go-i18n/v2/i18n',
      ],
    },
  ],
  formats: ['toml', 'yaml', 'json'],
  messagesOf: messagesIn({ dialect: 'go-i18n', plurals: goPlurals }, 'i18next'),
});
