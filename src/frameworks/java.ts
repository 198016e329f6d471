import { describeFramework } from './description.ts';

export const java = describeFramework({
  id: 'java',
  title: 'Java',
  evidence: [{ files: ['pom.xml', 'build.gradle', 'build.gradle.kts'] }],
  formats: ['properties'],
  isUsualFor: ['properties'],
});
