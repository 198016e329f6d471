import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const vueGettext = describeFramework({
  id: 'vue-gettext',
  title: 'gettext in Vue',
  evidence: [{ files: ['package.json'], names: ['vue3-gettext', 'vue-gettext'] }],
  formats: ['po'],
  messagesOf: messagesIn('vue-gettext', 'plain'),
});
