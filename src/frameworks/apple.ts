import { describeFramework } from './description.ts';

/** `%@`, `%lld`, `%2$@` */
const CONVERSION = /%(?:%|(?:(\d{1,3})\$)?([-+ 0#']*(?:[1-9.][\d.]*)?(?:hh?|ll?|[qLztj])?[@A-Za-z]))/g;

/**
 * The arguments that Swift interpolates in a key. A text may display them even if its source does not, for example in a
 * plural.
 */
function argumentsIn(key: string): ReadonlySet<string> | undefined {
  const found = [...key.matchAll(CONVERSION)].filter(([raw]) => raw !== '%%');
  if (found.length === 0) return undefined;
  return new Set(
    found.flatMap(([, number, type = ''], at) => [`%${type}`, `%${number ?? String(at + 1)}$${type}`]),
  );
}

export const apple = describeFramework({
  id: 'apple',
  title: 'Apple',
  evidence: [
    { files: ['project.pbxproj'], within: /[^/]+\.xcodeproj$/ },
    { files: ['Package.swift', 'Podfile'] },
  ],
  formats: ['strings', 'xcstrings', 'xml', 'xliff'],
  keysMayBeTexts: ['strings'],
  holds: /\.(?:strings|xcstrings|stringsdict|xliff)$/,
  owns: /\.(?:strings|xcstrings|stringsdict)$|\.(?:lproj|xcloc)\//,
  // The listing for the store, as fastlane uploads it.
  unreadTranslations: /(?:^|\/)fastlane\/metadata\/[a-z]{2,3}(?:-[A-Za-z]+)*\/[^/]+\.txt$/,
  exports: {
    directories: /\.(?:xcloc|xcarchive)$/,
    // Xcode puts the sources beside the catalogue for translators, and does not import them.
    inner: { parent: /\.xcloc\/?$/, name: 'Source Contents' },
  },
  layouts: [
    {
      style: 'script',
      isStrict: true,
      directory: { name: /^(.+)\.lproj$/d },
      // `en.lproj` does not supplement `Base.lproj`: programs use it instead.
      baseRole: 'replaced',
      base(path) {
        const match = /^(.*\/)?Base\.lproj\/(.+)$/.exec(path);
        return match ? [match[1] ?? '', `.lproj/${match[2]}`] : undefined;
      },
    },
    { style: 'bcp47', directory: { name: /^(.+)\.xcloc$/d } },
  ],
  sourceSettings: [
    { files: ['Package.swift'], text: /\bdefaultLocalization\s*:\s*(?:LanguageTag\()?"([\w-]+)"/ },
  ],
  lint: {
    isCertain: true,
    supplied: ([key = '']) => argumentsIn(key),
    // Xcode rejects a String Catalog with a plural that lacks `other`.
    plurals: { needsOther: (format) => format === 'xcstrings', showsZero: true },
  },
});
