import { join } from 'node:path';
import type { Engine } from '../../engines/engine.ts';
import { spellInFile } from '../../formats/registry.ts';
import { keyId } from '../../documents/localization/pairing.ts';
import { translateFile } from '../../documents/localization/translate-file.ts';
import { writeSynced } from '../job-files.ts';
import { packKeys } from '../key-set.ts';
import type { Translation, TranslateTask } from './tasks.ts';
import type { OpenSources } from './open-sources.ts';

export interface UnitContext {
  readonly engine: Engine;
  readonly sources: OpenSources;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Translates a file into one language exactly as `dragoman i18n` does, and writes the result.
 *
 * @throws DragomanError of `translateFile`.
 */
export async function translateUnit(
  { source, target, directory, fileId }: TranslateTask,
  { engine, sources, signal, onProgress }: UnitContext,
): Promise<Translation> {
  const { file, keys } = await sources.open(source);
  const result = await translateFile(
    file,
    { locale: target, spelling: spellInFile(target, file.format.id) },
    { engine, source: source.language, signal, onProgress },
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
