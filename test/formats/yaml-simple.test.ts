import * as fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocuments as readFixtures } from '../../scripts/fuzz/documents.ts';
import { mutate } from '../../src/plugins/contract/mutation.ts';
import { Random } from '../../src/plugins/contract/random.ts';
import { DragomanError } from '../../src/base/errors.ts';
import type { ScanOptions } from '../../src/formats/format.ts';
import { booleanKeysOf, hasNoRoot } from '../../src/formats/yaml/outline.ts';
import { readDocuments } from '../../src/formats/yaml/parse.ts';
import { scan } from '../../src/formats/yaml/scan.ts';
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

function readInFull(text: string, { locale, source }: ScanOptions): unknown {
  const texts: FoundText[] = [];
  const onText = (one: FoundText): unknown => texts.push(one);
  const walk = new YamlWalk(text, {
    locale,
    rootless: source !== undefined && hasNoRoot(source),
    hasRootedSource: source !== undefined && !hasNoRoot(source),
    source: source && booleanKeysOf(source),
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

  it('has the names of the boolean keys in its source, or is rejected', () => {
    const words = fc.constantFrom('yes', 'true', '"yes"', 'no', 'n', "'off'", 'key');
    const maps = fc
      .uniqueArray(words, { minLength: 1 })
      .map((names) => `de:\n  a:\n${names.map((name) => `    ${name}: x\n`).join('')}`);
    fc.assert(
      fc.property(maps, maps, (text, original) => {
        const source = scan(original, { locale: 'de' });
        const isSimple = expectSame(text, { locale: 'de', source });
        expect(isSimple || text !== original).toBe(true);
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

  it('is rejected if the mutated document reads differently', () => {
    const fixtures = readFixtures('yaml', join(import.meta.dirname, '../../fixtures'));
    fc.assert(
      fc.property(fc.nat(), (seed) => void expectSame(mutate(fixtures, new Random(seed)))),
      { numRuns: runs(1000) },
    );
  });
});
