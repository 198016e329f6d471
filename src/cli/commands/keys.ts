import { InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { Account, KeyInfo } from '../../store/store.ts';
import type { CommandGroup, CommandModule } from '../output/command.ts';
import { OK } from '../output/exit-code.ts';
import { addStoreOptions, type StoreOptions } from '../options/store.ts';
import { addExamples } from '../output/help.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import {
  addAccountOptions,
  emailOf,
  reportChange,
  reportNewAccount,
  withNewStore,
  withStore,
  type AccountOptions,
} from '../execution/open-store.ts';
import type { Output } from '../output/output.ts';
import { columns, count, digits } from '../terminal/table.ts';

/** Accounts, keys and credits of a server's data directory, also while a server works on it. */
export const keys: CommandGroup = {
  describe(command) {
    addExamples(command, [
      [
        'dragoman keys create --email anna@example.org --name "Anna Schmidt" --credits 1000',
        'make an account and print its key',
      ],
      ['dragoman keys credit --email anna@example.org --add 500', 'give the account 500 credits more'],
    ]);
  },

  commands: [
    {
      name: 'create',
      summary: 'make an account with credits, and print its key',
      load: () => Promise.resolve(createCommand),
    },
    {
      name: 'list',
      summary: 'list the beginning of each key, its account and its credits',
      load: () => Promise.resolve(listCommand),
    },
    {
      name: 'reset',
      summary: 'revoke all keys of an account, and print a new one',
      load: () => Promise.resolve(resetCommand),
    },
    {
      name: 'revoke',
      summary: 'revoke all keys of an account',
      load: () => Promise.resolve(revokeCommand),
    },
    {
      name: 'credit',
      summary: 'give an account more credits',
      load: () => Promise.resolve(creditCommand),
    },
    {
      name: 'limit',
      summary: 'limit the jobs, files and requests of an account',
      load: async () => (await import('./keys/settings.ts')).limitCommand,
    },
    {
      name: 'glossary',
      summary: 'give an account a glossary of its own',
      load: async () => (await import('./keys/settings.ts')).glossaryCommand,
    },
    {
      name: 'memory',
      summary: 'have an account keep its translations',
      load: async () => (await import('./keys/settings.ts')).memoryCommand,
    },
    {
      name: 'webhook-secret',
      summary: 'print the secret that signs the webhooks of an account',
      load: () => Promise.resolve(webhookSecretCommand),
    },
  ],
};

interface NewAccountOptions extends StoreOptions, DryRunFlags {
  readonly email: string;
  readonly name?: string;
  readonly credits: number;
}

/** RFC 5321: no address is longer. */
const MAX_EMAIL = 254;
const MAX_NAME = 200;

const createCommand: CommandModule<NewAccountOptions> = {
  configure(command) {
    command
      .requiredOption('--email <address>', 'whose account it is: one account per address')
      .option('--name <name>', "the holder's full name; default: the address")
      .addOption(new Option('--credits <n>', 'credits to begin with').argParser(credits).default(0, '0'));
    addStoreOptions(command);
    addDryRunOption(command, 'only check the values');
    addExamples(command, [
      [
        'dragoman keys create --email anna@example.org --name "Anna Schmidt" --credits 1000',
        'make an account and print its key',
      ],
      [
        'export DRAGOMAN_API_KEY=$(dragoman keys create --data-dir ./data --email ci@example.org)',
        'keep the key for the commands that follow',
      ],
    ]);
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    const email = checkEmail(options.email);
    const fullName = checkName(options.name ?? email);
    const { credits } = options;
    if (options.dryRun) return reportNewAccount(options, { email, credits }, context);
    const { key } = await withNewStore(options, terminal, (accounts) =>
      accounts.create({ email, fullName, credits }),
    );
    if (output.json) {
      output.document({ key, email, credits });
    } else {
      output.result(key);
      noteKey(output);
    }
    return OK;
  },
};

/** Commander's parser of a number of credits. */
export function credits(text: string): number {
  const amount = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(amount)) return amount;
  throw new InvalidArgumentError('It takes a whole number of credits.');
}

function checkEmail(email: string): string {
  if (email.length <= MAX_EMAIL && /^[^\s@]+@[^\s@]+$/.test(email) && !hasControls(email)) return email;
  throw new DragomanError('usage', '--email takes an e-mail address', {
    hint: 'For example: --email anna@example.org',
  });
}

function checkName(name: string): string {
  if (name.trim() !== '' && name.length <= MAX_NAME && !hasControls(name)) return name;
  throw new DragomanError('usage', `--name takes a name of 1 to ${MAX_NAME} characters`);
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

const listCommand: CommandModule<AccountOptions> = {
  configure(command) {
    command.option('--email <address>', 'only the keys of this account');
    addStoreOptions(command);
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
      `${digits(key.credits_remaining)} of ${count(key.total_credits, 'credit')}`,
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

const resetCommand: CommandModule<AccountOptions> = {
  configure(command) {
    addAccountOptions(command);
    addDryRunOption(command, 'only print what would change');
    addExamples(command, [
      ['dragoman keys reset --email anna@example.org', 'revoke all keys of the account and print a new one'],
      ['dragoman keys reset --data-dir ./data --json', 'the same for the only account, as a document'],
    ]);
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    if (options.dryRun)
      return reportChange(options, context, 'all keys would be revoked, and a new one made');
    const { email, key } = await withStore(options, terminal, async (accounts) => {
      const email = await emailOf(options, accounts);
      return { email, key: await accounts.resetKey(email) };
    });
    if (output.json) {
      output.document({ key, email });
    } else {
      output.result(key);
      noteKey(output);
    }
    return OK;
  },
};

const revokeCommand: CommandModule<AccountOptions> = {
  configure(command) {
    addAccountOptions(command);
    addDryRunOption(command, 'only print what would change');
    addExamples(command, [
      ['dragoman keys revoke --email anna@example.org', 'refuse all keys of the account from now on'],
      ['dragoman keys revoke --data-dir ./data --json', 'the same for the only account, as a document'],
    ]);
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    if (options.dryRun) return reportChange(options, context, 'all keys would be revoked');
    const { email, revoked } = await withStore(options, terminal, async (accounts) => {
      const email = await emailOf(options, accounts);
      return { email, revoked: await accounts.revokeKeys(email) };
    });
    if (output.json) {
      output.document({ email, revoked });
    } else if (revoked === 0) {
      output.message(`${email} has no valid key.`);
    } else {
      const keys = revoked === 1 ? 'The key' : `${revoked} keys`;
      output.message(`${keys} of ${email} can no longer be used. dragoman keys reset gives a new one.`);
    }
    return OK;
  },
};

interface CreditOptions extends AccountOptions {
  readonly add: number;
}

const creditCommand: CommandModule<CreditOptions> = {
  configure(command) {
    addAccountOptions(command);
    addDryRunOption(command, 'only print what would change');
    command.addOption(
      new Option('--add <n>', 'how many credits more').argParser(credits).makeOptionMandatory(),
    );
    addExamples(command, [
      ['dragoman keys credit --email anna@example.org --add 500', 'give the account 500 credits more'],
      ['dragoman keys credit --data-dir ./data --add 500 --json', 'the same for the only account'],
    ]);
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    if (options.add === 0) throw new DragomanError('usage', '--add takes at least 1 credit');
    if (options.dryRun)
      return reportChange(options, context, `would get ${count(options.add, 'credit')} more`);
    const account = await withStore(options, terminal, async (accounts) =>
      accounts.grant(await emailOf(options, accounts), options.add),
    );
    const { email, granted, balance, reserved } = account;
    const remaining = balance - reserved;
    if (output.json) {
      output.document({ email, total_credits: granted, credits_remaining: remaining });
    } else {
      output.result(`${email}: ${digits(remaining)} of ${count(granted, 'credit')} remaining`);
    }
    return OK;
  },
};

const webhookSecretCommand: CommandModule<AccountOptions> = {
  configure(command) {
    addAccountOptions(command);
    addExamples(command, [
      [
        'dragoman keys webhook-secret --email anna@example.org',
        'print the secret that signs webhooks of the account (Standard Webhooks)',
      ],
      [
        'export DRAGOMAN_WEBHOOK_SECRET=$(dragoman keys webhook-secret --data-dir ./data)',
        'keep it for a receiver, where there is only one account',
      ],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { email, webhookSecret: secret } = await withStore(options, terminal, async (accounts) =>
      accounts.require(await emailOf(options, accounts)),
    );
    if (output.json) output.document({ email, webhook_secret: secret });
    else output.result(secret);
    return OK;
  },
};

/** Standard output is the key alone, so that a script can take it; what to do with it stands beside. */
function noteKey(output: Output): void {
  output.message('Requests send this key in the header X-API-KEY. It is shown only this once.');
}
