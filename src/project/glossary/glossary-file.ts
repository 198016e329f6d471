import { stat } from 'node:fs/promises';
import { DragomanError } from '../../base/errors.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { loadGlossary } from './glossary.ts';

/** The glossary of a project in a file that may change while it is used. Holds no handle. */
export class GlossaryFile {
  readonly path: string;
  readonly #inside: string | undefined;
  #stamp = '';
  #glossary: Glossary | undefined;

  /**
   * @param path absolute; the file need not exist
   * @param inside as `loadGlossary`
   */
  constructor(path: string, inside?: string) {
    this.path = path;
    this.#inside = inside;
  }

  /** Undefined without a file. Of one that cannot be read, as while somebody edits it, the last terms that could. */
  async read(): Promise<Glossary | undefined> {
    const info = await stat(this.path, { bigint: true }).catch(() => undefined);
    const stamp = info ? `${info.mtimeNs} ${info.ctimeNs} ${info.size} ${info.ino}` : '';
    if (stamp === this.#stamp) return this.#glossary;
    try {
      this.#glossary = info && (await loadGlossary(this.path, this.#inside));
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
    }
    this.#stamp = stamp;
    return this.#glossary;
  }
}
