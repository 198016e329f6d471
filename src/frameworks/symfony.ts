import type { MessageRules } from '../formats/message-rules.ts';
import { chooseSyntax } from '../text/message.ts';
import { describeFramework } from './description.ts';
import { OF_INTL } from './messages.ts';

/** Branches by number, among which Symfony chooses by `%count%`: `one: …|some: …`, `{0} …|[1,Inf] …`. */
const BRANCHES = /%count%|(?:^|\|)\s*(?:[{[\]]\s*-?\d|\w+:\s)/;

const ITSELF: MessageRules = {
  dialect: 'Symfony',
  syntaxOf: (value) => (value.includes('|') && BRANCHES.test(value) ? 'laravel' : 'symfony'),
  hasNames: false,
  hasPlainWords: true,
  unitsByName: true,
};

/** The validator only replaces exactly `{{ limit }}`: `{{limit}}` is displayed literally. */
const VALIDATORS: MessageRules = {
  ...ITSELF,
  readAs: (value) => value.replace(/\{\{(?! \w+ \}\})\s*(\w+)\s*\}\}/g, '⦃$1⦄'),
};

const ICU: MessageRules = {
  ...OF_INTL,
  syntaxOf: (value) => chooseSyntax(value, 'icu', 'plain'),
  hasPlainWords: true,
  unitsByName: true,
};

export const symfony = describeFramework({
  id: 'symfony',
  title: 'Symfony',
  evidence: [
    {
      files: ['composer.json'],
      names: [
        'symfony/symfony',
        'symfony/framework-bundle',
        'symfony/translation',
        'symfony/translation-contracts',
      ],
    },
  ],
  formats: ['yaml', 'xliff', 'php', 'po', 'json', 'ini', 'csv'],
  keysMayBeTexts: ['yaml', 'json', 'php'],
  holds: /(?:^|\/)translations\//,
  layouts: [{ style: 'underscore', paths: /(?:^|\/)translations\/[^/]+\.[^/.]+\.(?:xliff?|xlf|ya?ml|php)$/ }],
  sourceSettings: [
    {
      files: ['translation.yaml', 'framework.yaml', 'translation.yml', 'framework.yml'],
      within: /(?:^|\/)config(?:\/packages)?$/,
      text: /^[ \t]*default_locale:\s*['"]?([a-z][\w-]*)/m,
    },
  ],
  messagesOf: ({ path }) =>
    path.includes('+intl-icu.') ? ICU : /(?:^|\/)validators\.[^/]+$/.test(path) ? VALIDATORS : ITSELF,
});
