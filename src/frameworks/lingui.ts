import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';
import { messagesIn } from './messages.ts';

export const lingui = describeFramework({
  id: 'lingui',
  title: 'Lingui',
  evidence: [
    { files: ['package.json'], names: ['@lingui/core', '@lingui/react', '@lingui/cli'] },
    { files: scriptsNamed('lingui.config') },
  ],
  formats: ['po', 'json', 'csv'],
  sourceSettings: [{ files: scriptsNamed('lingui.config'), text: /\bsourceLocale\s*:\s*['"`]([\w-]+)['"`]/ }],
  messagesOf: messagesIn('ICU', 'icu', 'plain'),
});
