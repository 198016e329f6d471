import { describeFramework } from './description.ts';

export const flutter = describeFramework({
  id: 'flutter',
  title: 'Flutter',
  evidence: [
    { files: ['l10n.yaml'] },
    { files: ['pubspec.yaml'], names: ['flutter_localizations', 'intl', 'intl_utils', 'slang'] },
  ],
  formats: ['json'],
  holds: /\.arb$/,
  owns: /\.arb$/,
  layouts: [{ style: 'underscore', isSure: true, extensions: { arb: 'json' } }],
  lint: { messageOf: (name) => (name.startsWith('@') ? name.slice(1) : undefined) },
});
