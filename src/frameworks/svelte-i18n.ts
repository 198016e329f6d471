import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const svelteI18n = describeFramework({
  id: 'svelte-i18n',
  title: 'svelte-i18n',
  evidence: [{ files: ['package.json'], names: ['svelte-i18n'] }],
  formats: ['json', 'yaml', 'module'],
  messagesOf: messagesIn('ICU', 'icu', 'plain'),
});
