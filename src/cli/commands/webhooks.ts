import type { CommandGroup } from '../command.ts';
import { addExamples } from '../examples.ts';

export const webhooks: CommandGroup = {
  describe(command) {
    addExamples(command, [
      ['dragoman webhooks listen --secret-file secret.txt', 'a line for every job that ends'],
      ['dragoman webhooks listen --once --json', 'wait for one event and print its payload'],
    ]);
  },

  commands: [
    {
      name: 'listen',
      summary: 'an HTTPS receiver on this machine: verifies signatures, prints events, runs a command',
      load: async () => (await import('../webhooks/listen.ts')).listen,
    },
    {
      name: 'redeliver',
      summary: 'have a server call the webhook of a job again',
      load: async () => (await import('../webhooks/redeliver.ts')).redeliver,
    },
  ],
};
