import { join } from 'node:path';
import { DragomanError } from '../base/errors.ts';
import { typeAt } from '../base/file-facts.ts';
import { nameOf } from './comparison.ts';
import { requirePlainRules } from './plain-files.ts';
import type { Repository } from './repository.ts';

/** The commit that last changed a line of a file. */
export interface LineOrigin {
  readonly id: string;
  /** The author's name, without the address. */
  readonly author: string;
  /** ISO 8601, in UTC; undefined if git's time is not valid. */
  readonly time: string | undefined;
}

/**
 * The origins of the lines of a file in HEAD, by their text. Lines older than a shallow clone's history are omitted,
 * because their commits are unknown.
 *
 * @param path absolute
 * @throws GitFailure if HEAD has no such file; DragomanError `limit_exceeded`, `interrupted`
 */
export async function lineOrigins(
  { top, git }: Repository,
  path: string,
): Promise<ReadonlyMap<string, LineOrigin>> {
  const name = nameOf(top, path);
  requirePlainRules(top, [name]);
  // Git reads this file from the work tree, even if it is a FIFO.
  const names = join(top, '.mailmap');
  if (typeAt(names) === 'other') throw new DragomanError('usage', `${names} is not a regular file`);
  const isShallow = (await git(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  // Disables conversion programs and lists of commits to ignore, which the configuration can name.
  const plain = ['--no-textconv', '--ignore-revs-file='];
  const output = await git(['blame', '--porcelain', ...plain, 'HEAD', '--', name]);
  const commits = new Map<string, LineOrigin>();
  const oldest = new Set<string>();
  const origins = new Map<string, LineOrigin>();
  let id = '';
  for (const line of output.split('\n')) {
    const [word = '', ...rest] = line.split(' ');
    const known = commits.get(id);
    if (line.startsWith('\t')) {
      if (known && !(isShallow && oldest.has(id))) origins.set(line.slice(1).replace(/\r$/, ''), known);
    } else if (/^[\da-f]{40,64}$/.test(word)) {
      id = word;
      if (!commits.has(id)) commits.set(id, { id, author: '', time: undefined });
    } else if (known && word === 'author') commits.set(id, { ...known, author: rest.join(' ') });
    else if (known && word === 'author-time') commits.set(id, { ...known, time: timeOf(Number(rest[0])) });
    else if (word === 'boundary') oldest.add(id);
  }
  return origins;
}

/** @param seconds since 1970; a commit may have any number */
function timeOf(seconds: number): string | undefined {
  const time = new Date(seconds * 1_000);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace('.000Z', 'Z');
}
