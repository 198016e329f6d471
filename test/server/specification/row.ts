import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type SpecifiedServer, type SpecifiedSettings } from './server.ts';

/** What one sentence or one line of a table says, in our words, and how it is seen to be so. */
export type Row = readonly [says: string, check: (server: SpecifiedServer) => Promise<void>];

/** A section of the specification; `title` is its heading. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A test per row, all on one server; every row has accounts of its own. */
export function checkSections(sections: readonly Section[], settings?: SpecifiedSettings): void {
  let server: SpecifiedServer;
  beforeAll(async () => {
    server = await startServer(settings);
  });
  // A row that fails leaves nothing that the next one waits for.
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
