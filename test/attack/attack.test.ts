import { afterAll, describe, expect, it } from 'vitest';
import { Site } from './room.ts';
import { tryRow } from './row.ts';
import { attackAreas } from './rows.ts';

/** Every row of `npm run attack`. */

const site = new Site();
afterAll(() => site.close());

describe.each(attackAreas)('an attack: $name', ({ rows }) => {
  for (const row of rows) {
    const reason = row.skipped ?? (row.pending === undefined ? undefined : `pending: ${row.pending}`);
    const name = reason === undefined ? row.attack : `${row.attack} (skipped: ${reason})`;
    it.skipIf(reason !== undefined)(`${name}: ${row.expected}`, async () => {
      const { faults } = await tryRow(row, site);
      expect(faults).toEqual([]);
    });
  }
});
