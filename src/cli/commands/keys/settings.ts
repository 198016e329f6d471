import { resolve } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../../base/errors.ts';
import { type Glossary, readGlossary, writeGlossary } from '../../../pipeline/glossary.ts';
import type { AccountLimits } from '../../../store/account-store.ts';
import type { CommandModule } from '../../output/command.ts';
import { wholeNumber } from '../../options/engine.ts';
import {
  type AccountOptions,
  addAccountOptions,
  emailOf,
  reportChange,
  withStore,
} from '../../execution/open-store.ts';
import { addDryRunOption } from '../../options/dry-run.ts';
import { pluralize } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Commander would convert null to an empty text. */
type Limit = number | typeof NO_LIMIT;

const NO_LIMIT = 'none';

interface LimitOptions extends AccountOptions {
  readonly jobs?: Limit;
  readonly megabytes?: Limit;
  readonly concurrency?: Limit;
}

const MEGABYTE = 1024 * 1024;

export const limitCommand: CommandModule<LimitOptions> = {
  examples: [
    [
      'dragoman keys limit --email anna@example.org --jobs 100 --megabytes 500',
      'keep the account from filling the disk',
    ],
    ['dragoman keys limit --data-dir ./data --jobs none --json', 'remove a limit'],
  ],
  configure(command) {
    addAccountOptions(command);
    addDryRunOption(command, 'only print what would change');
    command
      .addOption(limitOption('--jobs <n>', 'maximum number of jobs on the server'))
      .addOption(limitOption('--megabytes <n>', 'maximum size of its job files, including translations'))
      .addOption(limitOption('--concurrency <n>', 'maximum concurrent requests per key'));
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    const { jobs, megabytes, concurrency } = options;
    if (jobs === undefined && megabytes === undefined && concurrency === undefined) {
      throw new DragomanError('usage', 'no limit given', {
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
    const words = Object.entries(shown).map(([name, value]) => `${name} ${value ?? NO_LIMIT}`);
    return output.answer({ email, ...shown }, () => output.result(`${email}: ${words.join(', ')}`));
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
  return limit === NO_LIMIT ? null : limit && limit * unit;
}

function limitOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; ${NO_LIMIT}: unlimited`).argParser((text) => {
    if (text === NO_LIMIT) return NO_LIMIT;
    const value = /^\d{1,9}$/.test(text) ? wholeNumber(text) : 0;
    if (value > 0) return value;
    throw new InvalidArgumentError('Expected a whole number above 0, or none.');
  });
}

interface GlossaryOptions extends AccountOptions {
  readonly remove?: boolean;
}

export const glossaryCommand: CommandModule<GlossaryOptions> = {
  examples: [
    [
      'dragoman keys glossary terms.csv --email anna@example.org',
      'give the account a glossary, replacing any other',
    ],
    ['dragoman keys glossary --data-dir ./data --remove --json', 'remove the glossary of the only account'],
  ],
  details: `It applies to texts, documents and jobs of this account only; its terms override those of serve --glossary.
Running servers use it within 5 seconds; jobs use it from their next language on.`,
  configure(command) {
    command.argument(
      '[file]',
      'terms with translations (.csv or .yaml); if omitted, prints the current setting',
    );
    addAccountOptions(command);
    command.option('--remove', 'remove the glossary');
    addDryRunOption(command, 'only read the file, and print what would change');
  },

  async run([file], options, context) {
    const { terminal, output } = context;
    const { remove = false, dryRun } = options;
    if (file !== undefined && remove)
      throw new DragomanError('usage', '--remove takes no file', { hint: 'Leave one of them out.' });
    const glossary = file === undefined ? undefined : await readFile(file, terminal);
    if (dryRun && (glossary || remove)) return reportChange(options, context, describeChange(glossary));
    const { email, terms } = await withStore(options, terminal, async (accounts, { resources }) => {
      const { id, email } = await accounts.require(await emailOf(options, accounts));
      if (glossary || remove) await resources.setGlossary(id, glossary && writeGlossary(glossary));
      const content = await resources.glossaryOf(id);
      return { email, terms: content === undefined ? undefined : readGlossary(content).terms.length };
    });
    const what = terms === undefined ? 'no glossary' : `a glossary of ${pluralize(terms, 'term')}`;
    return output.answer({ email, terms: terms ?? null }, () => output.result(`${email}: ${what}`));
  },
};

async function readFile(file: string, { cwd }: Terminal): Promise<Glossary> {
  const { loadGlossary } = await import('../../../project/glossary/glossary.ts');
  return loadGlossary(resolve(cwd, file));
}

function describeChange(glossary: Glossary | undefined): string {
  return glossary
    ? `would get a glossary of ${pluralize(glossary.terms.length, 'term')}`
    : 'the glossary would be removed';
}

export const memoryCommand: CommandModule<AccountOptions> = {
  examples: [
    [
      'dragoman keys memory on --email anna@example.org',
      "keep the account's translations, for its own texts",
    ],
    [
      'dragoman keys memory off --data-dir ./data --json',
      'delete the translations of the only account, and stop keeping them',
    ],
  ],
  details: `If the account sends a text again, it gets the kept translation, at the same price. Other accounts never get it.
The store keeps translations and digests of texts, at most 100,000 per account. Running servers notice a change within
5 seconds.`,
  configure(command) {
    const what = 'whether to keep translations; if omitted, prints the current setting';
    command.addArgument(new Argument('[switch]', what).choices(['on', 'off']));
    addAccountOptions(command);
    addDryRunOption(command, 'only print what would change');
  },

  async run([word], options, context) {
    const { terminal, output } = context;
    const isKept = word === 'on';
    if (options.dryRun && word !== undefined) {
      const change = isKept
        ? 'translations would be kept'
        : 'the translations that are kept would be deleted';
      return reportChange(options, context, change);
    }
    const { email, translations } = await withStore(options, terminal, async (accounts, { resources }) => {
      const { id, email } = await accounts.require(await emailOf(options, accounts));
      if (word !== undefined) await resources.setMemory(id, isKept);
      return { email, translations: await resources.countMemory(id) };
    });
    const what =
      translations === undefined ? 'no memory' : `a memory of ${pluralize(translations, 'translation')}`;
    return output.answer({ email, translations: translations ?? null }, () =>
      output.result(`${email}: ${what}`),
    );
  },
};
