import { describeFramework } from './description.ts';

export const apple = describeFramework({
  id: 'apple',
  title: 'Apple',
  evidence: [
    { files: ['project.pbxproj'], within: /[^/]+\.xcodeproj$/ },
    { files: ['Package.swift', 'Podfile'] },
  ],
  formats: ['strings', 'xcstrings', 'xml', 'xliff'],
  holds: /\.(?:strings|xcstrings|stringsdict|xliff)$/,
  owns: /\.(?:strings|xcstrings|stringsdict)$|\.(?:lproj|xcloc)\//,
  exports: {
    directories: /\.(?:xcloc|xcarchive)$/,
    // Xcode shows translators the sources beside the catalogue; what stands there is not imported.
    inner: { parent: /\.xcloc\/?$/, name: 'Source Contents' },
  },
  layouts: [
    {
      style: 'script',
      isStrict: true,
      directory: { name: /^(.+)\.lproj$/d },
      // `en.lproj` is no addition to `Base.lproj`: it is used in its place.
      baseRole: 'replaced',
      base(path) {
        const match = /^(.*\/)?Base\.lproj\/(.+)$/.exec(path);
        return match ? [match[1] ?? '', `.lproj/${match[2]}`] : undefined;
      },
    },
    { style: 'bcp47', directory: { name: /^(.+)\.xcloc$/d } },
  ],
  lint: {
    isCertain: true,
    // Xcode refuses a String Catalog with a plural that has no `other`.
    plurals: { needsOther: (format) => format === 'xcstrings', showsZero: true },
  },
});
