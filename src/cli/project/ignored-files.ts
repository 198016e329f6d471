import type { SyncReport } from '../../project/plan/report.ts';
import { findIgnored } from '../../project/sync/ignored-files.ts';
import type { CommandContext } from '../output/command.ts';
import { pluralize } from '../terminal/table.ts';

/** Names new files that would be missing from a commit, on one line for each project. */
export async function printIgnored(
  reports: readonly SyncReport[],
  { terminal, output }: CommandContext,
): Promise<void> {
  for (const report of reports) {
    const ignored = await findIgnored(report, terminal);
    if (!ignored) continue;
    const { count: all, example, rule } = ignored;
    const more = all > 1 ? ` and ${pluralize(all - 1, 'other new file')}` : '';
    output.message(`git ignores ${output.shown(example)}${more}: see ${rule}`);
  }
}
