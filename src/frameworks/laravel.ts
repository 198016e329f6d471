import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const laravel = describeFramework({
  id: 'laravel',
  title: 'Laravel',
  evidence: [
    {
      files: ['composer.json'],
      names: ['laravel/framework', 'illuminate/support', 'illuminate/translation', 'laravel/lumen-framework'],
    },
  ],
  formats: ['php', 'json'],
  holds: /(?:^|\/)lang\//,
  messagesOf: messagesIn('Laravel', 'laravel', 'plain'),
  layouts: [{ style: 'underscore', isSure: true, extensions: { php: 'php' } }],
});
