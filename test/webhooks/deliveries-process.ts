/** A process that calls the webhooks of a store until it is killed: `node --import tsx deliveries-process.ts DIRECTORY`. */
import { openDatabase } from '../../src/store/database.ts';
import { registerInstance } from '../../src/store/instance.ts';
import { startDeliveries } from '../../src/webhooks/deliveries.ts';

const [directory = ''] = process.argv.slice(2);
const database = await openDatabase(directory);
const instance = await registerInstance(database, directory);
let bodies = 0;
startDeliveries({
  database,
  instanceId: instance.id,
  allowPrivate: true,
  // A body that is made twice is another one.
  bodyOf: (jobId) => Promise.resolve(JSON.stringify({ job_id: jobId, by: process.pid, count: bodies++ })),
});
