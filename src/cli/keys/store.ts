import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { AccountStore, Store } from '../../store/store.ts';
import type { StorePlace } from '../../store/open-store.ts';
import { addStoreOptions, storePlaceOf, type StoreOptions } from '../store-options.ts';
import type { Terminal } from '../terminal.ts';

export interface AccountOptions extends StoreOptions {
  readonly email?: string;
}

/** The store and `--email`, for the commands on one account that is there. */
export function addAccountOptions(command: Command): void {
  addStoreOptions(command);
  command.addOption(new Option('--email <address>', 'the account; may be left out where there is only one'));
}

/**
 * Opens the store for `work` and closes it after. A server may have it open meanwhile.
 *
 * @throws DragomanError `not_found` when there is none: a misspelt directory is not made.
 */
export async function withStore<T>(
  options: StoreOptions,
  terminal: Terminal,
  work: (accounts: AccountStore, store: Store) => Promise<T>,
): Promise<T> {
  const place = storePlaceOf(options, terminal);
  if ('directory' in place) await requireDatabase(place.directory);
  return workOn(place, work);
}

async function requireDatabase(directory: string): Promise<void> {
  const { DATABASE_FILE } = await import('../../store/sqlite/database.ts');
  const exists = await access(join(directory, DATABASE_FILE)).then(
    () => true,
    () => false,
  );
  if (!exists) {
    throw new DragomanError('not_found', `there are no accounts in ${directory}`, {
      hint: 'Make one with dragoman keys create, or name another directory with --data-dir.',
    });
  }
}

/** The same for a store that is made where it is missing. */
export async function withNewStore<T>(
  options: StoreOptions,
  terminal: Terminal,
  work: (accounts: AccountStore) => Promise<T>,
): Promise<T> {
  return workOn(storePlaceOf(options, terminal), work);
}

async function workOn<T>(
  place: StorePlace,
  work: (accounts: AccountStore, store: Store) => Promise<T>,
): Promise<T> {
  const { openStore } = await import('../../store/open-store.ts');
  const store = await openStore(place);
  try {
    return await work(store.accounts, store);
  } finally {
    await store.close();
  }
}

/**
 * The account that is meant: the one that is named, or the only one.
 *
 * @throws DragomanError `usage` when there are several, `not_found` when there is none.
 */
export async function emailOf({ email }: AccountOptions, accounts: AccountStore): Promise<string> {
  if (email !== undefined) return email;
  const [only, ...others] = await accounts.list();
  if (!only) {
    throw new DragomanError('not_found', 'there are no accounts yet', {
      hint: 'dragoman keys create makes one.',
    });
  }
  if (others.length === 0) return only.email;
  throw new DragomanError('usage', `there are ${others.length + 1} accounts`, {
    hint: 'Name one with --email; dragoman keys list shows them.',
  });
}
