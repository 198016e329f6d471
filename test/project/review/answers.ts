import {
  saveAnswers,
  type RowAnswer,
  type SavedAnswer,
  type SaveOptions,
} from '../../../src/project/review/save.ts';
import { readRows } from '../../../src/project/review/project-rows.ts';
import type { TextRow } from '../../../src/project/review/row.ts';
import type { ProjectOptions } from '../../../src/project/state/project.ts';
import type { ProjectDirectory } from '../project-directory.ts';

const LANGUAGES: ProjectOptions = { source: 'en', targets: ['es'] };

function settingsOf({ cache, state }: ProjectDirectory) {
  return {
    signal: new AbortController().signal,
    version: 'test',
    cacheDirectory: cache,
    stateDirectory: state,
  };
}

/** The rows of a project by name. */
export async function rowsOf(
  directory: ProjectDirectory,
  options = LANGUAGES,
): Promise<ReadonlyMap<string, TextRow>> {
  const rows = new Map<string, TextRow>();
  for await (const file of readRows(await directory.open(options), settingsOf(directory))) {
    if (file.error) throw file.error;
    for (const row of file.rows) rows.set(row.name, row);
  }
  return rows;
}

/** An answer to a row in its current state. */
export function answerTo(row: TextRow | undefined, answer: Partial<RowAnswer>): RowAnswer {
  if (!row) throw new Error('no such row');
  return {
    id: row.id,
    sourceHashes: row.forms.map(({ sourceHash }) => sourceHash),
    bases: row.forms.map(({ base }) => base),
    ...answer,
  };
}

export async function save(
  directory: ProjectDirectory,
  answers: readonly RowAnswer[],
  options: Partial<SaveOptions> & ProjectOptions = {},
): Promise<readonly SavedAnswer[]> {
  const { source, targets, ...rest } = { ...LANGUAGES, ...options };
  const project = await directory.open({ source, targets });
  return saveAnswers(project, answers, { by: 'person', ...settingsOf(directory), ...rest });
}
