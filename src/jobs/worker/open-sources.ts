import { stat } from 'node:fs/promises';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { openNamed } from './inspect-file.ts';
import { messageKeys } from '../../documents/localization/pairing.ts';
import type { TranslateTask } from './tasks.ts';

export interface OpenSource {
  readonly file: OpenFile;
  readonly totalKeys: number;
}

/** The total size of source files that stay open. A single larger file may stay open alone. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The source files that a worker read last, kept so that the next language of a file does not read it again. Job files
 * never change.
 */
export class OpenSources {
  readonly #open = new Map<string, OpenSource & { readonly bytes: number }>();

  async open(source: TranslateTask['source']): Promise<OpenSource> {
    const known = this.#open.get(source.path);
    if (known) {
      this.#open.delete(source.path);
      this.#open.set(source.path, known);
      return known;
    }
    const { size } = await stat(source.path);
    // Makes room first: memory is limited to one large file.
    this.#makeRoom(size);
    const file = await openNamed(source);
    const opened = { file, totalKeys: messageKeys(file.document).size, bytes: size };
    this.#open.set(source.path, opened);
    return opened;
  }

  #makeRoom(bytes: number): void {
    let total = bytes;
    for (const { bytes } of this.#open.values()) total += bytes;
    for (const [path, { bytes }] of this.#open) {
      if (total <= MAX_BYTES) return;
      this.#open.delete(path);
      total -= bytes;
    }
  }
}
