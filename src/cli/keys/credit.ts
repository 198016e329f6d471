import { Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { credits } from './create.ts';
import { addAccountOptions, emailOf, withStore, type AccountOptions } from './store.ts';

interface Options extends AccountOptions {
  readonly add: number;
}

export const credit: CommandModule<Options> = {
  configure(command) {
    addAccountOptions(command);
    command.addOption(
      new Option('--add <n>', 'how many credits more').argParser(credits).makeOptionMandatory(),
    );
    addExamples(command, [
      ['dragoman keys credit --email anna@example.org --add 500', 'give the account 500 credits more'],
      ['dragoman keys credit --data-dir ./data --add 500 --json', 'the same for the only account'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    if (options.add === 0) throw new DragomanError('usage', '--add takes at least 1 credit');
    const account = await withStore(options, terminal, async (accounts) =>
      accounts.grant(await emailOf(options, accounts), options.add),
    );
    const { email, granted, balance, reserved } = account;
    const remaining = balance - reserved;
    if (output.json) {
      output.document({ email, total_credits: granted, credits_remaining: remaining });
    } else {
      output.result(`${email}: ${remaining} of ${granted} credits remaining`);
    }
    return OK;
  },
};
