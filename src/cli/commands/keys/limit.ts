import { InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../../base/errors.ts';
import type { AccountLimits } from '../../../store/store.ts';
import type { CommandModule } from '../../command.ts';
import { OK } from '../../exit-code.ts';
import { addDryRunOption } from '../../options.ts';
import { wholeNumber } from '../../engine-options.ts';
import { addExamples } from '../../help.ts';
import {
  addAccountOptions,
  emailOf,
  reportChange,
  withStore,
  type AccountOptions,
} from '../../keys/store.ts';

/** Commander makes an empty text of null. */
type Limit = number | typeof NONE;

const NONE = 'none';

interface LimitOptions extends AccountOptions {
  readonly jobs?: Limit;
  readonly megabytes?: Limit;
  readonly concurrency?: Limit;
}

const MEGABYTE = 1024 * 1024;

export const limitCommand: CommandModule<LimitOptions> = {
  configure(command) {
    addAccountOptions(command);
    addDryRunOption(command, 'only print what would change');
    command
      .addOption(limitOption('--jobs <n>', 'jobs that it may have on the server'))
      .addOption(limitOption('--megabytes <n>', 'size of the files of its jobs, translated ones too'))
      .addOption(limitOption('--concurrency <n>', 'requests of one key in work at once'));
    addExamples(command, [
      [
        'dragoman keys limit --email anna@example.org --jobs 100 --megabytes 500',
        'keep the account from filling the disk',
      ],
      ['dragoman keys limit --data-dir ./data --jobs none --json', 'take a limit away again'],
    ]);
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    const { jobs, megabytes, concurrency } = options;
    if (jobs === undefined && megabytes === undefined && concurrency === undefined) {
      throw new DragomanError('usage', 'no limit is named', {
        hint: 'Name --jobs, --megabytes or --concurrency, with a number or none.',
      });
    }
    if (options.dryRun) return reportChange(options, context, 'the limits would change');
    const changes = {
      jobs: limitOf(jobs),
      bytes: limitOf(megabytes, MEGABYTE),
      concurrency: limitOf(concurrency),
    };
    const { email, limits } = await withStore(options, terminal, async (accounts) =>
      accounts.limit(await emailOf(options, accounts), changes),
    );
    const shown = showLimits(limits);
    if (output.json) {
      output.document({ email, ...shown });
    } else {
      const words = Object.entries(shown).map(([name, value]) => `${name} ${value ?? NONE}`);
      output.result(`${email}: ${words.join(', ')}`);
    }
    return OK;
  },
};

function showLimits({ jobs, bytes, concurrency }: AccountLimits) {
  return {
    jobs: jobs ?? null,
    megabytes: bytes === undefined ? null : bytes / MEGABYTE,
    concurrency: concurrency ?? null,
  };
}

function limitOf(limit: Limit | undefined, unit = 1): number | null | undefined {
  return limit === NONE ? null : limit && limit * unit;
}

function limitOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; ${NONE} for any number`).argParser((text) => {
    if (text === NONE) return NONE;
    const value = /^\d{1,9}$/.test(text) ? wholeNumber(text) : 0;
    if (value > 0) return value;
    throw new InvalidArgumentError('It takes a whole number above 0, or none.');
  });
}
