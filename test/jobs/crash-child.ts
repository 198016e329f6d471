import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { openJobs } from '../../src/jobs/open-jobs.ts';
import { openDatabase } from '../../src/store/database.ts';
import { registerInstance } from '../../src/store/instance.ts';
import { fakeEngine } from './room.ts';

/** A process that works jobs off until it is killed. Its engine takes a little time for everything. */
const [directory = '', delay = '0'] = process.argv.slice(2);
const pseudo = createPseudoEngine();
const database = await openDatabase(directory);
const instance = await registerInstance(database, directory);
await openJobs({
  database,
  instance,
  directory,
  engine: fakeEngine(async (request, signal) => {
    process.stdout.write('asked\n');
    await new Promise((resolve) => setTimeout(resolve, Number(delay)));
    return pseudo.translate(request, signal);
  }),
  publicUrl: () => 'https://translate.example',
  workers: 2,
});
process.stdout.write('ready\n');
