import type { AccountSummary } from '../../contract/account.ts';
import type { CommandModule } from '../output/command.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import { withService } from '../execution/translator.ts';
import { digits } from '../terminal/table.ts';

export const account: CommandModule<ServiceFlags> = {
  examples: [
    ['dragoman account', 'the holder of the account and the remaining credits'],
    ['dragoman account --base-url https://translate.example.com --json', 'the summary of a service'],
  ],
  configure: addServiceOptions,

  async run(_args, options, context) {
    const { terminal, output } = context;
    const { signal } = terminal;
    const summary = await withService(options, context, (service) => service.accountSummary({ signal }));
    return output.answer(summary, () => output.table(describe(summary)));
  },
};

/** Without an account, nothing is charged. */
function describe(summary: AccountSummary): readonly (readonly string[])[] {
  const { email, full_name, total_credits, credits_remaining, concurrency, effective_concurrency } = summary;
  const { total_requests, successful_requests, failed_requests } = summary.summary;
  const rows = [['account', `${full_name} <${email}>`]];
  if (total_credits > 0) {
    const used = `${summary.credits_percentage.toFixed(1)} % used`;
    rows.push(['credits', `${digits(credits_remaining)} of ${digits(total_credits)} remaining, ${used}`]);
  }
  rows.push([
    'requests',
    `${digits(total_requests)}: ${digits(successful_requests)} successful, ${digits(failed_requests)} failed`,
  ]);
  if (concurrency !== undefined && effective_concurrency !== undefined) {
    rows.push(['concurrency', `${concurrency} of ${effective_concurrency}`]);
  }
  return rows;
}
