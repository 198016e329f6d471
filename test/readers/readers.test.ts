import { beforeAll, describe, expect, it } from 'vitest';
import { compareOne, compareTwo } from '../../scripts/corpus/comparison.ts';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import type { Entry, Reader, Reading } from './reader.ts';
import { SPECIMENS } from '../specimens/specimens.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

function read(reader: Reader, text: string): readonly Entry[] {
  return entriesOf(reader.read([{ bytes: bytes(text) }])[0]);
}

function entriesOf(reading: Reading | undefined): readonly Entry[] {
  if (!reading || 'refused' in reading) throw new Error(reading?.refused ?? 'no reading');
  return reading.entries;
}

const texts = (entries: readonly Entry[]): unknown =>
  entries.filter(({ kind }) => kind === 'text').map(({ key, value }) => [...key, value]);

describe.each(Object.entries(SPECIMENS))('the independent reader of %s', (_, { reader, sample }) => {
  const missing = reader.missing();
  let readings: readonly Reading[] = [];

  // Most readers are processes whose start takes longer than the reading.
  beforeAll(() => {
    if (missing === undefined)
      readings = reader.read([sample.text, sample.broken ?? ''].map((text) => ({ bytes: bytes(text) })));
  });

  it.skipIf(missing !== undefined)(
    `${reader.name} reads values${missing ? `: SKIPPED, needs ${missing}` : ''}`,
    () => {
      expect(texts(entriesOf(readings[0]))).toEqual(sample.read);
    },
  );

  it.skipIf(missing !== undefined || sample.broken === undefined)(
    `${reader.name} refuses broken files${missing ? ': SKIPPED' : ''}`,
    () => {
      expect(readings[1]).toHaveProperty('refused');
    },
  );
});

describe('comparing with a reader', () => {
  const source = '{ "a": "one", "n": 1, "b": "two" }';
  const both = async (text: string, seen = text) => ({
    document: (await openBytes(bytes(text), 'x.json')).document,
    reading: { entries: read(SPECIMENS.json.reader, seen) },
  });

  it('accepts correct files', async () => {
    const before = await both(source);
    const after = await both(source.replace('two', 'zwei'));
    expect(compareOne('json', after, true)).toEqual([]);
    expect(compareTwo('json', before, after, true)).toEqual([]);
  });

  it('finds a value that differs from the intended one', async () => {
    expect(compareOne('json', await both(source, source.replace('two', 'zwo')), true)).toHaveLength(1);
  });

  it('finds a slot that the reader does not find', async () => {
    expect(compareOne('json', await both(source, '{ "a": "one", "n": 1 }'), true)).toHaveLength(1);
  });

  it('finds changes outside of slots', async () => {
    const before = await both(source);
    expect(compareTwo('json', before, await both(source.replace('1', '2')), true)).toHaveLength(1);
    expect(compareTwo('json', before, await both(source.replace('"n"', '"m"')), true)).not.toEqual([]);
    expect(compareTwo('json', before, await both('{ "a": "one", "b": "two" }'), true)).toHaveLength(1);
  });
});
