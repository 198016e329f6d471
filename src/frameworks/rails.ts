import { rubyPlurals } from '../text/plural-keys.ts';
import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

/** What it has for the messages of its validators, whichever of it a language makes use of. */
const OF_ERRORS: ReadonlySet<string> = new Set(['attribute', 'count', 'message', 'model', 'value']);

export const rails = describeFramework({
  id: 'rails',
  title: 'Rails',
  evidence: [
    { files: ['Gemfile', '*.gemspec'], names: ['rails', 'railties', 'i18n', 'i18n-js', 'i18n-tasks'] },
  ],
  formats: ['yaml'],
  holds: /(?:^|\/)(?:locales?|translations?)\//,
  messagesOf: messagesIn({ dialect: 'Rails', plurals: rubyPlurals }, 'ruby'),
  lint: {
    takesLast: true,
    supplied: (key) => (key.includes('errors') ? OF_ERRORS : undefined),
  },
});
