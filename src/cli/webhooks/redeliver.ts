import { DragomanError } from '../../base/errors.ts';
import type { CommandModule } from '../command.ts';
import { addDataDirectoryOption, type DataDirectoryOptions } from '../data-directory.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { withStore } from '../keys/store.ts';

export const redeliver: CommandModule<DataDirectoryOptions> = {
  configure(command) {
    command.argument('<job>', "the job's id");
    addDataDirectoryOption(command);
    addExamples(command, [
      [
        'dragoman webhooks redeliver 0b1c8f5e-4c1d-4f0a-9d37-0e8a3a3f2b11',
        'have the server call the webhook of the job again',
      ],
      [
        'dragoman webhooks redeliver --data-dir ./data 0b1c8f5e-4c1d-4f0a-9d37-0e8a3a3f2b11 --json',
        'the same for the server of a directory',
      ],
    ]);
  },

  async run([job = ''], options, { terminal, output }) {
    const isQueued = await withStore(options, terminal, (_, store) =>
      store.redeliver(job.toLowerCase(), Date.now()),
    );
    if (!isQueued) {
      throw new DragomanError('not_found', `no call of a webhook of the job ${job} is known`, {
        hint: 'Only jobs that were created with webhook_url and have ended have one.',
      });
    }
    if (output.json) output.document({ job_id: job.toLowerCase(), webhook: 'pending' });
    else output.message('The server calls the webhook again within 5 seconds, or when it is started.');
    return OK;
  },
};
