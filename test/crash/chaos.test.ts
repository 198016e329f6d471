import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOf, reportOf } from '../chaos/load.ts';
import { chaosRows, openPlace, type Place } from '../chaos/rows.ts';
import { describeWith } from '../postgres/requirements.ts';

/** Every row of `npm run chaos`, a few times each. */

const SEED = 20_261_123;
let place: Place;

describeWith(['postgres'], 'servers on one database', () => {
  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(() => place?.close());

  for (const row of chaosRows.filter(({ sizes }) => sizes.short > 0)) {
    const name = row.skipped === undefined ? row.name : `${row.name} (skipped: ${row.skipped})`;
    it.skipIf(row.skipped !== undefined)(
      `lose nothing and charge nothing twice: ${name}`,
      { timeout: 400_000 },
      async () => {
        const outcome = await row.run(place, row.sizes.short, SEED);
        const faults = faultsOf(outcome, row.allowed);
        expect(faults, reportOf(faults, outcome.log)).toEqual([]);
      },
    );
  }
});
