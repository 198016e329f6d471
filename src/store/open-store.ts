import type { PostgresPlace } from './postgres/place.ts';
import type { Store } from './store.ts';

/** Where a store is: in a data directory, or in a database that several machines share. */
export type StorePlace = { readonly directory: string } | PostgresPlace;

/**
 * Opens a store; makes one in a directory where it is missing. Databases take long to load: each is loaded when it is
 * used.
 *
 * @throws DragomanError `unwritable_output` and `store_unavailable` when its place cannot be used, `usage` when it is
 *   none, `configuration` when it is of another version of this program, or refuses it.
 */
export async function openStore(place: StorePlace): Promise<Store> {
  if ('directory' in place) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStore(place.directory);
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore(place);
}
