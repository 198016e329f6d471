import { DragomanError } from '../../base/errors.ts';
import type { CommandGroup, CommandModule } from '../output/command.ts';
import { OK } from '../output/exit-code.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { addDetails, addExamples } from '../output/help.ts';
import type { CopyReport } from '../../store/copy-store.ts';
import { hasStore, requireStore } from '../execution/open-store.ts';
import {
  addSharedStoreOption,
  bucketOf,
  namedPlace,
  sharedStoreOf,
  type StoreOptions,
} from '../options/store.ts';
import { columns, count, digits, sizeOf } from '../terminal/table.ts';

/** The PostgreSQL database that servers share. */
export const store: CommandGroup = {
  describe(command) {
    addExamples(command, [
      [
        'dragoman store migrate --store postgres://dragoman@db.example.org/dragoman',
        'prepare an empty database, or that of an earlier version',
      ],
      ['dragoman store copy --from ./data --to postgres://…', 'move a server from a directory to a database'],
      ['dragoman store migrate --dry-run', 'see whether the database that DRAGOMAN_STORE names needs it'],
    ]);
  },

  commands: [
    {
      name: 'migrate',
      summary: 'make the tables that this version of dragoman works on',
      load: () => Promise.resolve(migrateCommand),
    },
    {
      name: 'copy',
      summary: 'copy a whole store into an empty one: from a directory to a database, or back',
      load: () => Promise.resolve(copyCommand),
    },
  ],
};

const migrateCommand: CommandModule<Pick<StoreOptions, 'store'> & DryRunFlags> = {
  configure(command) {
    addSharedStoreOption(command);
    addDryRunOption(command, 'only look which version the tables have');
    addExamples(command, [
      [
        'dragoman store migrate --store postgres://dragoman@db.example.org/dragoman',
        'prepare an empty database, or that of an earlier version',
      ],
      ['dragoman store migrate --json', 'the same for the database that DRAGOMAN_STORE names'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const place = sharedStoreOf(options, terminal);
    if (!place) {
      throw new DragomanError('usage', 'no database is named', {
        hint: 'Name one with --store or DRAGOMAN_STORE; data directories need no migration.',
      });
    }
    const { migratePostgresStore } = await import('../../store/postgres/postgres-store.ts');
    const { dryRun } = options;
    const { from, to } = await migratePostgresStore(place, { dryRun });
    if (output.json) output.document({ ...(dryRun === true && { dry_run: true }), from, to });
    else if (dryRun === true && from < to)
      output.message(`The tables would get version ${to}; they have ${from === 0 ? 'none' : from}.`);
    else if (from === to) output.message(`The tables have version ${to} already.`);
    else output.message(`The tables have version ${to} now; before, they had ${from === 0 ? 'none' : from}.`);
    return OK;
  },
};

interface CopyFlags extends DryRunFlags {
  readonly from: string;
  readonly to: string;
  readonly fromFiles?: string;
  readonly toFiles?: string;
}

const copyCommand: CommandModule<CopyFlags> = {
  configure(command) {
    command
      .requiredOption('--from <store>', 'a data directory, or postgres://…')
      .requiredOption('--to <store>', 'the same: empty, as a new directory is, or after store migrate')
      .option('--from-files <url>', 'the bucket that the servers on --from have as --files, s3://…')
      .option('--to-files <url>', 'the bucket that the servers on --to will have as --files');
    addDryRunOption(command, 'only count what would be copied, and check that it could be');
    addExamples(command, [
      [
        'dragoman store copy --from ./data --to postgres://dragoman@db.example.org/dragoman',
        'move a server from a directory to a database',
      ],
      [
        'dragoman store copy --from postgres://dragoman@db.example.org/dragoman --to ./data --dry-run',
        'see what the way back would copy',
      ],
    ]);
    addDetails(
      command,
      'Servers on both stores have to be stopped. Either all is there afterwards, or nothing: run it again then.',
    );
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
    if (output.json) output.document({ ...(dryRun && { dry_run: true }), ...documentOf(report) });
    else {
      for (const line of columns(report.tables.map(rowOf), output.lineWidth)) output.result(line);
      const { count: files, bytes } = report.files;
      output.result(
        `${count(files, 'file')} with ${sizeOf(bytes)}${dryRun ? '' : ', read again and compared'}`,
      );
      output.message(
        dryRun
          ? 'Nothing was copied.'
          : `All of it is in ${flags.to} now. Do not start a server on ${flags.from} again: later changes would be lost.`,
      );
    }
    return OK;
  },
};

type ComparedTable = CopyReport['tables'][number];

/** Counts and sums of the one store, and of the other where it has them. */
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
