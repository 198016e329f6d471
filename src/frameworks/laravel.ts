import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

/** The placeholders that the validator replaces in its messages. */
const OF_VALIDATION: ReadonlySet<string> = new Set(['attribute', 'Attribute', 'ATTRIBUTE']);

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
  keysMayBeTexts: ['json'],
  holds: /(?:^|\/)lang\//,
  sourceSettings: [
    {
      files: ['app.php'],
      within: /(?:^|\/)config$/,
      text: /['"]fallback_locale['"]\s*=>\s*(?:env\(\s*['"]\w+['"]\s*,\s*)?['"]([\w-]+)['"]/,
    },
  ],
  messagesOf: messagesIn({ dialect: 'Laravel', hasNames: false }, 'laravel', 'plain'),
  lint: { supplied: (_, path) => (/(?:^|\/)validation\.php$/.test(path) ? OF_VALIDATION : undefined) },
  layouts: [{ style: 'underscore', isSure: true, extensions: { php: 'php' } }],
});
