import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { splice, type Edit } from '../../src/base/span.ts';
import type { Document, Key } from '../../src/formats/format.ts';
import { yaml } from '../../src/formats/yaml/format.ts';
import { runs } from '../property-runs.ts';
import { yamlDocuments, yamlMutants } from './yaml-documents.ts';

const texts = fc.oneof(yamlMutants, yamlDocuments);
const choices = fc.infiniteStream(fc.boolean());

function scanned(text: string): Scanned | undefined {
  try {
    return yaml.scan(text);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

type Scanned = ReturnType<typeof yaml.scan>;

/** Content that cannot be inserted is refused with a reason; every other insertion must be correct. */
function inserted(target: Scanned, skeleton: Scanned, missing: readonly Key[]): readonly Edit[] {
  try {
    return yaml.insert(target, skeleton, missing);
  } catch (error) {
    if (error instanceof DragomanError) return [];
    throw error;
  }
}

/** The texts outside of sequences; inside of one, an edit can change the indexes of the texts after it. */
function named(document: Document): readonly string[] {
  return document.slots
    .filter(({ key }) => !key.some((segment) => /^\d+$/.test(segment)))
    .map(({ key, value }) => JSON.stringify([key, value]));
}

function expectKept(before: readonly string[], after: Document): void {
  expect(new Set(named(after))).toEqual(new Set([...before, ...named(after)]));
}

describe('edits of any readable document', () => {
  it('give readable text without the removed entries', () => {
    fc.assert(
      fc.property(texts, choices, (text, stream) => {
        const document = scanned(text);
        if (!document || document.warnings.length > 0) return;
        const gone = document.slots.map(({ key }) => key).filter(() => stream.next().value === true);
        const removed = yaml.scan(splice(text, yaml.remove(document, gone)));
        const left = new Set(gone.map((key) => JSON.stringify(key)));
        // A map left with one locale has become a Rails root.
        if (removed.locale === document.locale) {
          const stays = document.slots.filter(({ key }) => !left.has(JSON.stringify(key)));
          expectKept(named({ ...document, slots: stays }), removed);
        }
        const restored = yaml.scan(splice(removed.text, inserted(removed, document, gone)));
        if (restored.locale === removed.locale) expectKept(named(removed), restored);
      }),
      { numRuns: runs(300) },
    );
  }, 120_000);

  it('put the content of one document into another without changing its texts', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [target, skeleton] = [scanned(one), scanned(other)];
        if (!target || !skeleton || target.warnings.length > 0) return;
        const missing = skeleton.slots.map(({ key }) => key);
        const after = yaml.scan(splice(one, inserted(target, skeleton, missing)));
        if (after.locale === target.locale) expectKept(named(target), after);
      }),
      { numRuns: runs(300) },
    );
  }, 120_000);
});
