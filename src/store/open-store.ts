import type { PostgresPlace } from './postgres/place.ts';
import type { Store } from './store.ts';

/** The location of a store: a data directory, or a database shared by several machines. */
export type StorePlace = { readonly directory: string } | PostgresPlace;

/**
 * Opens a store. Creates it if it does not exist, with its directory. Imports database drivers on first use, because
 * they load slowly.
 *
 * @throws DragomanError `unwritable_output` and `store_unavailable` if its location is unusable, `usage` if it is
 * invalid, `configuration` if the store has an incompatible version or refuses this program
 */
export async function openStore(place: StorePlace): Promise<Store> {
  if ('directory' in place) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStore(place.directory);
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore(place);
}
