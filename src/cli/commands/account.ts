import type { CommandModule } from '../command.ts';
import { addEngineOptions, type EngineFlags } from '../engine-options.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { withService } from '../local-service.ts';

export const account: CommandModule<EngineFlags> = {
  configure(command) {
    addEngineOptions(command);
    addExamples(command, [
      ['dragoman account', 'whose account it is and what is left of it'],
      ['dragoman account --json', 'the account summary of the specification'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { signal } = terminal;
    const summary = await withService(options, terminal, (service) => service.accountSummary({ signal }));
    if (output.json) {
      output.document(summary);
      return OK;
    }
    output.result(summary.full_name);
    if (summary.total_credits > 0) {
      output.result(`${summary.credits_remaining} of ${summary.total_credits} credits remaining`);
    }
    return OK;
  },
};
