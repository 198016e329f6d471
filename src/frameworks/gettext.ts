import { describeFramework } from './description.ts';

export const gettext = describeFramework({
  id: 'gettext',
  title: 'GNU gettext',
  evidence: [{ files: ['POTFILES', 'POTFILES.in', 'LINGUAS'], within: /po$/ }],
  formats: ['po'],
  isUsualFor: ['po'],
});
