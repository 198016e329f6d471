import { describeFramework } from './description.ts';

export const fluent = describeFramework({
  id: 'fluent',
  title: 'Fluent',
  evidence: [
    { files: ['i18n.toml'] },
    {
      files: ['Cargo.toml'],
      names: ['fluent', 'fluent-bundle', 'fluent-templates', 'i18n-embed', 'i18n-embed-fl'],
    },
    { files: ['package.json'], names: ['@fluent/bundle', '@fluent/react', '@fluent/web', '@fluent/dom'] },
  ],
  formats: ['fluent'],
  isUsualFor: ['fluent'],
  // A translation may spell out another message's words in an inflected form.
  lint: { isCertain: true, unwrapsElements: true, references: /^\{\s*([a-zA-Z][\w-]*)\s*\}$/ },
});
