import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyId, slotIds } from '../../src/documents/localization/pairing.ts';
import type { Document } from '../../src/formats/format.ts';
import { properties } from '../../src/formats/properties/format.ts';
import { runs } from '../property-runs.ts';

const scan = (keys: string): Document =>
  properties.scan(
    keys
      .split('')
      .map((key, i) => `${key} = Text ${i}\n`)
      .join(''),
  );

describe('the ids of slots', () => {
  it('are one list for documents with the same keys', () => {
    const source = scan('abab');
    expect(slotIds(scan('abab'), source)).toBe(slotIds(source));
  });

  it('belong to the document itself if an equal document has different ones', () => {
    for (const keys of ['', 'a', 'abba', 'ababa', 'baab']) {
      expect(slotIds(scan(keys), scan('abab'))).toEqual(slotIds(scan(keys)));
    }
  });

  it('differ if the keys do', () => {
    const segment = fc.string({ unit: fc.constantFrom('a', '\0', '/', '#', '1'), maxLength: 3 });
    const key = fc.array(segment, { maxLength: 3 });
    fc.assert(
      fc.property(key, key, (one, other) => {
        expect(keyId(one) === keyId(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
        // The second slot of one key differs from the first of another.
        expect(keyId(one)).not.toBe(`${keyId(other)}\0#1`);
      }),
      { numRuns: runs(5_000) },
    );
  });
});
