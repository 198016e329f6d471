import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import {
  type Account,
  createAccount,
  grantCredits,
  listAccounts,
  requireAccountByEmail,
} from '../../store/accounts.ts';
import type { Database } from '../../store/database.ts';
import { type KeyInfo, resetKey, revokeKeys } from '../../store/keys.ts';
import type { CommandGroup, CommandModule } from '../command.ts';
import { addDataDirectoryOption, dataDirectoryOf, type DataDirectoryOptions } from '../data-directory.ts';
import { OK } from '../exit-code.ts';
import { addExamples } from '../help.ts';
import type { Output } from '../output.ts';
import { columns, count, digits } from '../table.ts';
import type { Terminal } from '../terminal.ts';

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
      name: 'webhook-secret',
      summary: 'print the secret that signs the webhooks of an account',
      load: () => Promise.resolve(webhookSecretCommand),
    },
  ],
};

interface NewAccountOptions extends DataDirectoryOptions {
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
    addDataDirectoryOption(command);
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

  async run(_args, options, { terminal, output }) {
    const email = checkEmail(options.email);
    const fullName = checkName(options.name ?? email);
    const { credits } = options;
    const { key } = await withNewStore(options, terminal, (database) =>
      createAccount(database, { email, fullName, credits }),
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
    addDataDirectoryOption(command);
    addExamples(command, [
      ['dragoman keys list', 'the beginning of every key, whose it is, and what is left'],
      ['dragoman keys list --email anna@example.org --json', 'those of one account, as a document'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { email } = options;
    const accounts = await withStore(options, terminal, async (database) => {
      if (email !== undefined) await requireAccountByEmail(database, email);
      const all = await listAccounts(database);
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
    addExamples(command, [
      ['dragoman keys reset --email anna@example.org', 'revoke all keys of the account and print a new one'],
      ['dragoman keys reset --data-dir ./data --json', 'the same for the only account, as a document'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { email, key } = await withStore(options, terminal, async (database) => {
      const email = await emailOf(options, database);
      return { email, key: await resetKey(database, email) };
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
    addExamples(command, [
      ['dragoman keys revoke --email anna@example.org', 'refuse all keys of the account from now on'],
      ['dragoman keys revoke --data-dir ./data --json', 'the same for the only account, as a document'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { email, revoked } = await withStore(options, terminal, async (database) => {
      const email = await emailOf(options, database);
      return { email, revoked: await revokeKeys(database, email) };
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
    command.addOption(
      new Option('--add <n>', 'how many credits more').argParser(credits).makeOptionMandatory(),
    );
    addExamples(command, [
      ['dragoman keys credit --email anna@example.org --add 500', 'give the account 500 credits more'],
      ['dragoman keys credit --data-dir ./data --add 500 --json', 'the same for the only account'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    if (options.add === 0) throw new DragomanError('usage', '--add takes at least 1 credit');
    const account = await withStore(options, terminal, async (database) =>
      grantCredits(database, await emailOf(options, database), options.add),
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
    const { email, webhookSecret: secret } = await withStore(options, terminal, async (database) =>
      requireAccountByEmail(database, await emailOf(options, database)),
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

interface AccountOptions extends DataDirectoryOptions {
  readonly email?: string;
}

/** `--data-dir` and `--email`, for the commands on one account that is there. */
function addAccountOptions(command: Command): void {
  addDataDirectoryOption(command);
  command.addOption(new Option('--email <address>', 'the account; may be left out where there is only one'));
}

/**
 * Opens the store for `work` and closes it after. A server may have it open meanwhile.
 *
 * @throws DragomanError `not_found` when there is none: a misspelt directory is not made.
 */
async function withStore<T>(
  options: DataDirectoryOptions,
  terminal: Terminal,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const directory = dataDirectoryOf(options, terminal);
  const { DATABASE_FILE } = await import('../../store/database.ts');
  const exists = await access(join(directory, DATABASE_FILE)).then(
    () => true,
    () => false,
  );
  if (!exists) {
    throw new DragomanError('not_found', `there are no accounts in ${directory}`, {
      hint: 'Make one with dragoman keys create, or name another directory with --data-dir.',
    });
  }
  return openStore(directory, work);
}

/** The same for a store that is made where it is missing. */
async function withNewStore<T>(
  options: DataDirectoryOptions,
  terminal: Terminal,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return openStore(dataDirectoryOf(options, terminal), work);
}

async function openStore<T>(directory: string, work: (database: Database) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../../store/database.ts');
  const database = await openDatabase(directory);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * The account that is meant: the one that is named, or the only one.
 *
 * @throws DragomanError `usage` when there are several, `not_found` when there is none.
 */
async function emailOf({ email }: AccountOptions, database: Database): Promise<string> {
  if (email !== undefined) return email;
  const [only, ...others] = await listAccounts(database);
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
