import { basename, join } from 'node:path';
import { readHead } from '../../base/file-head.ts';
import { CODE_EXTENSIONS, extensionOf, type Formats, SHARED_EXTENSIONS } from '../../formats/registry.ts';
import { FrameworkEvidence } from '../../frameworks/evidence.ts';
import type { Configuration } from '../config/configuration.ts';
import { isDocument } from './documents.ts';
import { isOddlyNamed } from './odd-locales.ts';
import { makePlaceReader, suffixOfPath } from './path-language.ts';
import { walk, type FileTree } from './walk.ts';

/** The files that may be localization files. */
export interface ListedTree extends FileTree {
  /** Files in unsupported formats. */
  readonly unsupported: readonly string[];
  /** Application files in directories named after a language instead of a locale. */
  readonly odd: readonly string[];
  /** Running text; empty if the configuration lists files. */
  readonly documents: readonly string[];
  readonly evidence: FrameworkEvidence;
}

/**
 * The files below a directory that may be localization files, by its configuration or their names.
 *
 * @param selected the requested paths, relative with slashes; the empty path for the whole root
 * @param name the name of additional files to list
 * @throws DragomanError like `walk`
 */
export function listTree(
  root: string,
  configuration: Configuration,
  formats: Formats,
  selected: readonly string[],
  name: string,
): ListedTree {
  const { files: rules = [], include = [] } = configuration;
  const own = rules.map((rule) => /\.([^./*?{}]+)$/.exec(rule.source)?.[1]?.toLowerCase() ?? '');
  const texts = formats.extensions.filter(
    (name) => !SHARED_EXTENSIONS.has(name) && !CODE_EXTENSIONS.has(name),
  );
  const known = new Set([...texts, ...own.filter(Boolean)]);
  const isRecognized = makeRecognizer(root);
  const isInPlace = makePlaceReader(basename(root));
  const isUnsupported = makeUnsupportedReader(root);
  const unsupported = new Set<string>();
  const documents = new Set<string>();
  const odd = new Set<string>();
  const evidence = new FrameworkEvidence(root);
  // The directories before a pattern's first wildcard are always searched, even if their names are usually skipped.
  const patterns = [...include, ...rules.flatMap(({ source, target }) => [source, target])];
  const tree = walk(root, {
    name,
    asked: [...selected, ...patterns.map(literalDirectory)],
    wants: (path, isFile) => {
      const extension = extensionOf(path);
      if (isFile) evidence.add(path);
      // A configuration that lists files may include these, because a program of the user reads them.
      if (isFile && configuration.files === undefined && evidence.isUnreadTranslation(path)) {
        unsupported.add(path);
        return true;
      }
      // The user may have a program that reads subtitles.
      if (known.has(extension)) return true;
      if (isDocument(path)) {
        if (isFile) documents.add(path);
        return isFile && configuration.files === undefined;
      }
      const namesTexts = CODE_EXTENSIONS.get(extension);
      if (namesTexts && (isInPlace(path) || namesTexts(path))) return true;
      if (!isFile) return false;
      if (namesTexts && isOddlyNamed(path)) {
        odd.add(path);
        return true;
      }
      if (isRecognized(path)) return true;
      if (!isUnsupported(path)) return false;
      unsupported.add(path);
      return true;
    },
  });
  return {
    ...tree,
    files: tree.files.filter((path) => !unsupported.has(path) && !documents.has(path) && !odd.has(path)),
    odd: [...odd],
    unsupported: tree.files.filter((path) => unsupported.has(path)),
    documents: tree.files.filter((path) => documents.has(path)),
    evidence,
  };
}

/** The directory before a pattern's first wildcard. */
function literalDirectory(pattern: string): string {
  const [literal = ''] = /^[^*?{}[\]()\\]*/.exec(pattern) ?? [];
  return literal.slice(0, Math.max(literal.lastIndexOf('/'), 0));
}

/** Formats that are only used for localization. */
const LOCALIZATION = new Set(['wxl']);

/** Files of these kinds are localization only if a directory or name shows that. */
const BY_PLACE = new Set(['config', 'dtd', 'inc', 'lang']);

/**
 * Files whose name may end in a locale. A single test excludes most of a project's `.ts` files, of which there may be
 * ten thousand.
 */
const SUFFIXED = /[._-][a-z]{2,3}(?:[_-][A-Za-z]{2,4})?(?:@[a-z]+)?\.[a-z]+$/;

/**
 * The maximum number of opened files with a locale in their name and an extension shared with other programs. The same
 * limit applies separately to files that only look like them: `user.dto.ts`.
 */
const MAX_OPENED = 300;

/** Returns a test for files of a format whose extension other programs also use. */
function makeRecognizer(root: string): (path: string) => boolean {
  const opened = { locale: 0, odd: 0 };
  return (path) => {
    const recognizes = SHARED_EXTENSIONS.get(extensionOf(path));
    if (!recognizes || !SUFFIXED.test(path)) return false;
    const suffix = suffixOfPath(path);
    if (suffix === undefined || ++opened[suffix] > MAX_OPENED) return false;
    return recognizes(readHead(join(root, path), 512)?.text ?? '', path);
  };
}

/** Returns a test for files that look like localization in an unsupported format. */
function makeUnsupportedReader(root: string): (path: string) => boolean {
  const isInPlace = makePlaceReader(basename(root));
  return (path) => {
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    if (LOCALIZATION.has(extension)) return true;
    return BY_PLACE.has(extension) && isInPlace(path);
  };
}
