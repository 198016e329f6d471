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
});
