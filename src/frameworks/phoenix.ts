import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const phoenix = describeFramework({
  id: 'phoenix',
  title: 'Phoenix',
  evidence: [{ files: ['mix.exs'], names: ['gettext'] }],
  formats: ['po'],
  messagesOf: messagesIn('Gettext for Elixir', 'plain'),
  sourceSettings: [{ files: ['config.exs'], text: /\bdefault_locale\b['"]?\s*[:,]\s*['"]([\w-]+)['"]/ }],
});
