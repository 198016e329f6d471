import type { CommandGroup } from '../command.ts';
import { addExamples } from '../examples.ts';

export const jobs: CommandGroup = {
  describe(command) {
    addExamples(command, [
      ['dragoman jobs create app.json -s en -t fr,es --watch -o out', 'create, wait and download in one'],
      ['dragoman jobs list', 'the jobs of the account, the newest first'],
    ]);
  },

  commands: [
    {
      name: 'create',
      summary: 'have a localization file translated into several languages',
      load: async () => (await import('./jobs/create.ts')).create,
    },
    {
      name: 'list',
      summary: 'the jobs of the account, the newest first',
      load: async () => (await import('./jobs/list.ts')).list,
    },
    {
      name: 'status',
      summary: 'how far a job is, and its translated files',
      load: async () => (await import('./jobs/status.ts')).status,
    },
    {
      name: 'watch',
      summary: 'wait for jobs and show how they get on; the exit code is that of the jobs',
      load: async () => (await import('./jobs/watch.ts')).watch,
    },
    {
      name: 'download',
      summary: 'write the translated files of a job',
      load: async () => (await import('./jobs/download.ts')).download,
    },
    {
      name: 'delete',
      summary: 'remove jobs with their files from the service, for good',
      load: async () => (await import('./jobs/delete.ts')).remove,
    },
  ],
};
