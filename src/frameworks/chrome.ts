import { describeFramework } from './description.ts';

export const chrome = describeFramework({
  id: 'chrome',
  title: 'Chrome extensions',
  evidence: [{ files: ['manifest.json'], names: ['manifest_version'] }],
  formats: ['json', 'yaml'],
  holds: /(?:^|\/)_locales\//,
  owns: /(?:^|\/)_locales\//,
  holders: ['_locale', '_locales'],
  layouts: [{ style: 'underscore', isStrict: true, directory: { parent: '_locales' } }],
  sourceSettings: [{ files: ['manifest.json'], text: /"default_locale"\s*:\s*"([\w-]+)"/ }],
  lint: { isCertain: true },
});
