import { closing } from '../../base/closing.ts';
import { join } from 'node:path';
import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import type { AccountStore, NewAccount } from '../../store/account-store.ts';
import type { Store } from '../../store/store.ts';
import type { StorePlace } from '../../store/open-store.ts';
import type { CommandContext } from '../output/command.ts';
import type { ExitCode } from '../output/exit-code.ts';
import type { DryRunFlags } from '../options/dry-run.ts';
import { addStoreOptions, storePlaceOf, type StoreOptions } from '../options/store.ts';
import { pluralize } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface AccountOptions extends StoreOptions, DryRunFlags {
  readonly email?: string;
}

/** Adds the options for the store and `--email`, for commands on one existing account. */
export function addAccountOptions(command: Command): void {
  addStoreOptions(command);
  command.option('--email <address>', 'the account; optional if there is only one');
}

/**
 * Opens the store for `work`, and closes it afterwards. A server may have it open at the same time.
 *
 * @throws DragomanError `not_found` for a missing directory, so that a misspelt name does not create one
 */
export async function withStore<T>(
  options: StoreOptions,
  terminal: Terminal,
  work: (accounts: AccountStore, store: Store) => Promise<T>,
): Promise<T> {
  const place = storePlaceOf(options, terminal);
  await requireStore(
    place,
    'Create one with dragoman keys create, or name another directory with --data-dir.',
  );
  return workOn(place, work);
}

/** @throws DragomanError `not_found` for a missing directory, so that a misspelt name does not create one */
export async function requireStore(place: StorePlace, hint: string): Promise<void> {
  if (!('directory' in place) || (await hasStore(place))) return;
  throw new DragomanError('not_found', `there are no accounts in ${place.directory}`, { hint });
}

/** Whether a store exists. */
export async function hasStore(place: StorePlace): Promise<boolean> {
  // A shared store is created by `store migrate`; opening reports a missing one.
  if (!('directory' in place)) return true;
  const { DATABASE_FILE } = await import('../../store/sqlite/database.ts');
  return typeAt(join(place.directory, DATABASE_FILE)) !== undefined;
}

/**
 * Ends `--dry-run` of new accounts, without creating a missing store.
 *
 * @throws DragomanError `usage`
 */
export async function reportNewAccounts(
  options: StoreOptions,
  planned: readonly Pick<NewAccount, 'email' | 'credits'>[],
  { terminal, output }: CommandContext,
): Promise<ExitCode> {
  const place = storePlaceOf(options, terminal);
  const all = (await hasStore(place)) ? await workOn(place, (accounts) => accounts.list()) : [];
  const known = new Set(all.map((account) => account.email));
  const taken = planned.find(({ email }) => known.has(email));
  if (taken) throw new DragomanError('usage', `${taken.email} already has an account`);
  const accounts = planned.map(({ email, credits }) => ({ email, credits }));
  const [only] = accounts;
  if (only && accounts.length === 1)
    return output.answer({ dry_run: true, ...only }, () =>
      output.result(`${only.email}: would get an account with ${pluralize(only.credits, 'credit')}`),
    );
  const credits = accounts.reduce((sum, account) => sum + account.credits, 0);
  return output.answer({ dry_run: true, accounts }, () =>
    output.result(
      `${pluralize(accounts.length, 'account')} would be created, with ${pluralize(credits, 'credit')} in total`,
    ),
  );
}

/** Ends `--dry-run` of a command on one account. @throws DragomanError like {@link withStore} and {@link emailOf} */
export async function reportChange(
  options: AccountOptions,
  { terminal, output }: CommandContext,
  change: string,
): Promise<ExitCode> {
  const { email } = await withStore(options, terminal, async (accounts) =>
    accounts.require(await emailOf(options, accounts)),
  );
  return output.answer({ dry_run: true, email, change }, () => output.result(`${email}: ${change}`));
}

/** Like {@link withStore}, but creates a missing store. */
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
  return closing(await openStore(place), (store) => work(store.accounts, store));
}

/**
 * The named account, or the only one.
 *
 * @throws DragomanError `usage` if there are several, `not_found` without any.
 */
export async function emailOf({ email }: AccountOptions, accounts: AccountStore): Promise<string> {
  if (email !== undefined) return email;
  const [only, ...others] = await accounts.list();
  if (!only) {
    throw new DragomanError('not_found', 'there are no accounts yet', {
      hint: 'Create one with dragoman keys create.',
    });
  }
  if (others.length === 0) return only.email;
  throw new DragomanError('usage', `there are ${others.length + 1} accounts`, {
    hint: 'Name one with --email; dragoman keys list shows them.',
  });
}
