import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

const quoting = messagesIn('ICU', 'icu', 'plain');
const bare = messagesIn(
  // Flutter reads an apostrophe before a syntax character literally.
  { dialect: 'ICU', readAs: (value) => value.replace(/'(?=['{}<>#])/g, '’') },
  'icu',
  'plain',
);

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
  // Flutter's own generator only reads apostrophes as quotes if configured. Other generators have no `l10n.yaml`.
  messagesOf: ({ manifest }) =>
    manifest?.path.endsWith('l10n.yaml') !== true
      ? undefined
      : /^use-escaping:\s*true\b/m.test(manifest.text)
        ? quoting()
        : bare(),
  sourceSettings: [{ files: ['l10n.yaml'], text: /^template-arb-file:\s*\S{0,200}?_(\w{1,35})\.arb/m }],
  layouts: [{ style: 'underscore', isSure: true, extensions: { arb: 'json' } }],
  lint: { messageOf: (name) => (name.startsWith('@') ? name.slice(1) : undefined) },
});
