import { join, posix } from 'node:path';
import { DragomanError, type ErrorCode } from '../../base/errors.ts';
import { isLink, requireUnreserved, reservedSegment } from '../../base/inside.ts';
import { BUILT_IN_FORMATS, CODE_EXTENSIONS, extensionOf, SHARED_EXTENSIONS } from '../../formats/registry.ts';
import { isOwnFile } from '../config/file.ts';
import type { Resource } from './resource.ts';

/**
 * Checks the paths that a project reads and writes, before anything is read: configuration, layout and spellings of
 * locales come with a checkout, and together they could name any file. Checks the name of every path, and each
 * directory once on disk. Files that are links are checked by {@link requireLocalizationPath} when they are opened.
 *
 * @throws DragomanError `configuration` for the first path that cannot be a localization file
 */
export function requireLocalizationPaths(
  root: string,
  resources: readonly Resource[],
  targets: readonly string[],
): void {
  const directories = new Map<string, boolean>();
  // Thousands of files share a few directories and, across languages, their names.
  const names = new Set<string>();
  for (const resource of resources) {
    const { source } = resource;
    const extension = source.slice(source.lastIndexOf('.'));
    for (const path of [source, ...targets.map((locale) => resource.targetPath(locale))]) {
      const end = path.lastIndexOf('/');
      const directory = path.slice(0, Math.max(0, end));
      // The allowed extensions of a target depend on its source.
      const name = `${extension} ${path.slice(end + 1)}`;
      if (!directories.has(directory) || !names.has(name)) {
        requireLocalizationName(path, path, source, 'configuration');
        names.add(name);
      }
      if (isLinked(root, directory, directories)) requireUnreserved(root, directory, 'configuration');
    }
  }
}

/**
 * Checks a path by its name and on disk, following every symbolic link.
 *
 * @param path of a source or target, relative to the root
 * @param source the source of its resource
 * @throws DragomanError `unwritable_output` if it cannot be a localization file
 */
export function requireLocalizationPath(root: string, path: string, source: string): void {
  const code = 'unwritable_output';
  requireLocalizationName(path, path, source, code);
  requireLocalizationName(requireUnreserved(root, path, code), path, source, code);
}

/**
 * Checks a path by its name only.
 *
 * @param path `written` itself, or the target of its links; relative to the root
 * @throws DragomanError `code` if it cannot be a localization file
 */
export function requireLocalizationName(
  path: string,
  written: string,
  source: string,
  code: ErrorCode,
): void {
  // Also normalized, because `locales/./en.json` is another name for a source.
  const problem = problemOfName(path, source) ?? problemOfName(posix.normalize(path), source);
  if (problem === undefined) return;
  const subject = path === written ? path : `${written}, which leads to ${path},`;
  throw new DragomanError(code, `${subject} cannot be a localization file: ${problem}`, {
    hint: 'Change `files`, `locales` or `localeStyle` in the configuration, or the link.',
  });
}

function problemOfName(path: string, source: string): string | undefined {
  const segment = reservedSegment(path);
  if (segment !== undefined) return `${segment} is hidden, or belongs to other tools`;
  if (path.includes('\0')) return 'a file name cannot contain a NUL byte';
  if (path.split('/').includes('')) return 'a part of the path is empty';
  if (isOwnFile(path)) return 'it is the lock, or a configuration';
  const extension = extensionOf(path);
  // A rule with a `format` may have sources with any extension, and its targets have the same one. The same applies to
  // files that a user's program reads, and to files whose extension programs also use.
  const isShared = SHARED_EXTENSIONS.has(extension) || CODE_EXTENSIONS.has(extension);
  const isTexts = BUILT_IN_FORMATS.extensions.includes(extension) && !isShared;
  if (isTexts || (extension !== '' && extension === extensionOf(source))) return undefined;
  return extension === ''
    ? 'it has no extension'
    : `.${extension} is not the extension of a localization format`;
}

function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Whether the path to a directory contains a symbolic link. A missing directory contains none. */
function isLinked(root: string, directory: string, known: Map<string, boolean>): boolean {
  if (directory === '') return false;
  const before = known.get(directory);
  if (before !== undefined) return before;
  const linked = isLinked(root, directoryOf(directory), known) || isLink(join(root, directory));
  known.set(directory, linked);
  return linked;
}
