import { readFile, stat } from 'node:fs/promises';
import { digestOf } from '../base/digest.ts';

interface Seen {
  /** Time, size and inode; undefined if the content must be read. */
  stamp: string | undefined;
  digest: string;
}

/** Larger files are compared by time and size only. */
const MAX_BYTES = 64 * 1024 * 1024;

const ABSENT = 'absent';

/** Detects which files others have changed. Keeps no handles open. */
export class WatchedFiles {
  readonly #seen = new Map<string, Seen>();

  /** Starts watching a file, unless it is already watched. @param path absolute */
  async watch(path: string): Promise<void> {
    if (!this.#seen.has(path)) this.#seen.set(path, await look(path));
  }

  /** Records our own change. If the file had changed before that, it still counts as changed by others. */
  noteWritten(path: string, before: Uint8Array | string | undefined, after: Uint8Array | string): void {
    const seen = this.#seen.get(path);
    const known = before === undefined ? ABSENT : digestOf(before);
    if (seen?.digest === known) this.#seen.set(path, { stamp: undefined, digest: digestOf(after) });
  }

  /** The files whose content has changed since the last call. */
  async changed(): Promise<ReadonlySet<string>> {
    const changed = new Set<string>();
    for (const [path, { stamp, digest }] of this.#seen) {
      if (stamp !== undefined && stamp === (await stampOf(path))) continue;
      const now = await look(path);
      if (now.digest !== digest) changed.add(path);
      this.#seen.set(path, now);
    }
    return changed;
  }
}

async function look(path: string): Promise<Seen> {
  const stamp = await stampOf(path);
  if (stamp === ABSENT || stamp.startsWith('large ')) return { stamp, digest: stamp };
  const bytes = await readFile(path).catch(() => undefined);
  return { stamp, digest: bytes ? digestOf(bytes) : ABSENT };
}

async function stampOf(path: string): Promise<string> {
  const info = await stat(path, { bigint: true }).catch(() => undefined);
  if (!info?.isFile()) return ABSENT;
  const stamp = `${info.mtimeNs} ${info.ctimeNs} ${info.size} ${info.ino}`;
  return info.size > MAX_BYTES ? `large ${stamp}` : stamp;
}
