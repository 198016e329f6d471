import { describeFramework } from './description.ts';

export const mkdocs = describeFramework({
  id: 'mkdocs',
  title: 'MkDocs',
  evidence: [{ files: ['mkdocs.yml', 'mkdocs.yaml'] }],
  formats: ['markdown'],
});
