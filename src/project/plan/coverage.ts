import { positionsIn } from '../../base/span.ts';
import { actionFor, isSelected, type Selection } from './key-action.ts';
import type { KeyState } from './key-state.ts';
import type { PlannedKey } from './plan.ts';
import type { Coverage, Drift } from './report.ts';
import type { Survey } from './workspace.ts';

/** How a key of a target stands. Those of a key without a translation come first: they decide how its entry stands. */
export type Standing =
  'missing' | 'pending' | 'stale' | 'outdated' | 'edited' | 'unknown' | 'translated' | 'extra';

const ORDER: readonly Standing[] = [
  'missing',
  'pending',
  'stale',
  'outdated',
  'edited',
  'unknown',
  'translated',
];

const STANDINGS: Readonly<Record<Exclude<KeyState, 'current'>, Standing>> = {
  missing: 'missing',
  renamed: 'missing',
  pending: 'pending',
  stale: 'stale',
  outdated: 'outdated',
  edited: 'edited',
  unknown: 'unknown',
};

export function standingOf({ state, record }: PlannedKey): Standing {
  if (state !== 'current') return STANDINGS[state];
  if (record?.mark === 'human') return 'edited';
  return record?.mark === undefined ? 'translated' : 'unknown';
}

/** Whether the target has no translation of the key. */
export function isMissing(key: PlannedKey): boolean {
  const standing = standingOf(key);
  return standing === 'missing' || standing === 'pending';
}

/**
 * Counts entries: the forms of a plural are one, which stands as the form that stands worst.
 *
 * @param texts the texts of this language counted so far: each is translated once. Those of this file are added.
 */
export function measureCoverage({ plan }: Survey, selection: Selection, texts: Set<string>): Coverage {
  const entries = new Map<string, Standing>();
  let characters = 0;
  for (const key of plan.keys) {
    const standing = standingOf(key);
    const other = entries.get(key.entry);
    if (!other || ORDER.indexOf(standing) < ORDER.indexOf(other)) entries.set(key.entry, standing);
    if (actionFor(key, selection) === 'translate' && !texts.has(key.text)) {
      texts.add(key.text);
      characters += codePoints(key.text);
    }
  }
  const counts: Record<Standing, number> = {
    ...{ missing: 0, pending: 0, stale: 0, outdated: 0, edited: 0, unknown: 0, translated: 0, extra: 0 },
  };
  for (const standing of entries.values()) counts[standing]++;
  const { stale, outdated, edited, unknown } = counts;
  const missing = counts.missing + counts.pending;
  const extra = new Set(plan.extra.map(({ entry }) => entry)).size;
  const keys = entries.size;
  return { keys, translated: keys - missing, missing, stale, edited, unknown, outdated, extra, characters };
}

/** The keys of a file that are not as they should be, as the plan finds them. Forms of a plural are listed once. */
export function listDrift(survey: Survey, selection: Selection): readonly Drift[] {
  const { plan, recordedAs, source, existing, targetPath } = survey;
  const drift: Drift[] = [];
  const listed = new Set<string>();
  let inSource: ReturnType<typeof positionsIn> | undefined;
  for (const key of plan.keys) {
    const standing = standingOf(key);
    const kind = standing === 'pending' ? 'missing' : standing;
    if (kind !== 'missing' && kind !== 'stale' && kind !== 'outdated') continue;
    const id = `${kind} ${key.entry}`;
    if (listed.has(id) || !isSelected(key.key.join('.'), selection)) continue;
    listed.add(id);
    inSource ??= positionsIn(source.document.text);
    drift.push({ kind, key: key.key, file: recordedAs, ...inSource(key.sourceOffset) });
  }
  let inTarget: ReturnType<typeof positionsIn> | undefined;
  for (const { key, entry, offset } of plan.extra) {
    if (listed.has(`extra ${entry}`) || !isSelected(key.join('.'), selection)) continue;
    listed.add(`extra ${entry}`);
    inTarget ??= positionsIn(existing?.document.text ?? '');
    drift.push({ kind: 'extra', key, file: targetPath, ...inTarget(offset) });
  }
  return drift;
}

function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}
