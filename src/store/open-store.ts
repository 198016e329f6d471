import type { Store } from './store.ts';

/** Where a store is. */
export interface StorePlace {
  /** The data directory. */
  readonly directory: string;
}

/**
 * Opens a store; makes it where it is missing. Databases take long to load: each is loaded when it is used.
 *
 * @throws DragomanError `unwritable_output` when its place cannot be used, `configuration` when a newer version of this
 *   program has written it.
 */
export async function openStore({ directory }: StorePlace): Promise<Store> {
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore(directory);
}
