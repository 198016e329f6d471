import { resolve } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import type { NewAccount } from '../../../store/account-store.ts';
import type { CommandContext, CommandModule } from '../../output/command.ts';
import type { ExitCode } from '../../output/exit-code.ts';
import { credits, expiryOf, EXPIRY, printKey } from './new-key.ts';
import { reportNewAccounts, withNewStore } from '../../execution/open-store.ts';
import { addDryRunOption, type DryRunFlags } from '../../options/dry-run.ts';
import type { Output } from '../../output/output.ts';
import { addStoreOptions, type StoreOptions } from '../../options/store.ts';
import { pluralize } from '../../terminal/table.ts';
import { duration } from '../../options/engine.ts';

interface NewAccountOptions extends StoreOptions, DryRunFlags {
  readonly email?: string;
  readonly name?: string;
  readonly credits: number;
  readonly expires?: number;
  readonly from?: string;
}

export const createCommand: CommandModule<NewAccountOptions> = {
  examples: [
    [
      'dragoman keys create --email anna@example.org --name "Anna Schmidt" --credits 1000',
      'create an account and print its key',
    ],
    ['dragoman keys create --from people.csv --credits 1000 > keys.csv', 'many at once: all of them or none'],
  ],
  configure(command) {
    command
      .option('--email <address>', 'the address of the account (one account per address)')
      .option('--name <name>', "the holder's full name; default: the address")
      .option('--credits <n>', 'initial credits', credits, 0)
      .option('--expires <time>', EXPIRY, duration)
      .option(
        '--from <file>',
        'create many accounts from a CSV file with the columns email, name and credits',
      );
    addStoreOptions(command);
    addDryRunOption(command, 'only check the values');
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    if (options.from !== undefined) return createMany(options.from, options, context);
    const account = newAccount({ ...options, email: options.email ?? '' }, expiryOf(options));
    if (options.dryRun) return reportNewAccounts(options, [account], context);
    const { key } = await withNewStore(options, terminal, (accounts) => accounts.create(account));
    const { email, credits: granted } = account;
    return output.answer({ key, email, credits: granted }, () => printKey(key, output));
  },
};

async function createMany(
  file: string,
  options: NewAccountOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, output } = context;
  if (options.email !== undefined || options.name !== undefined) {
    throw new DragomanError('usage', '--from takes neither --email nor --name', {
      hint: 'The file has a row for each account.',
    });
  }
  const { readPeople } = await import('./people.ts');
  const expiresAt = expiryOf(options);
  const people = await readPeople(resolve(terminal.cwd, file), (person) =>
    newAccount({ ...person, credits: person.credits ?? options.credits }, expiresAt),
  );
  if (options.dryRun) return reportNewAccounts(options, people, context);
  const created = await withNewStore(options, terminal, (accounts) => accounts.createAll(people));
  const keys = created.map(({ key, account: { email, balance } }) => ({ key, email, credits: balance }));
  return output.answer({ keys }, () => printKeys(keys, output));
}

/** A table in the format of the input, so that a program can send each person their key. */
function printKeys(keys: readonly { readonly email: string; readonly key: string }[], output: Output): void {
  output.result('email,key');
  for (const { email, key } of keys)
    output.result(`${/[",]/.test(email) ? `"${email.replaceAll('"', '""')}"` : email},${key}`);
  output.message(`${pluralize(keys.length, 'account')} created. Each key is shown only this once.`);
}

/** The maximum length of an address (RFC 5321). */
const MAX_EMAIL = 254;
const MAX_NAME = 200;

interface WantedAccount {
  readonly email: string;
  readonly name?: string | undefined;
  readonly credits: number;
}

/** @throws DragomanError `usage` for an invalid address or name */
function newAccount(
  { email, name = email, credits }: WantedAccount,
  expiresAt: number | undefined,
): NewAccount {
  if (email.length > MAX_EMAIL || !/^[^\s@]+@[^\s@]+$/.test(email) || hasControls(email)) {
    throw new DragomanError(
      'usage',
      email === '' ? 'no e-mail address given' : `${email} is not an e-mail address`,
      {
        hint: 'For example: --email anna@example.org',
      },
    );
  }
  if (name.trim() === '' || name.length > MAX_NAME || hasControls(name))
    throw new DragomanError('usage', `a name has 1 to ${MAX_NAME} characters on one line`);
  return { email, fullName: name, credits, expiresAt };
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
