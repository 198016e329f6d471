import { DragomanError } from '../../../base/errors.ts';
import { throwIfAborted } from '../../../base/interruption.ts';
import { positionsIn } from '../../../base/span.ts';
import { slotIds } from '../../../documents/localization/pairing.ts';
import type { LanguagePair } from '../../../engines/engine.ts';
import { areVariants } from '../../../languages/locale.ts';
import type { Skip } from '../../../memory/exchange/exchange.ts';
import { entryOf, isSkip } from '../../../memory/exchange/translation-entry.ts';
import type { NewEntry } from '../../../memory/stored-memory.ts';
import { contextOf, type MemoryOrigin } from '../../../pipeline/memory.ts';
import type { Resource } from '../../../project/discover/resource.ts';
import type { PlannedKey } from '../../../project/plan/plan.ts';
import { Workspace } from '../../../project/plan/workspace.ts';
import type { Survey } from '../../../project/plan/survey.ts';
import type { Project } from '../../../project/state/project.ts';
import { loadState } from '../../../project/state/stored-state.ts';

interface ProjectImport {
  /** The origin of all translations. By default, the lock determines which translations are ours. */
  readonly origin?: MemoryOrigin | undefined;
  readonly signal: AbortSignal;
  /** The directory of the project's journal. */
  readonly stateDirectory: string | undefined;
  /** `file` is relative to the project's root. */
  readonly onSkip: (skip: Skip, file: string) => void;
}

/**
 * The current translations in a project's files, paired with their sources by key. An unreadable file does not stop the
 * others: the first error is thrown at the end, and the others are reported as skipped.
 *
 * @throws DragomanError for an unreadable source, target or lock, `usage` without a target, `interrupted`
 */
export async function* readProject(project: Project, options: ProjectImport): AsyncGenerator<NewEntry> {
  if (project.targets.length === 0) {
    throw new DragomanError('usage', `no target languages found in ${project.root}`, {
      hint: 'Name some with --target es,fr.',
    });
  }
  const { lock } = await loadState(project, options.stateDirectory);
  const workspace = new Workspace(project, lock);
  let failure: DragomanError | undefined;
  for (const locale of project.targets) {
    for (const resource of project.resources) {
      throwIfAborted(options.signal, 'the import was interrupted');
      const compared = await compare(workspace, resource, locale);
      if (!(compared instanceof DragomanError)) yield* entriesOf(compared, options);
      else if (!failure) failure = compared;
      else if (compared.message !== failure.message) {
        const { message, at } = compared;
        options.onSkip({ reason: 'damaged', detail: message, at }, resource.targetPath(locale));
      }
    }
    workspace.release(locale);
  }
  if (failure) throw failure;
}

async function compare(
  workspace: Workspace,
  resource: Resource,
  locale: string,
): Promise<Survey | DragomanError> {
  try {
    const comparison = await workspace.compare(resource, locale);
    if (comparison.kind === 'clean') throw new DragomanError('internal', 'the project was not compared');
    return comparison.kind === 'compared' ? comparison.survey : comparison.error;
  } catch (error) {
    if (error instanceof DragomanError && error.code !== 'internal') return error;
    throw error;
  }
}

function* entriesOf(survey: Survey, { origin, onSkip }: ProjectImport): Generator<NewEntry> {
  const { existing, plan, resource, locale, targetPath, tags } = survey;
  if (!existing) return;
  const { document } = existing;
  const position = positionsIn(document.text);
  const ids = slotIds(document);
  const slots = new Map(document.slots.map((slot, i) => [ids[i], slot]));
  const pair = { source: resource.sourceLocale, target: locale };
  for (const key of plan.keys) {
    const slot = slots.get(key.id);
    if (!slot || key.blank) continue;
    const entry = lackOf(key, pair) ?? {
      source: key.text,
      target: tags?.unlink(key.value ?? '') ?? key.value ?? '',
      syntax: key.syntax,
      forms: key.forms,
      pair,
      context: contextOf(key.key),
      category: key.category,
      origin: origin ?? originOf(key),
    };
    const made = 'reason' in entry ? entry : entryOf(entry);
    if (isSkip(made)) onSkip({ ...made, at: position(slot.span.start) }, targetPath);
    else yield made;
  }
  for (const { offset } of plan.extra) {
    onSkip(
      { reason: 'untranslated', detail: 'its key is not in the source', at: position(offset) },
      targetPath,
    );
  }
}

/** Why an existing value is not a translation of the current source. */
function lackOf(
  { state, value, text, record, review }: PlannedKey,
  { source, target }: LanguagePair,
): Omit<Skip, 'at'> | undefined {
  if (
    value === undefined ||
    value === '' ||
    state === 'pending' ||
    state === 'missing' ||
    state === 'renamed'
  ) {
    return { reason: 'untranslated', detail: 'it is not translated yet' };
  }
  if (review) return { reason: 'untranslated', detail: 'it is marked for review' };
  if (state === 'stale' || state === 'outdated') {
    return { reason: 'outdated', detail: 'its source has changed since' };
  }
  // Values that dragoman copied between language variants are not translations either.
  const isOurs = state === 'current' && record?.mark === undefined && !areVariants(source, target);
  return value === text && !isOurs ? { reason: 'copied', detail: 'it is the same as its source' } : undefined;
}

/** Values recorded in the lock come from an engine, all others from a person. */
function originOf({ state, record }: PlannedKey): MemoryOrigin {
  return state === 'current' && record && record.mark === undefined ? 'machine' : 'human';
}
