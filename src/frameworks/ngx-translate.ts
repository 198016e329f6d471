import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';
import { messagesIn } from './messages.ts';

/**
 * ngx-translate requires double braces. Single braces in its texts may be read by other programs, such as cookie
 * dialogs.
 */
const asItself = messagesIn('ngx-translate', 'plain');
const asIcu = messagesIn('ngx-translate with ICU', 'icu');

export const ngxTranslate = describeFramework({
  id: 'ngx-translate',
  title: 'ngx-translate',
  evidence: [{ files: ['package.json'], names: ['@ngx-translate/core'] }],
  formats: ['json', 'json5'],
  sourceSettings: [
    {
      files: scriptsNamed('app.component', 'app.config', 'app.module', 'main'),
      text: /\b(?:set(?:Default|Fallback)Lang\(|(?:defaultLanguage|fallbackLang)\s*:)\s*['"`]([\w-]+)['"`]/,
    },
  ],
  lint: { reads: (raw, syntax) => syntax !== 'plain' || raw.startsWith('{{') },
  messagesOf: ({ manifest }) =>
    manifest?.names.has('ngx-translate-messageformat-compiler') === true ? asIcu() : asItself(),
});
