import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { yaml } from '../../src/formats/yaml/format.ts';
import { booleanKeysOf } from '../../src/formats/yaml/outline.ts';
import { readDocuments } from '../../src/formats/yaml/parse.ts';
import type { FoundText } from '../../src/formats/yaml/text-reader.ts';
import { YamlWalk } from '../../src/formats/yaml/walk.ts';
import { yamlDocuments, yamlMutants } from './yaml-documents.ts';
import { runs } from '../property-runs.ts';

/** Everything found in a text that is composed in pieces of this many lexemes. */
function found(text: string, piece: number, source?: string): unknown {
  const texts: FoundText[] = [];
  const booleans = source === undefined ? undefined : booleanKeysOf(yaml.scan(source));
  const walk = new YamlWalk(text, {
    locale: undefined,
    rootless: false,
    hasRootedSource: false,
    source: booleans,
    detail: 'entries',
    onText: (one) => texts.push(one),
  });
  try {
    readDocuments(text, walk, { piece });
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    // If there are several errors, pieces find the first one.
    return 'refused';
  }
  const { entries, warnings, anchors, aliases, keeps, booleanKeys, documents, top, root } = walk;
  const { shape } = walk.evidence;
  return { texts, entries, warnings, anchors, aliases, keeps, booleanKeys, documents, top, root, shape };
}

const pieces = fc.integer({ min: 1, max: 12 });

describe('documents that are composed in pieces', () => {
  it('have the texts, entries and marks of the whole', () => {
    fc.assert(
      fc.property(yamlDocuments, pieces, (text, piece) => {
        expect(found(text, piece)).toEqual(found(text, Infinity));
      }),
      { numRuns: runs(200) },
    );
  });

  it('are refused if the whole document is', () => {
    fc.assert(
      fc.property(yamlMutants, pieces, (text, piece) => {
        expect(found(text, piece)).toEqual(found(text, Infinity));
      }),
      { numRuns: runs(600) },
    );
  });

  it.each([
    ['two roots', 'en:\n  a: text\n  b: text\nfr:\n  a: text\n'],
    ['a root with a text behind it', 'en:\n  a: text\n  b: text\nc: text\n'],
    ['a second key that begins with a line separator', 'en:\n  a: text\n  b: text\n\u2028 c: text\n'],
    ['a document that ends', 'en:\n  a: text\n  b: text\n...\n'],
    ['a document that only looks like the first of several', 'en:\n  a: |\n    x\n---\n'],
    ['tags of its own', '%TAG !e! tag:example.com,2000:\n---\na: !e!x\n  b: text\nc: !!str d\nd: !e!y z\n'],
    [
      'comments behind its items',
      'a:\n  b:\n    c: text\n    # deep\n  # less deep\n# not deep\nd: text # t\n',
    ],
    ['a comment above a key in brackets', 'a: text\n# comment\n{b: c}: text\n'],
  ])('are the same with %s', (_, text) => {
    for (let piece = 1; piece < 20; piece++) expect(found(text, piece)).toEqual(found(text, Infinity));
  });

  it('keep the names of the source for any later content', () => {
    const source = 'a:\n  yes: text\n  b: text\n';
    const text = 'a:\n  true: text\n  b: text\n  yes: text\n';
    for (let piece = 1; piece < 20; piece++)
      expect(found(text, piece, source)).toEqual(found(text, Infinity, source));
  });
});
