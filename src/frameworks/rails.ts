import { rubyPlurals } from '../text/plural-keys.ts';
import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';
import { rubyErrors } from './validators.ts';

const FILES = /(?:^|\/)config\/locales\/.+\.ya?ml$/;
const KEY = /^[ \t]+['"]?([\w./-]+)['"]?:/gm;

export const rails = describeFramework({
  id: 'rails',
  title: 'Rails',
  evidence: [
    { files: ['Gemfile', '*.gemspec'], names: ['rails', 'railties', 'i18n', 'i18n-js', 'i18n-tasks'] },
    // The gem of a Rails engine may depend on Rails only through another gem.
    {
      files: ['engine.rb', 'railtie.rb'],
      within: /(?:^|\/)lib(?:\/.*)?$/,
      text: /\bRails::(?:Engine|Railtie)\b/,
    },
  ],
  formats: ['yaml'],
  holds: /(?:^|\/)(?:locales?|translations?)\//,
  layouts: [
    {
      style: 'bcp47',
      paths: FILES,
      // A gem may contain only translations of another gem's texts.
      root: /^(?:.+\/)?(?=config\/locales\/)/,
      textNames: (head) => new Set([...head.matchAll(KEY)].flatMap(([, key]) => key ?? [])),
    },
  ],
  sourceSettings: [
    {
      files: ['application.rb', 'locale.rb', 'locales.rb', 'i18n.rb'],
      within: /(?:^|\/)config(?:\/initializers)?$/,
      text: /^[ \t]*(?:config\.i18n|I18n)\.default_locale\s*=\s*:?["']?([\w-]+)/m,
    },
  ],
  messagesOf: messagesIn({ dialect: 'Rails', plurals: rubyPlurals, hasNames: false }, 'ruby'),
  lint: {
    takesLast: true,
    ...rubyErrors,
  },
});
