import { describeFramework } from './description.ts';

export const android = describeFramework({
  id: 'android',
  title: 'Android',
  evidence: [{ files: ['AndroidManifest.xml', 'build.gradle', 'build.gradle.kts'] }],
  formats: ['xml'],
  owns: /(?:^|\/)values(?:-[^/]+)?\/[^/]+\.xml$/,
});
