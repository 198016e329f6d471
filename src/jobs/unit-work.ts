import { randomUUID } from 'node:crypto';
import { DragomanError } from '../base/errors.ts';
import { interrupted } from '../base/interruption.ts';
import type { AccountResources } from '../resources/account-resources.ts';
import type { ClaimedUnit, UnitEnd } from '../store/store.ts';
import { WorkerLost } from '../workers/peer.ts';
import type { JobFiles } from './job-files.ts';
import { packKeys } from './key-set.ts';
import type { JobLog } from './log.ts';
import { workerLostError, type FileWorker, type TaskOptions } from './worker/file-worker.ts';
import type { Translation, TranslateTask } from './worker/tasks.ts';

/**
 * If the server was killed this many times while it ran a unit, the unit is probably the cause. Switching a
 * machine off now and then causes far fewer starts; lost workers are counted separately.
 */
const MAX_ATTEMPTS = 20;

/** A unit that was aborted before its end. */
export class StoppedUnit extends DragomanError {
  /** The number of keys to charge, even if another process continues the unit. */
  readonly translatedKeys: number;

  constructor(translatedKeys: number) {
    super('interrupted', 'the translation was interrupted');
    this.translatedKeys = translatedKeys;
  }
}

export interface UnitTask extends TaskOptions {
  /** Whether this process still holds the unit: its job may have been deleted. */
  readonly isOurs: () => Promise<boolean>;
}

export interface UnitTools {
  readonly log: JobLog;
  readonly files: JobFiles;
  /** Default: no account resources. */
  readonly resources?: Pick<AccountResources, 'own'> | undefined;
  /** Whether translation into this language should fail, to simulate failures. */
  readonly failsLanguage: (code: string) => boolean;
}

/**
 * Translates a unit in a worker. If the worker dies, tries once more in a fresh one. Every failure ends the unit,
 * except one after this process lost the unit: a deletion also removes the files that the worker reads and writes.
 *
 * @throws DragomanError `interrupted` if the signal aborts, as {@link StoppedUnit} if its progress is known, or if the
 * unit fails after this process lost it; `unwritable_output` and `store_unavailable` if the result cannot be stored
 */
export async function workOffUnit(
  unit: ClaimedUnit,
  worker: FileWorker,
  options: UnitTask,
  tools: UnitTools,
): Promise<UnitEnd> {
  const { failsLanguage, log } = tools;
  if (unit.attempts > MAX_ATTEMPTS) return failedUnit(unit, 'its worker process ended in each attempt');
  if (failsLanguage(unit.language))
    return failedUnit(unit, `--fault requested a failure of ${unit.language}`);
  const attempt = (): Promise<UnitEnd> => translate(unit, worker, options, tools);
  try {
    return await attempt().catch(async (error: unknown) => {
      if (!(error instanceof WorkerLost)) throw error;
      await options.answers?.restart();
      return attempt();
    });
  } catch (error) {
    const code = error instanceof DragomanError ? error.code : 'internal';
    if (code === 'interrupted' || code === 'unwritable_output' || code === 'store_unavailable') throw error;
    if (!(await options.isOurs())) throw interrupted();
    if (error instanceof WorkerLost)
      return failedUnit(unit, workerLostError('translating the file', error).message);
    if (error instanceof DragomanError && code !== 'internal') return failedUnit(unit, error.message);
    log.error({ err: error, job: unit.jobId, language: unit.language }, 'a file could not be translated');
    return failedUnit(unit, 'internal error');
  }
}

async function translate(
  unit: ClaimedUnit,
  worker: FileWorker,
  options: TaskOptions,
  { files, resources }: UnitTools,
): Promise<UnitEnd> {
  const own = await resources?.own(unit.accountId);
  // A unique name: no other task in any process ever writes this file.
  const fileId = randomUUID();
  const path = await files.borrowSource(unit.jobId);
  try {
    const task = taskOf(unit, path, { own, directory: files.directoryOf(unit.jobId), fileId });
    const translation = await worker.run(task, options);
    if (translation.isStopped) throw new StoppedUnit(translation.translatedKeys);
    const end = toEnd(translation, fileId);
    if (end.file) await files.keep(unit.jobId, fileId);
    return end;
  } catch (error) {
    // Files that cannot be removed now are removed by a sweep.
    await files.removeFile(unit.jobId, fileId).catch(() => undefined);
    throw error;
  } finally {
    files.returnSource(unit.jobId);
  }
}

function taskOf(
  unit: ClaimedUnit,
  path: string,
  rest: Pick<TranslateTask, 'own' | 'directory' | 'fileId'>,
): TranslateTask {
  return {
    kind: 'translate',
    source: {
      path,
      format: unit.fileType,
      filename: unit.filename,
      language: unit.sourceLanguage,
    },
    target: unit.language,
    ...rest,
  };
}

function toEnd({ translatedKeys, failedKeys, reason, size }: Translation, id: string): UnitEnd {
  return {
    translatedKeys,
    failedKeys,
    errorMessage: reason,
    file: size === undefined ? undefined : { id, size },
  };
}

function failedUnit({ totalKeys }: ClaimedUnit, errorMessage: string): UnitEnd {
  const failedKeys = packKeys(Array(totalKeys).keys(), totalKeys);
  return { translatedKeys: 0, failedKeys, errorMessage, file: undefined };
}
