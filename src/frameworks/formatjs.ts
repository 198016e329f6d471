import { describeFramework } from './description.ts';
import { ICU_OF_SCRIPTS, messagesIn } from './messages.ts';

export const formatjs = describeFramework({
  id: 'formatjs',
  title: 'FormatJS',
  evidence: [
    { files: ['package.json'], names: ['react-intl', '@formatjs/intl', '@formatjs/cli', 'vue-intl'] },
  ],
  formats: ['json', 'module', 'yaml'],
  keysMayBeTexts: ['json', 'yaml'],
  messagesOf: messagesIn(ICU_OF_SCRIPTS, 'icu', 'plain'),
});
