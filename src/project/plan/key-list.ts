import { resourcesOf } from '../state/project.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { positionsIn, type Position } from '../../base/span.ts';
import type { RequiredTerm } from '../../engines/engine.ts';
import type { Key } from '../../formats/format.ts';
import { slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { FileReport } from './report.ts';
import { faultFinder } from './coverage.ts';
import type { TracedProvenance, WriterFinder } from './provenance.ts';
import { type KeyStatus, keyStatusOf } from './key-status.ts';
import { type TextState, textStateOf } from './text-state.ts';
import type { Workspace } from './workspace.ts';
import type { Survey } from './survey.ts';

/** The result of a sync for a key. */
export interface KeyResult {
  readonly action: 'translated' | 'reused' | 'failed' | 'left';
  /** The translator. */
  readonly engine?: string | undefined;
  /** The author of the translation, if it came from the translation memory. */
  readonly memory?: MemoryOrigin | undefined;
  /** Glossary terms that the translation lacks. */
  readonly missingTerms?: readonly RequiredTerm[] | undefined;
  /** Why the key failed, or was left for the next run. */
  readonly reason?: string | undefined;
  readonly code?: ErrorCode | undefined;
  /** For `reused`: the key that had the value before. */
  readonly from?: Key | undefined;
}

/** One key of a file in one language, after a command has done its work. */
export interface ListedKey {
  readonly key: Key;
  readonly status: KeyStatus;
  /** Undefined if the source lacks the key. */
  readonly state?: TextState | undefined;
  readonly syntax: Syntax;
  /** Undefined if the source lacks the key. */
  readonly source?: string | undefined;
  /** The value in the target; undefined if it is missing. */
  readonly value?: string | undefined;
  /** The position in the source file. */
  readonly sourcePlace?: Position | undefined;
  /** The position in the target file. */
  readonly targetPlace?: Position | undefined;
  /** The developer's note. */
  readonly comment?: string | undefined;
  /** The problems of the value compared with its source, as lint reports them. */
  readonly faults: readonly string[];
  /** Undefined if nothing was done with the key. */
  readonly result?: KeyResult | undefined;
  /** Undefined without a translation, or if it was not requested. */
  readonly provenance?: TracedProvenance | undefined;
}

/** A file in one language with all its keys. */
export interface FileKeys {
  /** Canonical. */
  readonly locale: string;
  readonly report: FileReport;
  /** Created during iteration. The source's keys in its order, then those that only the target has. */
  readonly keys: Iterable<ListedKey>;
}

/** Called for one file at a time, and awaited. */
export type KeysListener = (file: FileKeys) => Promise<void>;

export interface LanguageListing {
  readonly workspace: Workspace;
  /** All files as reported, in the order of the project's resources. */
  readonly files: readonly FileReport[];
  /** The current state of written keys, by source file. */
  readonly written?: ReadonlyMap<string, Survey> | undefined;
  /** The results of keys, by source file. */
  readonly results?: ReadonlyMap<string, ReadonlyMap<SlotId, KeyResult>> | undefined;
  readonly onKeys?: KeysListener | undefined;
  /** Set to add the provenance of keys. */
  readonly findWriters?: WriterFinder | undefined;
}

/** Lists the current keys of all files of a language. Unreadable files have no keys. Only reads. */
export async function listLanguage(
  locale: string,
  { workspace, files, written, results, onKeys, findWriters }: LanguageListing,
): Promise<void> {
  if (!onKeys) return;
  for (const [i, resource] of resourcesOf(workspace.project, locale).entries()) {
    const report = files[i];
    if (!report) continue;
    const compared = await workspace.compare(resource, locale);
    const survey =
      written?.get(resource.source) ?? (compared.kind === 'compared' ? compared.survey : undefined);
    if (survey) {
      const writers = await findWriters?.(survey);
      await onKeys({ locale, report, keys: keysOf(survey, results?.get(resource.source), writers) });
    } else {
      const error = compared.kind === 'unreadable' ? compared.error : undefined;
      await onKeys({ locale, report: { ...report, error: report.error ?? error }, keys: [] });
    }
  }
}

/** The states of values that may be shown to users. */
const FINISHED: ReadonlySet<KeyStatus> = new Set(['translated', 'review', 'edited', 'unknown']);

function* keysOf(
  survey: Survey,
  results: ReadonlyMap<SlotId, KeyResult> | undefined,
  writers: ReadonlyMap<SlotId, TracedProvenance> | undefined,
): Generator<ListedKey> {
  const { plan, source, existing } = survey;
  const faultsOf = faultFinder(survey);
  const inSource = positionsIn(source.document.text);
  const inTarget = positionsIn(existing?.document.text ?? '');
  const slots = existing?.document.slots ?? [];
  const ids = existing ? slotIds(existing.document) : [];
  const standing = new Map(slots.map((slot, i) => [ids[i] ?? '', slot]));
  for (const key of plan.keys) {
    if (key.blank) continue;
    const slot = standing.get(key.id);
    const value = key.value ?? (slot?.value === '' ? undefined : slot?.value);
    const kind = keyStatusOf(key);
    const faults = FINISHED.has(kind) ? faultsOf(key) : [];
    yield {
      key: key.key,
      status: kind,
      state: textStateOf(key, faults.length > 0),
      syntax: key.syntax,
      source: key.text,
      value,
      sourcePlace: inSource(key.sourceOffset),
      targetPlace: slot && inTarget(slot.span.start),
      comment: key.comment,
      faults,
      result: results?.get(key.id),
      provenance: writers?.get(key.id),
    };
  }
  if (plan.extra.length === 0) return;
  const byOffset = new Map(slots.map((slot) => [slot.span.start, slot]));
  for (const { key, offset } of plan.extra) {
    const slot = byOffset.get(offset);
    yield {
      key,
      status: 'extra',
      syntax: slot?.syntax ?? 'plain',
      value: slot?.value,
      targetPlace: inTarget(offset),
      faults: [],
    };
  }
}
