import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';
import { messagesIn } from './messages.ts';

const asItself = messagesIn('Transloco', 'i18next');
/** Names in single braces are arguments, too. */
const asIcu = messagesIn('Transloco with ICU', 'plain');

export const transloco = describeFramework({
  id: 'transloco',
  title: 'Transloco',
  evidence: [
    { files: ['package.json'], names: ['@jsverse/transloco', '@ngneat/transloco'] },
    { files: scriptsNamed('transloco.config') },
  ],
  formats: ['json'],
  sourceSettings: [
    {
      files: scriptsNamed('app.config', 'app.module', 'main', 'transloco-root.module', 'transloco.config'),
      text: /\bdefaultLang\s*:\s*['"`]([\w-]+)['"`]/,
    },
  ],
  messagesOf: ({ manifest }) =>
    manifest?.names.has('@jsverse/transloco-messageformat') === true ||
    manifest?.names.has('@ngneat/transloco-messageformat') === true
      ? asIcu()
      : asItself(),
  lint: { references: /^\{\{\s*([^{}\s]*\.[^{}\s]*)\s*\}\}$/ },
});
