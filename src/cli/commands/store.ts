import { DragomanError } from '../../base/errors.ts';
import type { CommandGroup, CommandModule } from '../output/command.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import type { CopyReport } from '../../store/copy-store.ts';
import { hasStore, requireStore } from '../execution/open-store.ts';
import {
  addSharedStoreOption,
  bucketOf,
  namedPlace,
  sharedStoreOf,
  type StoreOptions,
} from '../options/store.ts';
import { pluralize, digits, sizeOf } from '../terminal/table.ts';

/** The PostgreSQL database that servers share. */
export const store: CommandGroup = {
  examples: [
    [
      'dragoman store migrate --store postgres://dragoman@db.example.org/dragoman',
      'prepare a database that is empty or from an earlier version',
    ],
    ['dragoman store copy --from ./data --to postgres://…', 'move a server from a directory to a database'],
    [
      'dragoman store migrate --dry-run',
      'check whether the database that DRAGOMAN_STORE names needs a migration',
    ],
  ],

  commands: [
    {
      name: 'migrate',
      summary: 'create or update the tables for this version of dragoman',
      load: () => migrateCommand,
    },
    {
      name: 'copy',
      summary: 'copy a whole store into an empty one: from a directory to a database, or back',
      load: () => copyCommand,
    },
  ],
};

const migrateCommand: CommandModule<Pick<StoreOptions, 'store'> & DryRunFlags> = {
  examples: [
    [
      'dragoman store migrate --store postgres://dragoman@db.example.org/dragoman',
      'prepare a database that is empty or from an earlier version',
    ],
    ['dragoman store migrate --json', 'the same for the database that DRAGOMAN_STORE names'],
  ],
  configure(command) {
    addSharedStoreOption(command);
    addDryRunOption(command, 'only print the schema version of the tables');
  },

  async run(_args, options, { terminal, output }) {
    const place = sharedStoreOf(options, terminal);
    if (!place) {
      throw new DragomanError('usage', 'no database given', {
        hint: 'Name one with --store or DRAGOMAN_STORE; data directories need no migration.',
      });
    }
    const { migratePostgresStore } = await import('../../store/postgres/postgres-store.ts');
    const { dryRun } = options;
    const { from, to } = await migratePostgresStore(place, { dryRun });
    const old = from === 0 ? '' : `, from ${from}`;
    return output.answer({ ...(dryRun === true && { dry_run: true }), from, to }, () => {
      if (dryRun === true && from < to)
        output.message(`Would ${from === 0 ? 'create' : 'update'} the tables: schema version ${to}${old}.`);
      else if (from === to) output.message(`The tables are up to date: schema version ${to}.`);
      else output.message(`${from === 0 ? 'Created' : 'Updated'} the tables: schema version ${to}${old}.`);
    });
  },
};

interface CopyFlags extends DryRunFlags {
  readonly from: string;
  readonly to: string;
  readonly fromFiles?: string;
  readonly toFiles?: string;
}

const copyCommand: CommandModule<CopyFlags> = {
  examples: [
    [
      'dragoman store copy --from ./data --to postgres://dragoman@db.example.org/dragoman',
      'move a server from a directory to a database',
    ],
    [
      'dragoman store copy --from postgres://dragoman@db.example.org/dragoman --to ./data --dry-run',
      'show what copying back would copy',
    ],
  ],
  details: 'Stop the servers on both stores first. A copy that fails leaves the target empty: run it again.',
  configure(command) {
    command
      .requiredOption('--from <store>', 'a data directory, or postgres://…')
      .requiredOption(
        '--to <store>',
        'the same, but empty: a new directory, or a database after store migrate',
      )
      .option('--from-files <url>', 'the bucket that servers on --from use as --files, s3://…')
      .option('--to-files <url>', 'the bucket that servers on --to will use as --files');
    addDryRunOption(command, 'only count what would be copied, and check that it can be');
  },

  async run(_args, { dryRun = false, ...flags }, { terminal, output }) {
    const from = namedPlace('--from', flags.from, terminal);
    const to = namedPlace('--to', flags.to, terminal);
    if ('directory' in from && 'directory' in to && from.directory === to.directory)
      throw new DragomanError('usage', '--from and --to name the same directory');
    await requireStore(from, 'Name the data directory of a server with --from.');
    const files = {
      from: await bucketOf('--from-files', flags.fromFiles, from, terminal),
      to: await bucketOf('--to-files', flags.toFiles, to, terminal),
    };
    const { copyStore } = await import('../../store/copy-store.ts');
    const { signal } = terminal;
    const isThere = !dryRun || (await hasStore(to));
    const report = await copyStore(from, isThere ? to : undefined, { signal, dryRun, files });
    return output.answer({ ...(dryRun && { dry_run: true }), ...documentOf(report) }, () => {
      output.table(report.tables.map(rowOf));
      const { count: files, bytes } = report.files;
      output.result(
        `${pluralize(files, 'file')} with ${sizeOf(bytes)}${dryRun ? '' : ', read again and compared'}`,
      );
      output.message(
        dryRun
          ? 'Nothing was copied.'
          : `Everything is now in ${flags.to}. Do not start a server on ${flags.from} again: later changes would be lost.`,
      );
    });
  },
};

type ComparedTable = CopyReport['tables'][number];

/** The row counts and sums of a table in the source store and, unless nothing was copied, in the copy. */
function rowOf({ from, to }: ComparedTable): readonly string[] {
  const both = (was: number, is: number | undefined): string =>
    is === undefined ? digits(was) : `${digits(was)} = ${digits(is)}`;
  const sums = Object.entries(from.sums).map(([column, sum]) => `${column} ${both(sum, to?.sums[column])}`);
  return [from.table, `${both(from.rows, to?.rows)} rows`, sums.join(', ')];
}

function documentOf({ tables, files }: CopyReport) {
  const sideOf = (count: ComparedTable['from'] | undefined) =>
    count && { rows: count.rows, sums: count.sums };
  return {
    tables: tables.map(({ from, to }) => ({ table: from.table, from: sideOf(from), to: sideOf(to) ?? null })),
    files,
  };
}
