/** A process that calls the webhooks of a store until it is killed: `node --import tsx deliveries-process.ts DIRECTORY`. */
import { openStore } from '../../src/store/open-store.ts';
import { startDeliveries } from '../../src/webhooks/deliveries.ts';

const [directory = ''] = process.argv.slice(2);
const instance = await (await openStore({ directory })).register();
let bodies = 0;
startDeliveries({
  store: instance.deliveries,
  allowPrivate: true,
  // A body that is built twice would differ.
  bodyOf: (jobId) => Promise.resolve(JSON.stringify({ job_id: jobId, by: process.pid, count: bodies++ })),
});
