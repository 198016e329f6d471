import { openConnection } from '../../sqlite/connection.ts';
import { serveCalls } from '../../workers/serve.ts';
import type { MeteringBatch, MeteringProtocol } from './metering-protocol.ts';
import { MeteringStatements } from './metering-statements.ts';

/** The metering thread, which waits for the disk so that requests do not. */
serveCalls<MeteringProtocol>((settings) => {
  const statements = open(settings);
  return async (request) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see `MeteringProtocol`
    const batch = JSON.parse(request) as MeteringBatch;
    return JSON.stringify((await statements).perform(batch));
  };
});

async function open(settings: MeteringProtocol['settings']): Promise<MeteringStatements> {
  const connection = await openConnection(settings.file, { busyMs: settings.busyMs });
  connection.exec('pragma foreign_keys = on');
  return new MeteringStatements(connection, settings);
}
