import { positionsIn } from '../../base/span.ts';
import type { Coverage, Drift } from './report.ts';
import { actionFor, isSelected, type Selection } from './key-action.ts';
import type { PlannedKey } from './plan.ts';
import type { Survey } from './workspace.ts';

/** @param texts the texts of this language counted so far: each is translated once. Those of this file are added. */
export function measureCoverage({ plan }: Survey, selection: Selection, texts: Set<string>): Coverage {
  let missing = 0;
  let stale = 0;
  let edited = 0;
  let outdated = 0;
  let characters = 0;
  for (const key of plan.keys) {
    if (isMissing(key)) missing++;
    else if (key.state === 'stale') stale++;
    else if (isHuman(key)) edited++;
    if (key.state === 'edited-stale') outdated++;
    if (actionFor(key, selection) === 'translate' && !texts.has(key.text)) {
      texts.add(key.text);
      characters += codePoints(key.text);
    }
  }
  const keys = plan.keys.length;
  return {
    keys,
    translated: keys - missing,
    missing,
    stale,
    edited,
    outdated,
    extra: plan.extra.length,
    characters,
  };
}

/** The keys of a file that are not as they should be, as the plan finds them. */
export function listDrift(survey: Survey, selection: Selection): readonly Drift[] {
  const { plan, resource, source, existing, targetPath } = survey;
  const inSource = positionsIn(source.document.text);
  const drift: Drift[] = [];
  for (const key of plan.keys) {
    const kind = isMissing(key) ? 'missing' : key.state === 'stale' ? 'stale' : 'outdated';
    if (kind === 'outdated' && key.state !== 'edited-stale') continue;
    if (!isSelected(key.key.join('.'), selection)) continue;
    drift.push({ kind, key: key.key, file: resource.source, ...inSource(key.sourceOffset) });
  }
  const inTarget = positionsIn(existing?.document.text ?? '');
  for (const { key, offset } of plan.extra) {
    if (!isSelected(key.join('.'), selection)) continue;
    drift.push({ kind: 'extra', key, file: targetPath, ...inTarget(offset) });
  }
  return drift;
}

/** Whether the target has no translation of the key. */
export function isMissing({ state }: PlannedKey): boolean {
  return state === 'missing' || state === 'pending' || state === 'renamed';
}

export function isHuman({ state, record }: PlannedKey): boolean {
  if (state === 'adopted' || state === 'edited' || state === 'edited-stale') return true;
  return state === 'current' && record?.mark !== undefined;
}

function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}
