import { nameOf } from './comparison.ts';
import type { Repository } from './repository.ts';

/** How far back a search for versions of a file goes. */
export interface HistoryBounds {
  /** The number of commits that changed the file. */
  readonly commits: number;
  /** The size of all versions together. */
  readonly bytes: number;
}

/** Versions read by one git process. */
const AT_ONCE = 8;

/**
 * The contents that a file had under its present name in the commits of HEAD's history, newest first, without
 * duplicates. Git only reads objects: no filter or attribute of the checkout applies.
 *
 * @param path absolute
 * @throws GitFailure, for example without a commit; DragomanError `limit_exceeded`, `interrupted`
 */
export async function* versionsOf(
  { top, git }: Repository,
  path: string,
  { commits, bytes }: HistoryBounds,
): AsyncGenerator<Buffer> {
  const name = nameOf(top, path);
  // Each line of git's input names one object.
  if (name.includes('\n')) return;
  const list = await git(['--literal-pathspecs', 'rev-list', `--max-count=${commits}`, 'HEAD', '--', name]);
  const objects = linesOf(list).map((commit) => `${commit}:${name}`);
  if (objects.length === 0) return;
  const blobs = new Set<string>();
  let left = bytes;
  // `ID blob SIZE`; `NAME missing` if a commit removed the file or a partial clone lacks it.
  for (const line of linesOf(await git(['cat-file', '--batch-check'], `${objects.join('\n')}\n`))) {
    const [, id, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(line) ?? [];
    if (id === undefined || blobs.has(id)) continue;
    left -= Number(size);
    if (left < 0) break;
    blobs.add(id);
  }
  const ids = [...blobs];
  for (let at = 0; at < ids.length; at += AT_ONCE)
    yield* contentsIn(
      await git(['cat-file', '--batch'], `${ids.slice(at, at + AT_ONCE).join('\n')}\n`, 'latin1'),
    );
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Each content follows a line `ID blob SIZE` and ends with a line feed. */
function* contentsIn(output: string): Generator<Buffer> {
  for (let at = 0; at < output.length;) {
    const start = output.indexOf('\n', at) + 1;
    const size = Number(/ blob (\d+)$/.exec(output.slice(at, start - 1))?.[1] ?? NaN);
    if (start === 0 || Number.isNaN(size)) return;
    yield Buffer.from(output.slice(start, start + size), 'latin1');
    at = start + size + 1;
  }
}
