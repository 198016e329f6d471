import { closing } from '../../base/closing.ts';
import { DragomanError } from '../../base/errors.ts';
import type { SlotId } from '../../documents/localization/pairing.ts';
import { type LineOrigin, lineOrigins } from '../../git/blame.ts';
import { type GitCaller, GitFailure } from '../../git/program.ts';
import { openRepository } from '../../git/repository.ts';
import { type LookupContext, findMakers, readMaker } from '../../pipeline/prepared-unit.ts';
import { isOwnMark, serializeLine } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import type { Provenance } from '../state/provenance.ts';
import { unitOf } from './key-action.ts';
import type { PlannedKey } from './plan.ts';
import { isMissing } from './key-status.ts';
import type { Survey } from './survey.ts';

/** The writer of a translation, according to the lock, the memory and git. */
export interface TracedProvenance extends Provenance {
  /** Undefined if the memory has no such translation of an engine. */
  readonly engine?: string | undefined;
  /** The engine's model, if it was known. */
  readonly model?: string | undefined;
  /**
   * The commit that recorded the translation, or the last decision about it. Undefined if not committed or not found.
   */
  readonly commit?: LineOrigin | undefined;
}

/** The writer of a key's translation according to the lock; undefined without a translation. */
export function writerOf(key: PlannedKey): Provenance | undefined {
  if (isMissing(key) || key.value === undefined) return undefined;
  const { state, record } = key;
  if (state === 'edited') return { by: 'person' };
  if (!record || record.output !== key.output) return { by: 'unknown' };
  const { decision, mark } = record;
  if (isOwnMark(mark))
    return { by: decision?.by === 'agent' ? 'agent' : mark === 'memory' ? 'memory' : 'engine' };
  if (mark !== 'human') return { by: 'unknown' };
  const { by = 'person' } = decision ?? {};
  return by.startsWith('import:') ? { by: 'import', name: by.slice('import:'.length) } : { by: 'person' };
}

/** Finds the writers of the translations of a file in one language. */
export type WriterFinder = (survey: Survey) => Promise<ReadonlyMap<SlotId, TracedProvenance>>;

/**
 * Searches the lock, the memory and git. Unknown facts stay undefined: a missing repository is not an error.
 *
 * @param onTrouble called with the reason why the commits of the lock's lines are unknown
 * @throws DragomanError `interrupted`
 */
export async function writerFinder(
  project: Project,
  { memory, ...caller }: GitCaller & Pick<LookupContext, 'memory'>,
  onTrouble: (reason: string) => void,
): Promise<WriterFinder> {
  const origins = await lockOrigins(project, caller).catch((error: unknown) => {
    const isRefusal = error instanceof DragomanError && error.code !== 'interrupted';
    if (!isRefusal && !(error instanceof GitFailure)) throw error;
    onTrouble(error.message);
    return new Map<string, LineOrigin>();
  });
  return async ({ plan, locale, recordedAs, tags }) => {
    const made = plan.keys.filter((key) => writerOf(key)?.by === 'engine');
    const units = made.map((key) => ({
      ...unitOf({ key }),
      answer: tags?.unlink(key.value ?? '') ?? key.value,
    }));
    const makers = await findMakers(units, { memory, source: project.source, target: locale });
    const makerOf = new Map(made.map(({ id }, i) => [id, makers[i]]));
    const writers = new Map<SlotId, TracedProvenance>();
    for (const key of plan.keys) {
      const writer = writerOf(key);
      if (!writer) continue;
      const { lockKey, record, output } = key;
      const line =
        record?.output === output &&
        record &&
        serializeLine({ file: recordedAs, key: lockKey, locale, ...record });
      const commit = line ? origins.get(line) : undefined;
      const maker = makerOf.get(key.id);
      writers.set(key.id, {
        ...writer,
        // Most lines lack the mark `memory`. The engine's name is added if the engine gave the same answer before.
        ...(maker?.origin === 'human' && { by: 'memory' }),
        ...(maker?.origin === 'machine' && maker.engine !== undefined && readMaker(maker.engine)),
        ...(commit && { commit }),
      });
    }
    return writers;
  };
}

async function lockOrigins(
  { root, lockPath }: Project,
  caller: GitCaller,
): Promise<ReadonlyMap<string, LineOrigin>> {
  return closing(await openRepository(root, caller), (repository) => lineOrigins(repository, lockPath));
}
