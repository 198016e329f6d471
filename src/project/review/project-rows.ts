import type { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { beginRun, openWorkspace, type WorkspaceOptions } from '../plan/open-workspace.ts';
import type { Survey } from '../plan/survey.ts';
import { type Project, resourcesOf } from '../state/project.ts';
import type { TextRow } from './row.ts';
import { rowKeys, rowMaker } from './text-row.ts';

export interface RowsOptions extends WorkspaceOptions {
  readonly signal: AbortSignal;
  /** Canonical. Default: all targets of the project. */
  readonly locales?: readonly string[] | undefined;
  /** Selects the files to read. Default: all. */
  readonly includes?: ((place: FilePlace) => boolean) | undefined;
}

/** A file in one language. */
export interface FilePlace {
  /** The source file, relative to the root. */
  readonly source: string;
  /** Relative to the root. */
  readonly target: string;
  readonly locale: string;
}

/** The rows of a file in one language. */
export interface FileRows extends FilePlace {
  /** Created during iteration, in the order of the source. */
  readonly rows: Iterable<TextRow>;
  /** Why the file is unreadable, in which case it has no rows. */
  readonly error?: DragomanError | undefined;
}

/**
 * The texts of a project, file by file within each language. Only reads. Iterate over the rows before requesting the
 * next file.
 *
 * @throws DragomanError `configuration` for an unusable lock, `interrupted`
 */
export async function* readRows(project: Project, options: RowsOptions): AsyncGenerator<FileRows> {
  const { signal, locales = project.targets, includes = () => true } = options;
  const { workspace } = await openWorkspace(project, await beginRun(project, { ...options, force: true }));
  for (const locale of locales) {
    for (const resource of resourcesOf(project, locale)) {
      throwIfAborted(signal, 'interrupted while the texts were read');
      const place = { source: resource.source, target: resource.targetPath(locale), locale };
      if (!includes(place)) continue;
      const compared = await workspace.compare(resource, locale);
      if (compared.kind === 'unreadable') yield { ...place, rows: [], error: compared.error };
      if (compared.kind === 'compared') yield { ...place, rows: rowsOf(compared.survey) };
    }
    workspace.release(locale);
  }
}

function* rowsOf(survey: Survey): Generator<TextRow> {
  const rowOf = rowMaker(survey);
  for (const keys of rowKeys(survey)) yield rowOf(keys);
}
