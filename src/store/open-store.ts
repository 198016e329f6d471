import type { PostgresPlace } from './postgres/place.ts';
import type { Store } from './store.ts';

/** The place of a store: a data directory, or a database that several machines share. */
export type StorePlace = { readonly directory: string } | PostgresPlace;

/**
 * Opens a store; creates one in a missing directory. Database drivers are loaded on first use, because that takes long.
 *
 * @throws DragomanError `unwritable_output` and `store_unavailable` if its place is unusable, `usage` if it is invalid,
 * `configuration` if it has an incompatible version or refuses this program
 */
export async function openStore(place: StorePlace): Promise<Store> {
  if ('directory' in place) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStore(place.directory);
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore(place);
}
