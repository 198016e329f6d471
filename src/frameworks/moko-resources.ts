import { describeFramework } from './description.ts';

const RESOURCES = /(?:^|\/)moko-resources\/[^/]+\/[^/]+\.xml$/;

/** Android's resources for several platforms: `moko-resources/pt-rBR/strings.xml` beside `moko-resources/base/`. */
export const mokoResources = describeFramework({
  id: 'moko-resources',
  title: 'moko-resources',
  evidence: [{ files: ['build.gradle', 'build.gradle.kts'] }],
  formats: ['xml'],
  holds: RESOURCES,
  owns: RESOURCES,
  layouts: [
    {
      style: 'android',
      isStrict: true,
      directory: { parent: 'moko-resources', files: /\.xml$/ },
      base(path) {
        const match = /^((?:.*\/)?moko-resources\/)base(\/[^/]+\.xml)$/.exec(path);
        return match ? [match[1] ?? '', match[2] ?? ''] : undefined;
      },
    },
  ],
  lint: { isCertain: true, plurals: {} },
});
