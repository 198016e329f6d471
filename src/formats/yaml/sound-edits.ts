import { DragomanError } from '../../base/errors.ts';
import { makeFromValidPart } from '../../base/sound-part.ts';
import { splice, type Edit } from '../../base/span.ts';
import type { Key, ScanOptions } from '../format.ts';
import { YAML_SHAPES } from './messages.ts';
import type { YamlDocument } from './outline.ts';
import { scan } from './scan.ts';

/**
 * Edits for as many of the keys as possible. The meaning of a YAML line depends on the lines around it, so the result
 * is parsed, and keys that break it are skipped. For the caller, they are still missing, or still present.
 *
 * @param isSound judges the edited document, if it can be parsed
 */
export function findSoundEdits(
  document: YamlDocument,
  options: ScanOptions,
  keys: readonly Key[],
  editsFor: (keys: readonly Key[]) => readonly Edit[],
  isSound: (result: YamlDocument, edits: readonly Edit[]) => boolean,
): readonly Edit[] {
  const trial = (some: readonly Key[]): readonly Edit[] | undefined => {
    const edits = editsFor(some);
    if (edits.length === 0) return edits;
    const result = scanned(splice(document.text, edits), options);
    return result && isSound(result, edits) ? edits : undefined;
  };
  return makeFromValidPart(keys, trial) ?? [];
}

/** Undefined if the text cannot be parsed. */
export function scanned(text: string, options: ScanOptions): YamlDocument | undefined {
  try {
    return scan(text, options);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

/** Whether a translation has every text of the target and, under the requested keys, only texts from both documents. */
export function isCompleted(
  whole: YamlDocument,
  target: YamlDocument,
  skeleton: YamlDocument,
  missing: readonly Key[],
): boolean {
  let at = 0;
  for (const { value } of target.slots) {
    while (at < whole.slots.length && whole.slots[at]?.value !== value) at++;
    if (at++ >= whole.slots.length) return false;
  }
  const wanted = new Map<string, Set<string>>(missing.map((key) => [JSON.stringify(key), new Set()]));
  // A key that occurs twice in the skeleton and once in the target counts as missing and keeps its text.
  for (const { slots } of [skeleton, target])
    for (const { key, value } of slots) wanted.get(JSON.stringify(key))?.add(value);
  // An entry inserted under another key, for example because a document is counted differently there, was not
  // requested.
  const keys = [target, skeleton].flatMap(({ slots }) => slots.map(({ key }) => JSON.stringify(key)));
  const known = shapeOf(whole) === shapeOf(target) ? new Set(keys) : undefined;
  return whole.slots.every(({ key, value }) => {
    const id = JSON.stringify(key);
    return wanted.get(id)?.has(value) ?? known?.has(id) ?? true;
  });
}

/** Whether a document has exactly the earlier texts that the edits do not cover. */
export function hasOnlyUneditedTexts(
  rest: YamlDocument,
  before: YamlDocument,
  edits: readonly Edit[],
): boolean {
  // The removed entries may have determined the shape of the document, in which case its texts differ.
  if (shapeOf(rest) !== shapeOf(before)) return true;
  const spans = edits.map(({ span }) => span).toSorted((a, b) => a.start - b.start);
  let next = 0;
  const kept = before.slots.filter(({ span: { start } }) => {
    while ((spans[next]?.end ?? Infinity) <= start) next++;
    return (spans[next]?.start ?? Infinity) > start;
  });
  return kept.length === rest.slots.length && kept.every(({ value }, i) => value === rest.slots[i]?.value);
}

const shapeOf = ({ dialect }: YamlDocument): string | undefined =>
  YAML_SHAPES.find((shape) => shape === dialect);
