import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { addAccountOptions, emailOf, withStore, type AccountOptions } from './store.ts';

export const webhookSecret: CommandModule<AccountOptions> = {
  configure(command) {
    addAccountOptions(command);
    addExamples(command, [
      [
        'dragoman keys webhook-secret --email anna@example.org',
        'print the secret that signs webhooks of the account (Standard Webhooks)',
      ],
      [
        'export DRAGOMAN_WEBHOOK_SECRET=$(dragoman keys webhook-secret --data-dir ./data)',
        'keep it for a receiver, where there is only one account',
      ],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { email, webhookSecret: secret } = await withStore(options, terminal, async (accounts) =>
      accounts.require(await emailOf(options, accounts)),
    );
    if (output.json) output.document({ email, webhook_secret: secret });
    else output.result(secret);
    return OK;
  },
};
