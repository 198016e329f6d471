import { DragomanError } from '../../base/errors.ts';
import type { AccountSummary } from '../../contract/account.ts';
import { hasRequest, SERVICE_IDS } from '../../contract/operations.ts';
import type { PreparedCall, Prepare } from './prepared.ts';
import { legacyOperations, metered } from './text-operations.ts';

/** An operation that costs nothing and has no request to check. */
export function free(answer: (call: PreparedCall) => Promise<object>): Prepare {
  return () => ({ cost: 0, perform: async (call) => ({ answer: await answer(call), charge: 0 }) });
}

const supportedLanguages = free(({ parts, signal }) => parts.service.supportedLanguages({ signal }));

/** The work of the operations that do not concern jobs. */
export const serviceOperations: Readonly<Record<string, Prepare>> = {
  ...Object.fromEntries(SERVICE_IDS.filter(hasRequest).map((id) => [id, metered(id)])),
  ...legacyOperations,
  supportedLanguages,
  supportedLanguagesV1: supportedLanguages,
  accountSummary: free(summarizeAccount),
};

/**
 * The caller's account (specification: Account summary). Reserved credits do not count as remaining.
 * A request is counted when it is answered, so the statistics do not include this one.
 */
export async function summarizeAccount({
  parts,
  caller,
  concurrency,
}: PreparedCall): Promise<AccountSummary> {
  const account = await parts.accounts.find(caller.accountId);
  if (!account) throw new DragomanError('internal', 'the account of a key is missing');
  const { granted, balance, reserved, requestsSuccessful, requestsFailed } = account;
  const remaining = balance - reserved;
  const used = granted - remaining;
  const requests = requestsSuccessful + requestsFailed;
  return {
    email: account.email,
    full_name: account.fullName,
    total_credits: granted,
    credits_used: used,
    credits_remaining: remaining,
    credits_percentage: percentage(used, granted),
    concurrency: await concurrency(),
    effective_concurrency: Math.min(parts.options.maxConcurrency, account.limits.concurrency ?? Infinity),
    summary: {
      total_requests: requests,
      successful_requests: requestsSuccessful,
      failed_requests: requestsFailed,
      success_rate: percentage(requestsSuccessful, requests),
    },
  };
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100;
}
