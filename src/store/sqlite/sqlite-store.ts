import { accountStore } from '../shared/accounts.ts';
import { deliveryOf, redeliver } from '../shared/deliveries.ts';
import { resourceStore } from '../shared/resources.ts';
import type { Store } from '../store.ts';
import { openDatabase, type DatabaseOptions } from './database.ts';
import { registerInstance } from './instance.ts';

/**
 * The embedded store of a data directory, safe to open from several processes; makes both where they are missing.
 *
 * @throws DragomanError `unwritable_output` when the directory cannot be used, `configuration` when a newer version of
 *   this program has written it.
 */
export async function openSqliteStore(directory: string, options: DatabaseOptions = {}): Promise<Store> {
  const database = await openDatabase(directory, options);
  return {
    accounts: accountStore(database),
    resources: resourceStore(database),
    redeliver: (jobId, now) => redeliver(database, jobId, now),
    warnings: () => Promise.resolve([]),
    hasDelivery: async (jobId) => (await deliveryOf(database.sql, jobId)) !== undefined,
    register: (instance) => registerInstance(database, { ...options, directory }, instance),
    close: () => database.close(),
  };
}
