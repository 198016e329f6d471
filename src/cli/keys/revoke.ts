import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { addAccountOptions, emailOf, withStore, type AccountOptions } from './store.ts';

export const revoke: CommandModule<AccountOptions> = {
  configure(command) {
    addAccountOptions(command);
    addExamples(command, [
      ['dragoman keys revoke --email anna@example.org', 'refuse all keys of the account from now on'],
      ['dragoman keys revoke --data-dir ./data --json', 'the same for the only account, as a document'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { email, revoked } = await withStore(options, terminal, async (accounts) => {
      const email = await emailOf(options, accounts);
      return { email, revoked: await accounts.revokeKeys(email) };
    });
    if (output.json) {
      output.document({ email, revoked });
    } else if (revoked === 0) {
      output.message(`${email} has no valid key.`);
    } else {
      const keys = revoked === 1 ? 'The key' : `${revoked} keys`;
      output.message(`${keys} of ${email} can no longer be used. dragoman keys reset gives a new one.`);
    }
    return OK;
  },
};
