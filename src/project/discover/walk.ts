import type { Dirent } from 'node:fs';
import { basename, join } from 'node:path';
import { readHead } from '../../base/file-head.ts';
import { DragomanError } from '../../base/errors.ts';
import { listAt } from '../../base/file-facts.ts';
import { systemError } from '../../base/system-error.ts';
import { PACKAGE_MANIFESTS } from '../../frameworks/manifest.ts';
import { isConfigured } from '../config/file.ts';
import { asideReasonOf, isDependency, type AsideReason } from './passed-over.ts';

const MAX_DEPTH = 40;
const MAX_FILES = 2_000_000;
/** Build output and vendored trees are only counted, so this must not take long. */
const MAX_ENTRIES_COUNTED = 5_000;

/** The files below a directory. Paths are relative to it, with slashes, and sorted. */
export interface FileTree {
  readonly files: readonly string[];
  /** Files of test directories, build output, vendored trees and exports, which are only counted. */
  readonly aside: readonly AsideFile[];
  /** Whether build output or vendored trees were too large to count completely. */
  readonly isCut: boolean;
  /** Directories that are separate projects, whose files are not listed. */
  readonly nested: readonly string[];
  /** Files with the requested name, in directories below the top. */
  readonly named: readonly string[];
}

export interface AsideFile {
  readonly path: string;
  readonly reason: AsideReason;
}

export interface TreeOptions {
  /** Whether to list a file. The function may only open regular files. */
  readonly wants: (path: string, isFile: boolean) => boolean;
  /** Requested paths, relative. Test directories above a requested path are searched normally. */
  readonly asked?: readonly string[];
  /** Files with this name are listed, too. */
  readonly name?: string;
}

/**
 * Lists the files below `root` in one pass. Hidden directories and installed packages are skipped; symbolic links are
 * not followed. Directories with their own configuration, and other git work trees, are separate projects.
 *
 * Reads synchronously, because asynchronous calls take several times as long for the same directories.
 *
 * @throws DragomanError `unreadable_input` if `root` cannot be listed, `not_a_file`, `limit_exceeded` for excessively
 * large trees
 */
export function walk(root: string, { wants, asked = [], name: wanted }: TreeOptions): FileTree {
  const files: string[] = [];
  const aside: AsideFile[] = [];
  const nested: string[] = [];
  const named: string[] = [];
  let counted = 0;
  const above = basename(root);
  const isAsked = (path: string): boolean =>
    asked.some((other) => other === path || other.startsWith(`${path}/`));
  const isOfOthers = makeLibraryReader(root);
  const visit = (directory: string, depth: number, known: AsideReason | undefined): void => {
    if (depth > MAX_DEPTH) return;
    const isCounted = known === 'build_output' || known === 'vendored';
    if (isCounted && counted > MAX_ENTRIES_COUNTED) return;
    const entries = list(root, directory);
    if (known === undefined && directory !== '' && isProject(join(root, directory), entries)) {
      nested.push(directory);
      return;
    }
    const isLibrary = known === undefined && !isAsked(directory) && isOfOthers(directory, entries);
    const reason = isLibrary ? 'vendored' : known;
    const isBounded = isCounted || isLibrary;
    // Sorted, so that counting stops early at the same file on every machine.
    if (isBounded) entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const prefix = directory === '' ? '' : `${directory}/`;
    for (const entry of entries) {
      if (isBounded && ++counted > MAX_ENTRIES_COUNTED) return;
      const { name } = entry;
      if (name.startsWith('.')) continue;
      const path = prefix + name;
      if (entry.isDirectory()) {
        const own = isDependency(name) ? 'vendored' : asideReasonOf(name, `${above}/${prefix}`);
        if (own !== undefined && isAsked(path)) visit(path, depth + 1, undefined);
        else if (!isDependency(name)) visit(path, depth + 1, reason ?? own);
      } else if (entry.isSymbolicLink()) continue;
      else if (wants(path, entry.isFile())) {
        if (!entry.isFile()) throw notAFile(join(root, path));
        if (reason === undefined) files.push(path);
        else aside.push({ path, reason });
        if (files.length + aside.length > MAX_FILES)
          throw new DragomanError('limit_exceeded', `too many files below ${root}`);
      } else if (entry.isFile() && name === wanted && reason === undefined && directory !== '') {
        named.push(path);
      }
    }
  };
  visit('', 0, undefined);
  aside.sort((a, b) => (a.path < b.path ? -1 : 1));
  const isCut = counted > MAX_ENTRIES_COUNTED;
  return { files: files.sort(), aside, isCut, nested: nested.sort(), named: named.sort() };
}

/**
 * Whether a directory belongs to the project around it, judged by its relative path. Hidden directories, installed
 * packages, vendored trees and build output do not, and are translated only if a path names them.
 */
export function isSearched(path: string): boolean {
  return path.split(/[\\/]/).every((segment, i, segments) => {
    if (segment === '') return true;
    if (segment.startsWith('.') || isDependency(segment)) return false;
    const reason = asideReasonOf(segment, segments.slice(0, i).join('/'));
    return reason !== 'build_output' && reason !== 'vendored';
  });
}

function isProject(directory: string, entries: readonly Dirent[]): boolean {
  return entries.some(
    (entry) => entry.name === '.git' || (entry.isFile() && isConfigured(directory, entry.name)),
  );
}

/** Directories of libraries, either third-party or the project's own. */
const OF_LIBRARIES = /^(?:libs?|libraries|deps|extern(?:als?)?|contrib|subprojects)$/i;
/** Matches `editor_2.14.1`: projects do not rename their own directories for each version. */
const VERSION = /[-_]v?\d+(?:\.\d+)+$/;
const LICENCE = /^(?:licen[cs]e|copying|l?gpl)\b/i;
/**
 * Returns a test for directories with copies of third-party libraries: those in `libs/` or the like that have a version
 * in their name, or a licence other than the project's and no manifest of the project's vendor.
 */
function makeLibraryReader(root: string): (directory: string, entries: readonly Dirent[]) => boolean {
  const licencesIn = (directory: string, entries: readonly Dirent[]): readonly string[] =>
    entries
      .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
      .flatMap(({ name }) => readHead(join(root, directory, name), 1 << 16)?.text.trim() ?? []);
  let own: { readonly licences: ReadonlySet<string>; readonly names: ReadonlySet<string> } | undefined;
  return (directory, entries) => {
    const [name = '', holder = ''] = directory.split('/').reverse();
    if (!OF_LIBRARIES.test(holder)) return false;
    if (VERSION.test(name)) return true;
    const licences = licencesIn(directory, entries);
    if (licences.length === 0) return false;
    if (!own) {
      const top = list(root, '');
      own = { licences: new Set(licencesIn('', top)), names: new Set(top.map((entry) => entry.name)) };
    }
    const { licences: known, names } = own;
    const isOwnPackage = entries.some(
      (entry) =>
        PACKAGE_MANIFESTS.has(entry.name) &&
        names.has(entry.name) &&
        !areOfTwo(join(root, entry.name), join(root, directory, entry.name)),
    );
    return known.size > 0 && !isOwnPackage && !licences.some((text) => known.has(text));
  };
}

/** The vendor in the name of a package: `nesbot/carbon`, `@acme/ui`. */
const VENDOR = /"name"\s*:\s*"@?([^"/]+)\//;

/** Whether two manifests name different vendors. */
function areOfTwo(...paths: readonly [string, string]): boolean {
  const [own, other] = paths.map((path) => VENDOR.exec(readHead(path, 1 << 16)?.text ?? '')?.[1]);
  return own !== undefined && other !== undefined && own !== other;
}

/** The error for a FIFO, socket or device with the name of a localization file. */
function notAFile(path: string): DragomanError {
  return new DragomanError('not_a_file', `cannot read ${path}: it is not a regular file`, {
    hint: 'Remove it, or put a regular file in its place.',
  });
}

function list(root: string, directory: string): Dirent[] {
  try {
    return listAt(join(root, directory));
  } catch (error) {
    // An unreadable directory counts as empty, except for the requested one.
    if (directory !== '') return [];
    throw systemError('unreadable_input', `list ${root}`, error);
  }
}
