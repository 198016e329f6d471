import { accountStore } from '../shared/accounts.ts';
import { redeliver } from '../shared/deliveries.ts';
import type { Store } from '../store.ts';
import { Connections } from './connections.ts';
import { openDatabase } from './database.ts';
import { LIVENESS, registerInstance, type Liveness } from './instance.ts';
import { requireReadable } from './migrations.ts';
import { settingsOf, type PostgresPlace } from './place.ts';

/**
 * A store in a PostgreSQL database, which many processes on many machines may have open.
 *
 * @throws DragomanError `usage` for an address that cannot be used, `store_unavailable` when the database does not
 *   answer, `configuration` when it refuses this program, or its tables are those of another version.
 */
export async function openPostgresStore(place: PostgresPlace, liveness: Liveness = LIVENESS): Promise<Store> {
  const connections = new Connections(settingsOf(place));
  const database = openDatabase(connections);
  try {
    await requireReadable(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    accounts: accountStore(database),
    redeliver: (jobId, now) => redeliver(database, jobId, now),
    register: (options = {}) => registerInstance(database, connections, options, liveness),
    close: () => database.close(),
  };
}
