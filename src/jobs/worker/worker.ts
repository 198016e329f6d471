import { join } from 'node:path';
import { EngineProxy } from '../../engines/host.ts';
import { serveCalls } from '../../workers/serve.ts';
import { inspectFile } from './inspect-file.ts';
import { OpenSources } from './open-sources.ts';
import type { FileProtocol, TranslateTask, Translation } from './tasks.ts';
import type { Engine } from '../../engines/engine.ts';
import { spellInFile } from '../../formats/registry.ts';
import { keyId } from '../../documents/localization/pairing.ts';
import { translateFile } from '../../documents/localization/translate-file.ts';
import type { TranslationResources } from '../../pipeline/unit.ts';
import { askEngine, WorkerResources } from '../../resources/worker-resources.ts';
import { writeSynced } from '../job-files.ts';
import { packKeys } from '../key-set.ts';

/** The worker of the jobs: it keeps the source that it has open for the next language. */
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
  const { file, keys } = await sources.open(source);
  const result = await translateFile(
    file,
    { locale: target, spelling: spellInFile(target, file.format.id) },
    { ...resources, engine, source: source.language, signal, onProgress },
  );
  const failed = new Set<number>();
  for (const { message } of result.failed) {
    const place = keys.get(keyId(message));
    if (place !== undefined) failed.add(place);
  }
  const translatedKeys = keys.size - failed.size;
  const isFile = keys.size === 0 || translatedKeys > 0;
  if (isFile) await writeSynced(join(directory, fileId), result.bytes);
  return {
    totalKeys: keys.size,
    translatedKeys,
    failedKeys: packKeys(failed, keys.size),
    reason: result.failed[0]?.reason ?? null,
    size: isFile ? result.bytes.length : undefined,
  };
}
