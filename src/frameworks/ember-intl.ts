import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const emberIntl = describeFramework({
  id: 'ember-intl',
  title: 'ember-intl',
  evidence: [{ files: ['package.json'], names: ['ember-intl'] }],
  formats: ['yaml', 'json'],
  messagesOf: messagesIn('ICU', 'icu', 'plain'),
});
