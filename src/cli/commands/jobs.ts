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
      summary: 'create a job that translates a localization file into several languages',
      load: async () => (await import('./jobs/create.ts')).create,
    },
    {
      name: 'list',
      summary: 'list the jobs of the account, the newest first',
      load: async () => (await import('./jobs/list.ts')).list,
    },
    {
      name: 'status',
      summary: 'show the progress of a job and its translated files',
      load: async () => (await import('./jobs/status.ts')).status,
    },
    {
      name: 'watch',
      summary: 'wait for jobs and show their progress; the exit code is that of the jobs',
      load: async () => (await import('./jobs/watch.ts')).watch,
    },
    {
      name: 'download',
      summary: 'write the translated files of a job',
      load: async () => (await import('./jobs/download.ts')).download,
    },
    {
      name: 'delete',
      summary: 'delete jobs and their files from the service permanently',
      load: async () => (await import('./jobs/delete.ts')).remove,
    },
  ],
};
