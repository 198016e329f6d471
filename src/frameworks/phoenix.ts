import { describeFramework } from './description.ts';

export const phoenix = describeFramework({
  id: 'phoenix',
  title: 'Phoenix',
  evidence: [{ files: ['mix.exs'], names: ['gettext'] }],
  formats: ['po'],
  sourceSettings: [{ files: ['config.exs'], text: /\bdefault_locale\b['"]?\s*[:,]\s*['"]([\w-]+)['"]/ }],
});
