import { summarizeAccount } from './account.ts';
import type { Call, Prepare } from './prepared.ts';
import { textOperations } from './text-operations.ts';

/** An operation that costs nothing and has no request to check. */
function free(answer: (call: Call) => Promise<object>): Prepare {
  return () => ({ cost: 0, perform: async (call) => ({ answer: await answer(call), charge: 0 }) });
}

const supportedLanguages = free(({ parts, signal }) => parts.service.supportedLanguages({ signal }));

/** All operations that need a key but those on jobs. */
export const serviceOperations = {
  ...textOperations,
  supportedLanguages,
  supportedLanguagesV1: supportedLanguages,
  accountSummary: free(summarizeAccount),
} satisfies Readonly<Record<string, Prepare>>;
