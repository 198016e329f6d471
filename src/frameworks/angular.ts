import { describeFramework } from './description.ts';

export const angular = describeFramework({
  id: 'angular',
  title: 'Angular',
  evidence: [{ files: ['angular.json'] }],
  formats: ['xliff', 'json'],
  holds: /\.xlf$|\.xliff$/,
});
