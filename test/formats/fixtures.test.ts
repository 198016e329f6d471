import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFormat, FORMAT_IDS, loadFormat } from '../../src/formats/registry.ts';
import { render } from '../../src/formats/render.ts';
import { runs } from '../property-runs.ts';
import { targetValues } from './contract.ts';

/** Every place in a fixture, whatever its quirk, must be able to hold any value, not only its own. */
const root = join(import.meta.dirname, '../../fixtures/formats');

describe.each(FORMAT_IDS)('%s', (id) => {
  const cases = readdirSync(join(root, id)).filter((name) => !existsSync(join(root, id, name, 'error.json')));

  it.each(cases)('%s holds any value', async (name) => {
    const format = await loadFormat(describeFormat(id));
    const directory = join(root, id, name);
    const file = readdirSync(directory).find((entry) => entry.startsWith('source.')) ?? '';
    const document = format.scan(readFileSync(join(directory, file), 'utf8'));
    fc.assert(
      fc.property(fc.infiniteStream(targetValues), (stream) => {
        const values = new Map(document.slots.map((_, index) => [index, stream.next().value ?? '']));
        const { document: rendered, rejected } = render(format, document, values);
        expect([...rejected.values()].filter(({ code }) => code !== 'unencodable_value')).toEqual([]);
        const kept = document.slots.map(({ value }, index) =>
          rejected.has(index) ? value : values.get(index),
        );
        expect(rendered.slots.map(({ value }) => value)).toEqual(kept);
      }),
      { numRuns: runs(20) },
    );
  });
});
