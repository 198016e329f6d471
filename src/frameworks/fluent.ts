import { describeFramework } from './description.ts';

export const fluent = describeFramework({
  id: 'fluent',
  title: 'Fluent in Rust',
  evidence: [
    { files: ['i18n.toml'] },
    {
      files: ['Cargo.toml'],
      names: ['fluent', 'fluent-bundle', 'fluent-templates', 'i18n-embed', 'i18n-embed-fl'],
    },
  ],
  formats: ['fluent'],
  isUsualFor: ['fluent'],
  lint: { isCertain: true },
});
