import { afterAll, describe, expect, it } from 'vitest';
import { Site } from './room.ts';
import { tryRow } from './row.ts';
import { attackAreas } from './rows.ts';

/** Every row of `npm run attack`. */

const site = new Site();
afterAll(() => site.close());

describe.each(attackAreas)('an attack: $name', ({ rows }) => {
  for (const row of rows) {
    const name = row.skipped === undefined ? row.attack : `${row.attack} (skipped: ${row.skipped})`;
    it.skipIf(row.skipped !== undefined)(`${name}: ${row.expected}`, async () => {
      const { faults } = await tryRow(row, site);
      expect(faults).toEqual([]);
    });
  }
});
