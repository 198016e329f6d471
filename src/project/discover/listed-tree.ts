import { basename, join } from 'node:path';
import { readHead } from '../../base/file-head.ts';
import { CODE_EXTENSIONS, extensionOf, knownExtensions, SHARED_EXTENSIONS } from '../../formats/registry.ts';
import { FrameworkEvidence } from '../../frameworks/evidence.ts';
import type { Configuration } from '../config/configuration.ts';
import { isDocument } from './documents.ts';
import { isOddlyNamed } from './odd-locales.ts';
import { isSuffixedWithLocale, makePlaceReader } from './path-language.ts';
import { walk, type FileTree } from './walk.ts';

/** The files that may be localization files. */
export interface ListedTree extends FileTree {
  /** In formats that are not supported. */
  readonly unsupported: readonly string[];
  /** Application files in directories with the name of a language instead of a locale. */
  readonly odd: readonly string[];
  /** Running text; empty if the configuration names files. */
  readonly documents: readonly string[];
  readonly evidence: FrameworkEvidence;
}

/**
 * The files below a directory that may be localization files by its configuration or their names.
 *
 * @param selected paths asked for, relative with slashes, the empty one for the whole root
 * @param name of files to be listed besides
 * @throws DragomanError as `walk`.
 */
export function listTree(
  root: string,
  configuration: Configuration,
  selected: readonly string[],
  name: string,
): ListedTree {
  const { files: rules = [], include = [] } = configuration;
  const own = rules.map((rule) => /\.([^./*?{}]+)$/.exec(rule.source)?.[1]?.toLowerCase() ?? '');
  const texts = knownExtensions().filter(
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
  // Directories that a pattern names before its first wildcard are always searched, even those whose names are
  // usually skipped.
  const patterns = [...include, ...rules.flatMap(({ source, target }) => [source, target])];
  const tree = walk(root, {
    name,
    asked: [...selected, ...patterns.map(literalDirectory)],
    wants: (path, isFile) => {
      const extension = extensionOf(path);
      if (isFile) evidence.add(path);
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

/** The directory that a pattern names before its first wildcard. */
function literalDirectory(pattern: string): string {
  const [literal = ''] = /^[^*?{}[\]()\\]*/.exec(pattern) ?? [];
  return literal.slice(0, Math.max(literal.lastIndexOf('/'), 0));
}

/** Formats of localization alone. */
const LOCALIZATION = new Set(['wxl']);

/** Files of these kinds hold localization only if a directory or a name indicates it. */
const BY_PLACE = new Set(['lang', 'dtd']);

/**
 * Files whose name may end in a locale. A project has ten thousand `.ts` files, and a single check of the name is
 * enough for most.
 */
const SUFFIXED = /[._-][a-z]{2,3}(?:[_-][A-Za-z]{2,4})?(?:@[a-z]+)?\.[a-z]+$/;

/** The number of files with a locale in their name, and an extension of other programs, that are opened. */
const MAX_OPENED = 300;

/** Returns a test for files that are of a format although other programs have files with their extension. */
function makeRecognizer(root: string): (path: string) => boolean {
  let opened = 0;
  return (path) => {
    const recognizes = SHARED_EXTENSIONS.get(extensionOf(path));
    if (!recognizes || !SUFFIXED.test(path) || !isSuffixedWithLocale(path) || ++opened > MAX_OPENED)
      return false;
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
