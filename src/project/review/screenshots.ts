import { join } from 'node:path';
import { readBounded } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { entriesAt } from '../../base/file-facts.ts';
import { requireInside, reservedSegment } from '../../base/inside.ts';

/** A picture with its content. */
export interface Picture {
  readonly type: PictureType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** Limits for a folder, which may come from an attacker. Further pictures are ignored. */
const MOST = { files: 5_000, directories: 2_000, entries: 50_000 };
const MOST_LEVELS = 8;
/** How many pictures a row shows. */
const MOST_SHOWN = 4;
const MAX_BYTES = 5_000_000;
/** Milliseconds before the folder is listed again. */
const FRESH = 2_000;

/**
 * Pictures in a project's folder that show where texts are used. A picture belongs to the keys that start with its path
 * below the folder: `menu.open.png`, `menu/open.webp` and `menu/open@dark.png` to `menu.open`, `menu.png` to all of
 * `menu`. Links are not followed. Keeps no handles open.
 */
export class Screenshots {
  readonly #root: string;
  readonly #folder: string;
  readonly #most: typeof MOST;
  #listed = -Infinity;
  #names: ReadonlyMap<string, readonly string[]> = new Map();

  /** @param folder absolute; @param root the directory that it must not leave */
  constructor(folder: string, root: string, most = MOST) {
    this.#folder = folder;
    this.#root = root;
    this.#most = most;
  }

  /** Paths relative to the folder, closest to the key first; at most 4. */
  namesFor(key: string): readonly string[] {
    const names = this.#list();
    const found: string[] = [];
    for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1))
      found.push(...(names.get(key.slice(0, end)) ?? []));
    return found.slice(0, MOST_SHOWN);
  }

  /**
   * A listed picture of at most 5 MB whose bytes are PNG, JPEG or WebP; undefined for anything else, even with the name
   * of a picture.
   */
  async read(name: string): Promise<Picture | undefined> {
    if (![...this.#list().values()].some((names) => names.includes(name))) return undefined;
    try {
      const path = join(this.#folder, name);
      const bytes = await readBounded(path, { limit: MAX_BYTES, inside: this.#root });
      const type = typeOf(bytes);
      return type && { type, bytes: Uint8Array.from(bytes) };
    } catch (error) {
      if (error instanceof DragomanError) return undefined;
      throw error;
    }
  }

  #list(): ReadonlyMap<string, readonly string[]> {
    if (performance.now() - this.#listed < FRESH) return this.#names;
    const names = new Map<string, string[]>();
    for (const name of this.#files()) {
      const key = name.replace(/(?:@[^/]*)?\.[^./]*$/, '').replaceAll('/', '.');
      names.set(key, [...(names.get(key) ?? []), name]);
    }
    this.#names = names;
    // Set after the walk, because a slow one would otherwise be repeated for every row.
    this.#listed = performance.now();
    return names;
  }

  #files(): readonly string[] {
    const files: string[] = [];
    try {
      requireInside(this.#root, this.#folder, 'configuration');
    } catch (error) {
      if (error instanceof DragomanError) return files;
      throw error;
    }
    const waiting = [''];
    let { directories, entries } = this.#most;
    for (let at = waiting.shift(); at !== undefined && directories > 0; at = waiting.shift()) {
      directories--;
      for (const entry of readableEntries(join(this.#folder, at))) {
        if (entries === 0 || files.length === this.#most.files) return files.sort();
        entries--;
        const name = at === '' ? entry.name : `${at}/${entry.name}`;
        if (reservedSegment(entry.name) !== undefined) continue;
        if (entry.isDirectory() && name.split('/').length < MOST_LEVELS) waiting.push(name);
        if (entry.isFile() && /\.(?:png|jpe?g|webp)$/i.test(name)) files.push(name);
      }
    }
    return files.sort();
  }
}

/** The entries of a directory until reading fails. */
function* readableEntries(directory: string): ReturnType<typeof entriesAt> {
  try {
    yield* entriesAt(directory);
  } catch {
    // The directory is not readable or no longer exists.
  }
}

function typeOf(bytes: Buffer): PictureType | undefined {
  const head = bytes.subarray(0, 12).toString('latin1');
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : undefined;
}
