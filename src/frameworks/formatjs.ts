import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const formatjs = describeFramework({
  id: 'formatjs',
  title: 'FormatJS',
  evidence: [
    { files: ['package.json'], names: ['react-intl', '@formatjs/intl', '@formatjs/cli', 'vue-intl'] },
  ],
  formats: ['json', 'module', 'yaml'],
  keysMayBeTexts: ['json', 'yaml'],
  messagesOf: messagesIn('ICU', 'icu', 'plain'),
});
