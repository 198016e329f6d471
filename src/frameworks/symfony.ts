import { describeFramework } from './description.ts';

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
  holds: /(?:^|\/)translations\//,
});
