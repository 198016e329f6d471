import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';
import { ICU_OF_SCRIPTS, messagesIn } from './messages.ts';

export const nextIntl = describeFramework({
  id: 'next-intl',
  title: 'next-intl',
  evidence: [{ files: ['package.json'], names: ['next-intl', 'use-intl'] }],
  formats: ['json', 'module', 'yaml', 'po'],
  // A project's packages may also have gettext catalogues.
  holds: /(?<!\.po)$|(?:^|\/)messages\/[^/]+\.po$/,
  sourceSettings: [
    {
      files: scriptsNamed('routing', 'i18n', 'navigation', 'config', 'middleware', 'next-intl.config'),
      text: /\bdefaultLocale\s*[:=]\s*['"`]([\w-]+)['"`]/,
    },
  ],
  messagesOf: messagesIn(ICU_OF_SCRIPTS, 'icu', 'plain'),
});
