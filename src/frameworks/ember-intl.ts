import { describeFramework } from './description.ts';
import { ICU_OF_SCRIPTS, messagesIn } from './messages.ts';

export const emberIntl = describeFramework({
  id: 'ember-intl',
  title: 'ember-intl',
  evidence: [{ files: ['package.json'], names: ['ember-intl'] }],
  formats: ['yaml', 'json'],
  sourceSettings: [{ files: ['ember-intl.js'], text: /\bfallbackLocale['"]?\s*:\s*['"`]([\w-]+)['"`]/ }],
  messagesOf: messagesIn(ICU_OF_SCRIPTS, 'icu', 'plain'),
});
