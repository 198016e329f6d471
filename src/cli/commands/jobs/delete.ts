import { DragomanError } from '../../../base/errors.ts';
import type { CommandContext, CommandModule } from '../../command.ts';
import { addExamples } from '../../examples.ts';
import { OK } from '../../exit-code.ts';
import { requireJobIds } from '../../jobs/options.ts';
import { withJobs } from '../../jobs/operations.ts';
import { ask } from '../../prompt.ts';
import { addThereOptions, type ServiceFlags } from '../../service/options.ts';

interface Flags extends ServiceFlags {
  readonly yes?: boolean;
  readonly input?: boolean;
}

export const remove: CommandModule<Flags> = {
  configure(command) {
    command.argument('<id...>', 'the jobs').option('-y, --yes', 'do not ask');
    addThereOptions(command);
    addExamples(command, [
      ['dragoman jobs delete 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', 'ask, and delete the job with its files'],
      ['dragoman jobs delete 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b --yes', 'in a script'],
    ]);
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    const ids = requireJobIds(args);
    if (!flags.yes && !(await confirm(ids, flags, context))) {
      output.message('nothing was deleted');
      return OK;
    }
    const deleted: object[] = [];
    await withJobs(flags, context, async (jobs) => {
      for (const id of ids) {
        const { message } = await jobs.deleteJob(id, { signal: terminal.signal });
        deleted.push({ job_id: id, message });
        output.message(`deleted job ${id}`);
      }
    });
    if (output.json) output.document(deleted.length === 1 ? deleted[0] : deleted);
    return OK;
  },
};

/** @throws DragomanError `usage` without a terminal to ask on. */
async function confirm(
  ids: readonly string[],
  { input }: Flags,
  { terminal }: CommandContext,
): Promise<boolean> {
  if (terminal.stdin.isTTY !== true || input === false) {
    throw new DragomanError('usage', 'deleting is permanent, and there is no terminal to confirm it', {
      hint: 'Add --yes.',
    });
  }
  const what = ids.length === 1 ? `job ${ids[0] ?? ''}` : `${ids.length} jobs`;
  const text = `Delete ${what} with the original and all translations? This is permanent. [y/N] `;
  return /^\s*y(?:es)?\s*$/i.test(await ask(terminal, { text, echo: true }));
}
