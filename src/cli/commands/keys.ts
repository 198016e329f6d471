import { DragomanError } from '../../base/errors.ts';
import type { Account, KeyInfo } from '../../store/account-store.ts';
import type { CommandGroup, CommandModule } from '../output/command.ts';
import { addStoreOptions } from '../options/store.ts';
import { addDryRunOption } from '../options/dry-run.ts';
import {
  addAccountOptions,
  emailOf,
  reportChange,
  withStore,
  type AccountOptions,
} from '../execution/open-store.ts';
import { confirm } from '../terminal/input.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { credits, expiryOf, EXPIRY, printKey } from './keys/new-key.ts';
import { pluralize, digits } from '../terminal/table.ts';
import { duration } from '../options/engine.ts';

/** Accounts, keys and credits in a server's data directory, which a server may be using. */
export const keys: CommandGroup = {
  examples: [
    [
      'dragoman keys create --email anna@example.org --name "Anna Schmidt" --credits 1000',
      'create an account and print its key',
    ],
    ['dragoman keys credit --email anna@example.org --add 500', 'give the account 500 more credits'],
  ],

  commands: [
    {
      name: 'create',
      summary: 'create an account with credits, and print its key',
      load: async () => (await import('./keys/create.ts')).createCommand,
    },
    {
      name: 'list',
      summary: 'list accounts, the beginnings of their keys, and credits',
      load: () => listCommand,
    },
    {
      name: 'reset',
      summary: 'revoke all keys of an account, and print a new one',
      load: () => resetCommand,
    },
    { name: 'revoke', summary: 'revoke all keys of an account', load: () => revokeCommand },
    { name: 'credit', summary: 'give an account more credits', load: () => creditCommand },
    {
      name: 'limit',
      summary: 'limit the jobs, files and requests of an account',
      load: async () => (await import('./keys/settings.ts')).limitCommand,
    },
    {
      name: 'glossary',
      summary: 'give an account its own glossary',
      load: async () => (await import('./keys/settings.ts')).glossaryCommand,
    },
    {
      name: 'memory',
      summary: 'keep the translations of an account for reuse',
      load: async () => (await import('./keys/settings.ts')).memoryCommand,
    },
    {
      name: 'usage',
      summary: 'list what each account was charged in a month',
      load: async () => (await import('./keys/usage.ts')).usageCommand,
    },
    {
      name: 'webhook-secret',
      summary: 'print the secret that signs the webhooks of an account',
      load: () => webhookSecretCommand,
    },
  ],
};

const listCommand: CommandModule<AccountOptions> = {
  examples: [
    ['dragoman keys list', 'the beginning of each key, its account and the remaining credits'],
    ['dragoman keys list --email anna@example.org --json', 'the keys of one account, as JSON'],
  ],
  configure(command) {
    command.option('--email <address>', 'only the keys of this account');
    addStoreOptions(command);
  },

  async run(_args, options, { terminal, output }) {
    const { email } = options;
    const accounts = await withStore(options, terminal, async (store) => {
      if (email !== undefined) await store.require(email);
      const all = await store.list();
      return email === undefined ? all : all.filter((account) => account.email === email);
    });
    const keys = accounts.flatMap((account) => account.keys.map((key) => describeKey(account, key)));
    const rows = keys.map((key) => [
      `${key.prefix}…`,
      key.email,
      key.full_name,
      `${digits(key.credits_remaining)} of ${pluralize(key.total_credits, 'credit')}`,
      `since ${dayOf(key.created_at)}`,
      stateOf(key),
    ]);
    return output.answer({ keys }, () => {
      if (keys.length === 0)
        output.message('There are no accounts yet. Create one with dragoman keys create.');
      output.table(rows);
    });
  },
};

/** Fields that are also in the account summary have the same names. */
function describeKey(account: Account, { prefix, createdAt, revokedAt, expiresAt }: KeyInfo) {
  const timeOf = (time: number | undefined): string | null =>
    time === undefined ? null : new Date(time).toISOString();
  return {
    prefix,
    email: account.email,
    full_name: account.fullName,
    total_credits: account.granted,
    credits_remaining: account.balance - account.reserved,
    created_at: new Date(createdAt).toISOString(),
    revoked_at: timeOf(revokedAt),
    expires_at: timeOf(expiresAt),
  };
}

function stateOf({ revoked_at, expires_at }: ReturnType<typeof describeKey>): string {
  if (revoked_at !== null) return `revoked ${dayOf(revoked_at)}`;
  if (expires_at === null) return 'valid';
  return Date.parse(expires_at) > Date.now()
    ? `valid until ${dayOf(expires_at)}`
    : `expired ${dayOf(expires_at)}`;
}

function dayOf(time: string): string {
  return time.slice(0, 'yyyy-mm-dd'.length);
}

interface ResetOptions extends AccountOptions {
  readonly expires?: number;
}

const resetCommand: CommandModule<ResetOptions> = {
  examples: [
    ['dragoman keys reset --email anna@example.org', 'revoke all keys of the account and print a new one'],
    ['dragoman keys reset --data-dir ./data --json', 'the same for the only account, as JSON'],
  ],
  configure(command) {
    addAccountOptions(command);
    command.option('--expires <time>', EXPIRY, duration);
    addDryRunOption(command, 'only print what would change');
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    if (options.dryRun)
      return reportChange(options, context, 'all keys would be revoked, and a new one created');
    const { email, key } = await withStore(options, terminal, async (accounts) => {
      const email = await emailOf(options, accounts);
      return { email, key: await accounts.resetKey(email, expiryOf(options)) };
    });
    return output.answer({ key, email }, () => printKey(key, output));
  },
};

interface RevocationOptions extends AccountOptions {
  readonly yes?: boolean;
  readonly input?: boolean;
}

const revokeCommand: CommandModule<RevocationOptions> = {
  examples: [
    ['dragoman keys revoke --email anna@example.org', 'refuse all keys of the account from now on'],
    ['dragoman keys revoke --data-dir ./data --json', 'the same for the only account, as JSON'],
  ],
  configure(command) {
    addAccountOptions(command);
    command.option('-y, --yes', 'do not ask');
    addDryRunOption(command, 'only print what would change');
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    if (options.dryRun) return reportChange(options, context, 'all keys would be revoked');
    const { email, revoked } = await withStore(options, terminal, async (accounts) => {
      const { email } = await accounts.require(await emailOf(options, accounts));
      const isMeant = await confirmRevocation(email, options, terminal);
      return { email, revoked: isMeant ? await accounts.revokeKeys(email) : undefined };
    });
    return output.answer({ email, revoked: revoked ?? 0 }, () => {
      const keys = revoked === 1 ? 'The key' : `${revoked} keys`;
      if (revoked === undefined) output.message('nothing was revoked');
      else if (revoked === 0) output.message(`${email} has no valid key.`);
      else
        output.message(`${keys} of ${email} can no longer be used. dragoman keys reset creates a new one.`);
    });
  },
};

/** Scripts are not asked, because revoking a leaked key must not wait. */
async function confirmRevocation(
  email: string,
  { yes, input }: RevocationOptions,
  terminal: Terminal,
): Promise<boolean> {
  if (yes === true || input === false || terminal.stdin.isTTY !== true) return true;
  return confirm(terminal, `Revoke all keys of ${email}? Requests with them are refused at once.`);
}

interface CreditOptions extends AccountOptions {
  readonly add: number;
}

const creditCommand: CommandModule<CreditOptions> = {
  examples: [
    ['dragoman keys credit --email anna@example.org --add 500', 'give the account 500 more credits'],
    ['dragoman keys credit --data-dir ./data --add 500 --json', 'the same for the only account'],
  ],
  configure(command) {
    addAccountOptions(command);
    addDryRunOption(command, 'only print what would change');
    command.requiredOption('--add <n>', 'number of credits to add', credits);
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    if (options.add === 0) throw new DragomanError('usage', '--add takes at least 1 credit');
    if (options.dryRun)
      return reportChange(options, context, `would get ${pluralize(options.add, 'more credit')}`);
    const account = await withStore(options, terminal, async (accounts) =>
      accounts.grant(await emailOf(options, accounts), options.add),
    );
    const { email, granted, balance, reserved } = account;
    const remaining = balance - reserved;
    return output.answer({ email, total_credits: granted, credits_remaining: remaining }, () =>
      output.result(`${email}: ${digits(remaining)} of ${pluralize(granted, 'credit')} remaining`),
    );
  },
};

const webhookSecretCommand: CommandModule<AccountOptions> = {
  examples: [
    [
      'dragoman keys webhook-secret --email anna@example.org',
      'print the secret that signs the webhooks of the account (Standard Webhooks)',
    ],
    [
      'export DRAGOMAN_WEBHOOK_SECRET=$(dragoman keys webhook-secret --data-dir ./data)',
      'pass it to a receiver, if there is only one account',
    ],
  ],
  configure: addAccountOptions,

  async run(_args, options, { terminal, output }) {
    const { email, webhookSecret: secret } = await withStore(options, terminal, async (accounts) =>
      accounts.require(await emailOf(options, accounts)),
    );
    return output.answer({ email, webhook_secret: secret }, () => output.result(secret));
  },
};
