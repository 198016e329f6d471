import type { Account, KeyInfo } from '../../store/store.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { columns } from '../table.ts';
import { addDataDirectoryOption } from '../data-directory.ts';
import { withStore, type AccountOptions } from './store.ts';

export const list: CommandModule<AccountOptions> = {
  configure(command) {
    command.option('--email <address>', 'only the keys of this account');
    addDataDirectoryOption(command);
    addExamples(command, [
      ['dragoman keys list', 'the beginning of every key, whose it is, and what is left'],
      ['dragoman keys list --email anna@example.org --json', 'those of one account, as a document'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { email } = options;
    const accounts = await withStore(options, terminal, async (store) => {
      if (email !== undefined) await store.require(email);
      const all = await store.list();
      return email === undefined ? all : all.filter((account) => account.email === email);
    });
    const keys = accounts.flatMap((account) => account.keys.map((key) => describeKey(account, key)));
    if (output.json) {
      output.document({ keys });
      return OK;
    }
    if (keys.length === 0) output.message('There are no accounts yet: dragoman keys create makes one.');
    const rows = keys.map((key) => [
      `${key.prefix}…`,
      key.email,
      key.full_name,
      `${key.credits_remaining} of ${key.total_credits} credits`,
      `since ${dayOf(key.created_at)}`,
      key.revoked_at === null ? 'valid' : `revoked ${dayOf(key.revoked_at)}`,
    ]);
    for (const line of columns(rows)) output.result(line);
    return OK;
  },
};

/** In the names of the account summary, where it has them. */
function describeKey(account: Account, { prefix, createdAt, revokedAt }: KeyInfo) {
  return {
    prefix,
    email: account.email,
    full_name: account.fullName,
    total_credits: account.granted,
    credits_remaining: account.balance - account.reserved,
    created_at: new Date(createdAt).toISOString(),
    revoked_at: revokedAt === undefined ? null : new Date(revokedAt).toISOString(),
  };
}

function dayOf(time: string): string {
  return time.slice(0, 'yyyy-mm-dd'.length);
}
