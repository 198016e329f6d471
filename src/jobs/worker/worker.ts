import { join } from 'node:path';
import { EngineProxy } from '../../engines/host.ts';
import { serveCalls } from '../../workers/serve.ts';
import { inspectFile } from './inspect-file.ts';
import { OpenSources } from './open-sources.ts';
import type { FileProtocol, TranslateTask, Translation } from './tasks.ts';
import type { Engine } from '../../engines/engine.ts';
import { spellInFile } from '../../formats/registry.ts';
import type { Document } from '../../formats/format.ts';
import { keyId, messageKeys } from '../../documents/localization/pairing.ts';
import { translateFile, type FailedKey } from '../../documents/localization/translate-file.ts';
import type { TranslationResources } from '../../pipeline/unit.ts';
import { askEngine, WorkerResources } from '../../resources/worker-resources.ts';
import { writeSynced } from '../job-files.ts';
import { packKeys } from '../key-set.ts';

/** Never aborts: a stopped unit still reports its progress, because engine answers are paid for. */
const NEVER = new AbortController().signal;

/** The job worker, which keeps a source open for the next language. */
serveCalls<FileProtocol>(({ engine, shared }) => {
  const sources = new OpenSources();
  const resources = new WorkerResources(shared);
  return async (task, { signal, note, ask }) => {
    if (task.kind === 'inspect') return inspectFile(task);
    const onProgress = (done: number, total: number): void => note({ done, total });
    return translateUnit(task, {
      engine: new EngineProxy(engine, askEngine(ask)),
      resources: await resources.of(task.own, ask),
      sources,
      signal,
      onProgress,
    });
  };
});

interface UnitTask {
  readonly engine: Engine;
  readonly resources: TranslationResources;
  readonly sources: OpenSources;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Translates a file into one language exactly as `dragoman i18n` does, and writes the result.
 *
 * @throws DragomanError of `translateFile`.
 */
async function translateUnit(
  { source, target, directory, fileId }: TranslateTask,
  { engine, resources, sources, signal, onProgress }: UnitTask,
): Promise<Translation> {
  const { file, totalKeys } = await sources.open(source);
  const result = await translateFile(
    file,
    { locale: target, spelling: spellInFile(target, file.format) },
    { ...resources, engine, source: source.language, signal: NEVER, stop: signal, onProgress },
  );
  const failed = placesOf(result.failed, file.document);
  const translatedKeys = totalKeys - failed.size;
  const isFile = !result.isStopped && (totalKeys === 0 || translatedKeys > 0);
  if (isFile) await writeSynced(join(directory, fileId), result.bytes);
  return {
    totalKeys,
    translatedKeys,
    failedKeys: packKeys(failed, totalKeys),
    reason: result.failed[0]?.reason ?? null,
    isStopped: result.isStopped,
    size: isFile ? result.bytes.length : undefined,
  };
}

/** The positions of the failed keys. The keys of the whole file are not kept: they take as much memory as the file. */
function placesOf(failed: readonly FailedKey[], document: Document): ReadonlySet<number> {
  const places = new Set<number>();
  if (failed.length === 0) return places;
  const keys = messageKeys(document);
  for (const { message } of failed) {
    const place = keys.get(keyId(message));
    if (place !== undefined) places.add(place);
  }
  return places;
}
