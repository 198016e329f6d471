import { stat } from 'node:fs/promises';
import { DragomanError } from '../../base/errors.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { entryAt } from '../../base/file-facts.ts';
import { requireUnreserved } from '../../base/inside.ts';
import { loadGlossary, readGlossaryText } from './glossary.ts';
import type { NewTerm } from './term-insertion.ts';

/** A project's glossary file, which may change during use. Keeps no handle open. */
export class GlossaryFile {
  readonly path: string;
  readonly #inside: string | undefined;
  #stamp = '';
  #glossary: Glossary | undefined;

  /**
   * @param path absolute; the file need not exist
   * @param inside see `loadGlossary`
   */
  constructor(path: string, inside?: string) {
    this.path = path;
    this.#inside = inside;
  }

  /**
   * Undefined if the file is missing. While it is unreadable, for example half-saved, returns the last readable terms.
   */
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

  /**
   * Adds a term to the file; no other byte changes. Does nothing if the glossary has the term. The caller holds the
   * project's lock.
   *
   * @param root the project's root, which must contain the file
   * @throws DragomanError with the reason: like `insertTerm` and `loadGlossary`, `configuration` without a file,
   * `unwritable_output`. The file is then unchanged.
   */
  async add(wanted: NewTerm, root: string): Promise<void> {
    requireUnreserved(root, this.path, 'unwritable_output');
    if (entryAt(this.path) === undefined)
      throw new DragomanError('configuration', `the project has no glossary: ${this.path} does not exist`, {
        hint: `Create it. The first line of a CSV file is \`term,${wanted.locale}\`.`,
      });
    const before = await readGlossaryText(this.path, root);
    const { insertTerm } = await import('./term-insertion.ts');
    const after = await insertTerm(this.path, before, wanted);
    if (after !== before) await writeAtomically(this.path, after);
  }
}
