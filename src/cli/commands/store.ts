import { DragomanError } from '../../base/errors.ts';
import type { CommandGroup, CommandModule } from '../command.ts';
import { addDryRunOption, type DryRunFlags } from '../dry-run.ts';
import { OK } from '../exit-code.ts';
import { addExamples } from '../help.ts';
import { addSharedStoreOption, sharedStoreOf, type StoreOptions } from '../store-options.ts';

/** The PostgreSQL database that servers share. */
export const store: CommandGroup = {
  describe(command) {
    addExamples(command, [
      [
        'dragoman store migrate --store postgres://dragoman@db.example.org/dragoman',
        'prepare an empty database, or that of an earlier version',
      ],
      ['dragoman store migrate --dry-run', 'see whether the database that DRAGOMAN_STORE names needs it'],
    ]);
  },

  commands: [
    {
      name: 'migrate',
      summary: 'make the tables that this version of dragoman works on',
      load: () => Promise.resolve(migrateCommand),
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
