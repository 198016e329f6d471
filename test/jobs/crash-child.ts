import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { openJobs } from '../../src/jobs/open-jobs.ts';
import { openStore } from '../../src/store/open-store.ts';
import { fakeEngine } from './room.ts';

/** A process that runs jobs until it is killed. Its engine takes a short time for each call. */
const [directory = '', delay = '0'] = process.argv.slice(2);
const pseudo = createPseudoEngine();
const instance = await (await openStore({ directory })).register();
await openJobs({
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
