import * as fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocuments as readFixtures } from '../../scripts/fuzz/documents.ts';
import { mutate } from '../../src/plugins/contract/mutation.ts';
import { Random } from '../../src/plugins/contract/random.ts';
import { DragomanError } from '../../src/base/errors.ts';
import type { ScanOptions } from '../../src/formats/format.ts';
import { readDocuments } from '../../src/formats/yaml/parse.ts';
import { readSimple, type YamlFindings } from '../../src/formats/yaml/simple-reader.ts';
import type { FoundText } from '../../src/formats/yaml/text-reader.ts';
import { YamlWalk } from '../../src/formats/yaml/walk.ts';
import { simpleYamlDocuments, simpleYamlLines, yamlDocuments, yamlMutants } from './yaml-documents.ts';
import { runs } from '../property-runs.ts';

const described = (texts: readonly FoundText[], findings: YamlFindings): unknown => {
  const { evidence, warnings, root, booleanKeys } = findings;
  return { texts, shape: evidence.shape, warnings, root, booleanKeys };
};

/** The result of the reader of simple documents; empty if it gives up. */
function readSimply(text: string, options: ScanOptions): unknown {
  const texts: FoundText[] = [];
  const findings = readSimple(text, options, (one) => texts.push(one));
  return findings && described(texts, findings);
}

function readInFull(text: string, { locale }: ScanOptions): unknown {
  const texts: FoundText[] = [];
  const onText = (one: FoundText): unknown => texts.push(one);
  const walk = new YamlWalk(text, {
    locale,
    rootless: false,
    hasRootedSource: false,
    source: undefined,
    detail: 'texts',
    onText,
  });
  try {
    readDocuments(text, (tree, several) => walk.document(tree, several));
  } catch (error) {
    if (error instanceof DragomanError) return `refused: ${error.message}`;
    throw error;
  }
  return described(texts, walk);
}

/** @returns whether the document is a simple one */
function expectSame(text: string, options: ScanOptions = {}): boolean {
  const simple = readSimply(text, options);
  if (simple === undefined) return false;
  expect(simple).toEqual(readInFull(text, options));
  return true;
}

describe('a simple document', () => {
  it('has the same texts as in a full reading', () => {
    fc.assert(
      fc.property(simpleYamlDocuments, fc.constantFrom(undefined, 'en', 'de'), (text, locale) => {
        expect(expectSame(text, { locale })).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('is rejected if a full reading differs', () => {
    fc.assert(
      fc.property(fc.oneof(yamlDocuments, yamlMutants, simpleYamlLines), (text) => void expectSame(text)),
      { numRuns: runs(600) },
    );
  });

  it('is rejected if a mutated one reads differently', () => {
    const fixtures = readFixtures('yaml', join(import.meta.dirname, '../../fixtures'));
    fc.assert(
      fc.property(fc.nat(), (seed) => void expectSame(mutate(fixtures, new Random(seed)))),
      { numRuns: runs(1000) },
    );
  });
});
