import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { noteKey } from './key-note.ts';
import { addAccountOptions, emailOf, withStore, type AccountOptions } from './store.ts';

export const reset: CommandModule<AccountOptions> = {
  configure(command) {
    addAccountOptions(command);
    addExamples(command, [
      ['dragoman keys reset --email anna@example.org', 'revoke all keys of the account and print a new one'],
      ['dragoman keys reset --data-dir ./data --json', 'the same for the only account, as a document'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { email, key } = await withStore(options, terminal, async (accounts) => {
      const email = await emailOf(options, accounts);
      return { email, key: await accounts.resetKey(email) };
    });
    if (output.json) {
      output.document({ key, email });
    } else {
      output.result(key);
      noteKey(output);
    }
    return OK;
  },
};
