import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isMissing, readBoundedSync } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import { entryAt, realPathAt } from '../base/file-facts.ts';
import { isInside } from '../base/inside.ts';
import { requirePlainRules } from './plain-files.ts';
import { GitFailure } from './program.ts';
import type { Repository } from './repository.ts';

/** The result of comparing a file with its version in a commit. Some cases need git to decide. */
type Verdict =
  | 'same'
  | 'changed'
  /** The commit lacks the file. Counts as changed unless git ignores it. */
  | 'new'
  /** Only the commit has the file. A sparse checkout may have left it out. */
  | 'missing'
  /** The file has CRLF where the commit has LF: git may have converted it. */
  | 'converted';

/** Larger files count as changed. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Finds unchanged files by hashing their bytes here and comparing them with the commit. Git itself would run filters
 * that a checkout configures, and trust the times in its index. A file converted by a filter or `working-tree-encoding`
 * therefore counts as changed, which is safe.
 *
 * @param commit the id of a commit
 * @param paths absolute
 * @returns the unchanged paths; never one outside the work tree
 * @throws DragomanError `usage` if the clone lacks a part of the commit's tree
 */
export async function unchangedPaths(
  repository: Repository,
  commit: string,
  paths: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const { top } = repository;
  const unchanged = new Set<string>();
  const byVerdict: Record<'new' | 'missing' | 'converted', Map<string, string>> = {
    new: new Map(),
    missing: new Map(),
    converted: new Map(),
  };
  const comparison = new Comparison(top, await listTree(repository, commit));
  for (const path of new Set(paths)) {
    if (!isInside(top, path)) {
      unchanged.add(path);
      continue;
    }
    const { verdict, name } = comparison.compare(nameOf(top, path));
    if (verdict === 'same') unchanged.add(path);
    else if (verdict !== 'changed') byVerdict[verdict].set(path, name);
  }
  const asked = [
    [byVerdict.new, ignoringRules],
    [byVerdict.missing, leftOutNames],
    [byVerdict.converted, convertedNames],
  ] as const;
  for (const [names, ask] of asked) {
    if (names.size === 0) continue;
    requirePlainRules(top, names.values());
    const equal: Pick<ReadonlySet<string>, 'has'> = await ask(repository, [...names.values()]);
    for (const [path, name] of names) if (equal.has(name)) unchanged.add(path);
  }
  return unchanged;
}

/** The text of a file in a commit; empty if the commit does not have the file. */
export async function textInCommit(repository: Repository, commit: string, path: string): Promise<string> {
  return orNothing(() => repository.git(['cat-file', 'blob', `${commit}:${nameOf(repository.top, path)}`]));
}

/** A path in git's notation. */
export function nameOf(top: string, path: string): string {
  return relative(top, path).split(sep).join('/');
}

interface Entry {
  readonly id: string;
  /** A nested repository, such as a submodule. */
  readonly isRepository: boolean;
}

/** All files of a commit by their names. */
async function listTree(repository: Repository, commit: string): Promise<ReadonlyMap<string, Entry>> {
  let list: string;
  try {
    list = await repository.git(['ls-tree', '-r', '-z', '--full-tree', commit]);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw new DragomanError('usage', `git cannot list the files of the commit ${commit}: ${error.reason}`, {
      hint: 'Fetch the whole commit: a partial clone may lack its directories.',
      cause: error,
    });
  }
  const entries = new Map<string, Entry>();
  for (const line of list.split('\0')) {
    // The format is `100644 blob ID`, a tab, and the name, which may contain tabs.
    const tab = line.indexOf('\t');
    const [mode, , id = ''] = line.slice(0, tab).split(' ');
    if (tab > 0) entries.set(line.slice(tab + 1), { id, isRepository: mode === '160000' });
  }
  return entries;
}

/** Files of a work tree compared with those of a commit; names are relative to its top, with slashes. */
class Comparison {
  readonly #top: string;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Whether a name is a symbolic link. */
  readonly #links = new Map<string, boolean>();

  constructor(top: string, entries: ReadonlyMap<string, Entry>) {
    this.#top = top;
    this.#entries = entries;
  }

  /** @returns the verdict, and the file's name with links resolved */
  compare(name: string): { readonly verdict: Verdict; readonly name: string } {
    for (let end = name.indexOf('/'); end !== -1; end = name.indexOf('/', end + 1)) {
      const above = name.slice(0, end);
      if (this.#entries.get(above)?.isRepository === true) return { verdict: 'changed', name };
      if (this.#isLink(above)) return this.#follow(above, name.slice(end + 1));
    }
    return this.#isLink(name) ? this.#follow(name, '') : { verdict: this.#compareFile(name), name };
  }

  #isLink(name: string): boolean {
    const known = this.#links.get(name);
    if (known !== undefined) return known;
    const isLink = entryAt(join(this.#top, name)) === 'link';
    this.#links.set(name, isLink);
    return isLink;
  }

  /** The link's destination may have changed too. */
  #follow(link: string, rest: string): { readonly verdict: Verdict; readonly name: string } {
    const changed = { verdict: 'changed', name: link } as const;
    const path = join(this.#top, link);
    const entry = this.#entries.get(link);
    if (entry === undefined || blobId(readlinkSync(path, 'buffer'), entry.id) !== entry.id) return changed;
    try {
      const real = realPathAt(path);
      return isInside(this.#top, real) ? this.compare(nameOf(this.#top, join(real, rest))) : changed;
    } catch {
      return changed;
    }
  }

  #compareFile(name: string): Verdict {
    const entry = this.#entries.get(name);
    let bytes: Buffer;
    try {
      bytes = readBoundedSync(join(this.#top, name), { limit: MAX_BYTES, refusesLinks: true });
    } catch (error) {
      if (!isMissing(error)) return 'changed';
      return entry === undefined ? 'same' : 'missing';
    }
    if (entry === undefined) return 'new';
    if (blobId(bytes, entry.id) === entry.id) return 'same';
    const normal = normalizeLineEnds(bytes);
    return normal !== undefined && blobId(normal, entry.id) === entry.id ? 'converted' : 'changed';
  }
}

/** The id of these bytes as a blob, with the same algorithm as another id: SHA-1 has 40 digits. */
function blobId(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Replaces CRLF by LF; undefined without CRLF, and for content that git treats as binary. */
function normalizeLineEnds(bytes: Buffer): Buffer | undefined {
  if (!bytes.includes('\r\n') || bytes.includes(0)) return undefined;
  const text = bytes.toString('latin1').replaceAll('\r\n', '\n');
  return text.includes('\r') ? undefined : Buffer.from(text, 'latin1');
}

/**
 * The untracked names that git ignores, each with its rule: `.gitignore:3`.
 *
 * @param names whose directories passed {@link requirePlainRules}
 */
export async function ignoringRules(
  { git }: Repository,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // Git rejects all names if one is invalid, and exits with 1 if it ignores none.
  const list = await orNothing(() => git(['check-ignore', '--verbose', '-z', '--stdin'], names.join('\0')));
  const rules = new Map<string, string>();
  const fields = list.split('\0');
  for (let i = 0; i + 3 < fields.length; i += 4) {
    const [file = '', line = '', pattern = '', name = ''] = fields.slice(i, i + 4);
    // The repository's own rules are read through a temporary link.
    const shown = file.replace(/^\/.*\/info\/exclude$/, '.git/info/exclude');
    if (!pattern.startsWith('!')) rules.set(name, `${shown}:${line}`);
  }
  return rules;
}

/** The names that a sparse checkout excludes. */
async function leftOutNames({ git }: Repository): Promise<ReadonlySet<string>> {
  const list = await orNothing(() => git(['ls-files', '-v', '-z', '--full-name']));
  return new Set(list.split('\0').flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : [])));
}

/** The names of files whose CRLF git would convert to LF on commit. */
async function convertedNames({ git }: Repository, names: readonly string[]): Promise<ReadonlySet<string>> {
  const setting = (await orNothing(() => git(['config', '--get', 'core.autocrlf']))).trim();
  const byDefault = ['true', 'yes', 'on', '1', 'input'].includes(setting.toLowerCase());
  const attributes = ['text', 'crlf', 'eol'] as const;
  const answer = await orNothing(() => git(['check-attr', '-z', '--stdin', ...attributes], names.join('\0')));
  const values = new Map<string, string>();
  const fields = answer.split('\0');
  for (let i = 0; i + 2 < fields.length; i += 3)
    values.set(`${fields[i + 1]} ${fields[i]}`, fields[i + 2] ?? '');
  const valueOf = (attribute: (typeof attributes)[number], name: string): string =>
    values.get(`${attribute} ${name}`) ?? 'unset';
  return new Set(
    names.filter((name) => {
      // `crlf` is the former name of `text`.
      const text = valueOf('text', name) === 'unspecified' ? valueOf('crlf', name) : valueOf('text', name);
      if (text !== 'unspecified') return text !== 'unset';
      return byDefault || ['lf', 'crlf'].includes(valueOf('eol', name));
    }),
  );
}

/** Git's output, or nothing if git refuses the call. */
async function orNothing(call: () => Promise<string>): Promise<string> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof GitFailure) return '';
    throw error;
  }
}
