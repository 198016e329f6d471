import { addAccount, openRoom } from '../jobs/room.ts';
import { jobsContract } from './jobs-contract.ts';

jobsContract('the jobs of a data directory', {
  open: async () => {
    const room = await openRoom();
    const [jobs, others, poor] = [await addAccount(room), await addAccount(room), await addAccount(room, 1)];
    return {
      jobs: room.jobs.of(jobs),
      others: room.jobs.of(others),
      poor: room.jobs.of(poor),
      close: () => room.close(),
    };
  },
});
