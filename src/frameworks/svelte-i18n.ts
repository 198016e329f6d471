import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';
import { ICU_OF_SCRIPTS, messagesIn } from './messages.ts';

export const svelteI18n = describeFramework({
  id: 'svelte-i18n',
  title: 'svelte-i18n',
  evidence: [{ files: ['package.json'], names: ['svelte-i18n'] }],
  formats: ['json', 'yaml', 'module'],
  keysMayBeTexts: ['json', 'yaml'],
  sourceSettings: [
    {
      files: scriptsNamed('i18n', 'index', '+layout'),
      text: /\bfallbackLocale\s*:\s*['"`]([\w-]+)['"`]/,
    },
  ],
  messagesOf: messagesIn(ICU_OF_SCRIPTS, 'icu', 'plain'),
});
