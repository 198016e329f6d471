import { describeFramework } from './description.ts';

export const hugo = describeFramework({
  id: 'hugo',
  title: 'Hugo',
  evidence: [
    { files: ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'] },
    {
      files: ['hugo', 'config', 'languages'].flatMap((name) => [
        `${name}.toml`,
        `${name}.yaml`,
        `${name}.yml`,
      ]),
      within: /config\/_default$/,
    },
    {
      files: ['config.toml', 'config.yaml', 'config.yml'],
      names: ['baseURL', 'baseurl', 'defaultContentLanguage'],
    },
    { files: ['theme.toml'], names: ['min_version'] },
  ],
  formats: ['toml', 'yaml', 'json', 'markdown'],
  holds: /(?:^|\/)i18n\/[^/]+$|\.md$/,
});
