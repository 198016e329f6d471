import { describeFramework } from './description.ts';

export const phoenix = describeFramework({
  id: 'phoenix',
  title: 'Phoenix',
  evidence: [{ files: ['mix.exs'], names: ['gettext'] }],
  formats: ['po'],
});
