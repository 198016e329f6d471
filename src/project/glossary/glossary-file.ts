import { stat } from 'node:fs/promises';
import { DragomanError } from '../../base/errors.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { entryAt } from '../../base/file-facts.ts';
import { requireUnreserved } from '../../base/inside.ts';
import { loadGlossary, readGlossaryText } from './glossary.ts';
import type { NewTerm } from './term-insertion.ts';

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

  /**
   * Adds a term to the file; all other bytes stay. Does nothing if the glossary has it. The caller holds the lock of the
   * project.
   *
   * @param root of the project, which the file must not be outside of
   * @throws DragomanError with the reason: as `insertTerm` and `loadGlossary`, `configuration` without a file,
   * `unwritable_output`. The file is as it was
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
