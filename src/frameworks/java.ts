import { describeFramework } from './description.ts';
import { parseLocale } from '../languages/locale.ts';
import { type BaseContent, directoryOf } from './layout.ts';

export const java = describeFramework({
  id: 'java',
  title: 'Java',
  evidence: [{ files: ['pom.xml', 'build.gradle', 'build.gradle.kts'] }],
  formats: ['properties'],
  isUsualFor: ['properties'],
  layouts: [
    {
      style: 'underscore',
      isStrict: true,
      isSure: true,
      extensions: { properties: 'properties' },
      // Variants of a program, such as a viewer and an editor, each have a source set.
      root: /(?<=^|\/)src\/[^/]+\/(?:resources|java|kotlin)\//,
      base(path, { hasFiles, namesLanguage }) {
        if (!path.endsWith('.properties')) return undefined;
        const stem = path.slice(0, -'.properties'.length);
        if (stem === '' || namesLanguage(path.slice(directoryOf(path).length))) return undefined;
        const parts = [`${stem}_`, '.properties'];
        return namesTexts(path) || hasFiles(parts) ? parts : undefined;
      },
      textlessReason(file) {
        const { path, languages } = file;
        if (!path.endsWith('.properties')) return undefined;
        if (LANGUAGE_INDEX.test(file.read()?.text ?? '')) return 'settings';
        if (namesOnlyTexts(path)) return undefined;
        const isNamed = namesTexts(path);
        // With files in several languages, any file is a bundle. The ending of a single file may be a word, as in
        // `application_it.properties`.
        const isBundle = languages > 1 || (isNamed && languages > 0);
        return isBundle || hasTexts(file, isNamed) ? undefined : 'settings';
      },
    },
  ],
});

/** Names of .properties files, and of their directories, that indicate texts instead of settings. */
const TEXT_NAME =
  /(?:messages?|strings?|bundle|labels?|resources?|translations?|i18n|l10n|locali[sz]ation|texts?|language)$/i;
const TEXT_DIRECTORY = /^(?:i18n|l10n|lang(?:uage)?s?|locales?|messages|translations?|bundles?)$/i;

/** Names that only files with texts have. Files named `resources` or `language` may hold settings. */
const ONLY_TEXTS = /(?:messages?|strings?|labels?|translations?|texts?)$/i;

/** Mozilla's list of the files of all languages: `[de]` and `@import url(de/viewer.properties)`. */
const LANGUAGE_INDEX = /^@import\s+url\(/m;

/** Whether the path of a `.properties` file indicates texts. */
function namesTexts(path: string): boolean {
  const stem = path.slice(0, -'.properties'.length);
  return TEXT_NAME.test(stem) || TEXT_DIRECTORY.test(stem.split('/').at(-2) ?? '');
}

/** Whether the path of a `.properties` file rules out settings. */
function namesOnlyTexts(path: string): boolean {
  return ONLY_TEXTS.test(path.slice(0, -'.properties'.length));
}

/**
 * Whether the values of a `.properties` file are texts and not settings, such as `unqualifiedResLocale=en-US`.
 *
 * @param isLikely whether its name suggests texts: then one text is enough; otherwise, half of the values must be texts
 */
function hasTexts({ read }: BaseContent, isLikely: boolean): boolean {
  const head = read();
  if (!head) return true;
  const values = head.text.split(/\r\n?|\n/).flatMap((line) => {
    const value = /^\s*[^\s#!=:][^=:]*[=:](.*)$/.exec(line)?.[1]?.trim() ?? '';
    return value === '' ? [] : [value];
  });
  if (values.length === 0) return isLikely;
  const texts = values.filter(isText).length;
  return isLikely ? texts > 0 : texts * 2 >= values.length;
}

/** Numbers, codes, paths, addresses, names of classes and constants, command-line arguments. */
const SETTING =
  /^(?:[^\p{L}\\]*|[\x21-\x40\x5b\x5d-\x7e]+|[A-Z][A-Z\d_]{2,}|[\w$-]+(?:[.][\w$-]+)+|[a-z][\w+.-]*:\S+|-\S.*|[a-z]+[A-Z]\w*)$/u;

function isText(value: string): boolean {
  return !SETTING.test(value) && parseLocale(value) === undefined;
}
