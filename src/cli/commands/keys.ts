import type { CommandGroup } from '../command.ts';
import { addExamples } from '../examples.ts';

/** Accounts, keys and credits of a server's data directory, also while a server works on it. */
export const keys: CommandGroup = {
  describe(command) {
    addExamples(command, [
      [
        'dragoman keys create --email anna@example.org --name "Anna Schmidt" --credits 1000',
        'make an account and print its key',
      ],
      ['dragoman keys credit --email anna@example.org --add 500', 'give the account 500 credits more'],
    ]);
  },

  commands: [
    {
      name: 'create',
      summary: 'make an account with credits, and print its key',
      load: async () => (await import('../keys/create.ts')).create,
    },
    {
      name: 'list',
      summary: 'list the beginning of each key, its account and its credits',
      load: async () => (await import('../keys/list.ts')).list,
    },
    {
      name: 'reset',
      summary: 'revoke all keys of an account, and print a new one',
      load: async () => (await import('../keys/reset.ts')).reset,
    },
    {
      name: 'revoke',
      summary: 'revoke all keys of an account',
      load: async () => (await import('../keys/revoke.ts')).revoke,
    },
    {
      name: 'credit',
      summary: 'give an account more credits',
      load: async () => (await import('../keys/credit.ts')).credit,
    },
    {
      name: 'limit',
      summary: 'limit the jobs, files and requests of an account',
      load: async () => (await import('../keys/limit.ts')).limit,
    },
    {
      name: 'webhook-secret',
      summary: 'print the secret that signs the webhooks of an account',
      load: async () => (await import('../keys/webhook-secret.ts')).webhookSecret,
    },
  ],
};
