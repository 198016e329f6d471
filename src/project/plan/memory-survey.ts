import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfAborted } from '../../base/interruption.ts';
import type { SimilarTranslation } from '../../engines/engine.ts';
import { positionsIn } from '../../base/span.ts';
import { memoryMessageOf } from '../../pipeline/memory-message.ts';
import type { TranslationMemory } from '../../pipeline/memory.ts';
import { lookUpUnits, type LookupContext } from '../../pipeline/memory-lookup.ts';
import type { Unit } from '../../pipeline/unit.ts';
import { parseMessage } from '../../text/message.ts';
import type { PlannedKey } from './plan.ts';
import type { MemoryCoverage, SimilarKey } from './report.ts';
import { unitOf } from './wanted-key.ts';
import type { Survey } from './workspace.ts';

export interface MemorySurvey extends LookupContext {
  readonly memory: TranslationMemory;
  /** The files of one language in which something is to be done, each with the keys that are to be translated. */
  readonly files: ReadonlyMap<Survey, readonly PlannedKey[]>;
  /** Also looks for translations of similar texts, which takes its time. */
  readonly similar: boolean;
  readonly signal: AbortSignal;
}

/** What the translation memory has of the keys that a sync would translate. @throws DragomanError `interrupted`. */
export async function surveyMemory(survey: MemorySurvey): Promise<MemoryCoverage> {
  let exact = 0;
  const similar: SimilarKey[] = [];
  for (const [file, keys] of survey.files) {
    const units = keys.map((key) => unitOf({ key }));
    const known = await lookUpUnits(units, survey);
    const positionOf = positionsIn(file.source.document.text);
    for (const [i, key] of keys.entries()) {
      if (known[i]) exact++;
      if (known[i] || !survey.similar) continue;
      // A memory answers without leaving this turn of the event loop: an interruption would never be heard.
      await nextTurn();
      throwIfAborted(survey.signal, 'interrupted while it looked for similar texts');
      const [found] = await findSimilar(units[i], survey);
      if (!found) continue;
      const place = { file: file.sourcePath, ...positionOf(key.sourceOffset) };
      similar.push({ ...place, key: key.key, text: key.text, ...found });
    }
  }
  return survey.similar ? { exact, similar } : { exact };
}

async function findSimilar(
  unit: Unit | undefined,
  { memory, source, target }: MemorySurvey,
): Promise<readonly SimilarTranslation[]> {
  const message = unit && memoryMessageOf(parseMessage(unit.value, unit.syntax), unit.context, target);
  return message ? memory.findSimilar(message, { source, target }, { most: 1 }) : [];
}
