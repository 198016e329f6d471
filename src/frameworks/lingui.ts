import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const lingui = describeFramework({
  id: 'lingui',
  title: 'Lingui',
  evidence: [
    { files: ['package.json'], names: ['@lingui/core', '@lingui/react', '@lingui/cli'] },
    { files: ['js', 'ts', 'mjs', 'mts', 'cjs'].map((extension) => `lingui.config.${extension}`) },
  ],
  formats: ['po', 'json', 'csv'],
  messagesOf: messagesIn('ICU', 'icu', 'plain'),
});
