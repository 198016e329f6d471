import { findBareApostrophe } from '../formats/xml/apostrophe.ts';
import { withoutComments } from './comments.ts';
import { describeFramework } from './description.ts';
import type { BaseContent } from './layout.ts';

/** Resource files: `values-pt-rBR/strings.xml` beside `values/strings.xml`. */
export const android = describeFramework({
  id: 'android',
  title: 'Android',
  evidence: [{ files: ['AndroidManifest.xml', 'build.gradle', 'build.gradle.kts'] }],
  formats: ['xml'],
  holds: /(?:^|\/)values(?:-[^/]+)?\/[^/]+\.xml$/,
  owns: /(?:^|\/)values(?:-[^/]+)?\/[^/]+\.xml$/,
  // The listings for the store, as fastlane and Gradle Play Publisher upload them.
  unreadTranslations:
    /(?:^|\/)(?:(?:fastlane\/)?metadata\/android|play\/(?:listings|release-notes))\/[a-z]{2,3}(?:-[A-Za-z\d]+)*\/.+\.txt$/,
  layouts: [
    {
      style: 'android',
      isStrict: true,
      // `sr-rSP` is a language with an unknown region.
      qualifiers: /^car$|-(?!r[A-Z]{2}(?:-|$))/,
      directory: { name: /^values-(.+)$/d, files: /\.xml$/ },
      baseDirectory: 'values',
      base(path) {
        const match = /^(.*\/)?values\/([^/]+\.xml)$/.exec(path);
        return match ? [`${match[1] ?? ''}values-`, `/${match[2]}`] : undefined;
      },
      textNames: (head) =>
        new Set(
          [...head.matchAll(/<(?:string|plurals|string-array)\s[^<>]*?\bname\s*=\s*["']([^"']+)/g)].flatMap(
            ([, name]) => name ?? [],
          ),
        ),
      textlessReason: (file) => (hasStrings(file) ? undefined : 'without_strings'),
    },
  ],
  sourceSettings: [{ files: ['resources.properties'], text: /^[ \t]*unqualifiedResLocale\s*=\s*([\w-]+)/m }],
  lint: {
    isCertain: true,
    plurals: {},
    findFault: (notation) => {
      const offset = findBareApostrophe(notation);
      const rule = 'unescaped-apostrophe';
      return offset === undefined ? undefined : { rule, offset, detail: "an apostrophe must be written \\'" };
    },
  },
});

/** `[^<>]` instead of `[^>]`, so that a file full of `<string ` is read as fast as any other. */
const STRING =
  /<(?:(?:string|plurals|string-array)\b([^<>]*)|item\b(?=[^<>]*\btype\s*=\s*["']string["'])([^<>]*))>/g;
const REFERENCE = /\s*[@?][\w.:+/-]+\s*<\/string/y;

/** The start of a file whose first element is neither `<string>` nor `<string-array>`. */
const OTHER_ROOT = /^\s*(?:<\?xml[^<>]*>\s*)?<(?!string)[a-z]/;

/**
 * Whether a resource file has texts: files of colours, dimensions and styles are in the same directories. Other files
 * and unreadable ones count as files with texts, so that the following read reports their problem.
 */
function hasStrings({ path, read }: BaseContent): boolean {
  if (/\/donottranslate[^/]*$/i.test(path)) return false;
  const head = read();
  if (!head) return true;
  const text = withoutComments(head.text);
  if (!text.includes('<resources')) return !OTHER_ROOT.test(text);
  for (const match of text.matchAll(STRING)) {
    const attributes = match[1] ?? match[2] ?? '';
    REFERENCE.lastIndex = match.index + match[0].length;
    const isText = !/\btranslatable\s*=\s*["']false["']/.test(attributes) && !REFERENCE.test(text);
    if (isText) return true;
  }
  return !head.isWhole;
}
