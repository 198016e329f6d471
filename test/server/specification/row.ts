import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type SpecifiedServer, type SpecifiedSettings } from './server.ts';

/** A sentence or table row of the specification in our words, and the check for it. */
export type Row = readonly [says: string, check: (server: SpecifiedServer) => Promise<void>];

/** A section of the specification; `title` is its heading. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A test per row, all on one server; every row has its own accounts. */
export function checkSections(sections: readonly Section[], settings?: SpecifiedSettings): void {
  let server: SpecifiedServer;
  beforeAll(async () => {
    server = await startServer(settings);
  });
  // A failed row leaves nothing that delays the next one.
  afterEach(() => server?.release());
  afterAll(() => server?.close());
  for (const { title, rows } of sections) {
    describe(title, () => {
      it.each(rows)('%s', async (_says, check) => {
        expect.hasAssertions();
        await check(server);
      });
    });
  }
}
