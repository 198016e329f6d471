import { InvalidArgumentError } from 'commander';
import type { AccountUsage } from '../../../store/account-store.ts';
import type { CommandModule } from '../../output/command.ts';
import { withStore } from '../../execution/open-store.ts';
import { addStoreOptions, type StoreOptions } from '../../options/store.ts';
import { digits } from '../../terminal/table.ts';

interface Month {
  /** `2026-11` */
  readonly name: string;
  /** Milliseconds since the epoch; `until` is the beginning of the next month. */
  readonly from: number;
  readonly until: number;
}

interface UsageOptions extends StoreOptions {
  readonly month?: Month;
  readonly email?: string;
}

export const usageCommand: CommandModule<UsageOptions> = {
  examples: [
    ['dragoman keys usage --month 2026-11', 'credits that each account was charged in November'],
    ['dragoman keys usage --email anna@example.org --json', 'by operation, as JSON'],
  ],
  configure(command) {
    command
      .option('--month <month>', 'a month in UTC, such as 2026-11; default: the current one', monthOf)
      .option('--email <address>', 'only this account');
    addStoreOptions(command);
  },

  async run(_args, options, { terminal, output }) {
    const { email, month = monthOf(new Date().toISOString().slice(0, 'yyyy-mm'.length)) } = options;
    const usage = await withStore(options, terminal, async (accounts) => {
      if (email !== undefined) await accounts.require(email);
      const all = await accounts.usage(month);
      return email === undefined ? all : all.filter((one) => one.email === email);
    });
    const accounts = byAccount(usage);
    return output.answer({ month: month.name, accounts }, () => {
      if (accounts.length === 0) return output.message(`No charges in ${month.name}.`);
      const rows = accounts.map((account) => [
        account.email,
        digits(account.credits),
        Object.entries(account.operations)
          .map(([operation, credits]) => `${operation} ${digits(credits)}`)
          .join(', '),
      ]);
      const head = ['account', 'credits', `charged in ${month.name} for`];
      return output.table([head, ...rows]);
    });
  },
};

/** Commander's parser of a month. */
function monthOf(name: string): Month {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(name) ?? [];
  if (year === undefined) throw new InvalidArgumentError('Expected a year and a month, such as 2026-11.');
  const startOf = (after: number): number => Date.UTC(Number(year), Number(month) - 1 + after);
  return { name, from: startOf(0), until: startOf(1) };
}

interface UsedAccount {
  readonly email: string;
  readonly full_name: string;
  readonly credits: number;
  readonly charges: number;
  /** Credits. */
  readonly operations: Readonly<Record<string, number>>;
}

/** The highest charge first. */
function byAccount(usage: readonly AccountUsage[]): readonly UsedAccount[] {
  const accounts = new Map<string, UsedAccount>();
  for (const { email, fullName, operation, credits, charges } of usage) {
    const known = accounts.get(email);
    accounts.set(email, {
      email,
      full_name: fullName,
      credits: (known?.credits ?? 0) + credits,
      charges: (known?.charges ?? 0) + charges,
      operations: { ...known?.operations, [operation]: credits },
    });
  }
  return [...accounts.values()].toSorted((a, b) => b.credits - a.credits);
}
