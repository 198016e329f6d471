import { describeFramework } from './description.ts';

export const django = describeFramework({
  id: 'django',
  title: 'Django',
  evidence: [
    { files: ['manage.py'] },
    {
      files: ['pyproject.toml', 'setup.cfg', 'setup.py', 'requirements.txt', 'requirements.in'],
      names: ['Django', 'django'],
    },
  ],
  formats: ['po'],
  sourceSettings: [
    { files: ['settings.py', 'base.py', 'common.py'], text: /^LANGUAGE_CODE\s*=\s*['"]([\w-]+)['"]/m },
  ],
});
