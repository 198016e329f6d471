import { Argument } from 'commander';
import type { CommandModule } from '../../command.ts';
import { OK } from '../../exit-code.ts';
import { addDryRunOption } from '../../options.ts';
import { addDetails, addExamples } from '../../help.ts';
import {
  addAccountOptions,
  emailOf,
  reportChange,
  withStore,
  type AccountOptions,
} from '../../keys/store.ts';
import { count } from '../../table.ts';

export const memoryCommand: CommandModule<AccountOptions> = {
  configure(command) {
    const what = 'whether translations are kept; without it, says what the account has';
    command.addArgument(new Argument('[switch]', what).choices(['on', 'off']));
    addAccountOptions(command);
    addDryRunOption(command, 'only print what would change');
    addExamples(command, [
      [
        'dragoman keys memory on --email anna@example.org',
        "keep the account's translations, for its own texts",
      ],
      [
        'dragoman keys memory off --data-dir ./data --json',
        'delete those of the only account, and keep none',
      ],
    ]);
    addDetails(
      command,
      `A text that the account sends again has its translation from there, and costs the same. No other account gets it.
The store keeps translations and digests of texts, at most 100,000 for an account. Servers that run notice a change within
5 seconds.`,
    );
  },

  async run([word], options, context) {
    const { terminal, output } = context;
    const isKept = word === 'on';
    if (options.dryRun && word !== undefined) {
      const change = isKept
        ? 'translations would be kept'
        : 'the translations that are kept would be deleted';
      return reportChange(options, context, change);
    }
    const { email, translations } = await withStore(options, terminal, async (accounts, { resources }) => {
      const { id, email } = await accounts.require(await emailOf(options, accounts));
      if (word !== undefined) await resources.setMemory(id, isKept);
      return { email, translations: await resources.countMemory(id) };
    });
    if (output.json) output.document({ email, translations: translations ?? null });
    else if (translations === undefined) output.result(`${email}: no memory`);
    else output.result(`${email}: a memory of ${count(translations, 'translation')}`);
    return OK;
  },
};
