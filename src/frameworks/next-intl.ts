import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const nextIntl = describeFramework({
  id: 'next-intl',
  title: 'next-intl',
  evidence: [{ files: ['package.json'], names: ['next-intl', 'use-intl'] }],
  formats: ['json', 'module', 'yaml'],
  messagesOf: messagesIn('ICU', 'icu', 'plain'),
});
