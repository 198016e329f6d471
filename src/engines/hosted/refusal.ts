import { DragomanError, type ErrorCode } from '../../base/errors.ts';
import { codeOfStatus } from '../../base/http/failures.ts';
import type { Obstacle } from '../../base/http/retry.ts';
import { printable } from '../../workers/printable.ts';
import type { Vendor } from './access.ts';

/** What a service's own words for its refusal say. */
export interface Detail {
  readonly message?: string | undefined;
  /** What it means, where the status alone does not say it. */
  readonly code?: ErrorCode | undefined;
  /** What of the request it is about; the error has it as `{ parameter }` in its cause. */
  readonly parameter?: string | undefined;
}

export interface VendorRefusal {
  readonly status: number;
  readonly detail: Detail;
  /** Milliseconds that it asks to wait. */
  readonly retryIn?: number | undefined;
}

/** Statuses of their own. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  // DeepL: the quota is used up; too many requests.
  456: 'insufficient_credits',
  529: 'rate_limited',
};

const LONGEST_DETAIL = 200;

/** The error for the caller, and what stands against another try: only what was not processed is sent again. */
export function describeRefusal(
  vendor: Vendor,
  { status, detail, retryIn }: VendorRefusal,
): { readonly error: DragomanError; readonly obstacle: Obstacle } {
  const code = detail.code ?? CODES[status] ?? codeOfStatus(status);
  const said = detail.message === undefined ? '' : `: ${printable(detail.message, LONGEST_DETAIL)}`;
  const error = new DragomanError(code, `${vendor.name} answered with status ${status}${said}`, {
    status,
    hint: hintOf(vendor, code, retryIn),
    cause: detail.parameter === undefined ? undefined : { parameter: detail.parameter },
  });
  const isRefused = code === 'rate_limited' || status === 503;
  return { error, obstacle: isRefused ? { kind: 'refused', retryIn } : { kind: 'final' } };
}

function hintOf(vendor: Vendor, code: ErrorCode, retryIn: number | undefined): string | undefined {
  if (code === 'unauthenticated') return `Check the key in ${vendor.keyVariable}.`;
  if (code === 'insufficient_credits') return `The account at ${vendor.name} has no credit left.`;
  if (code === 'not_found') return `Check ${vendor.urlVariable}, where it is set.`;
  return retryIn === undefined ? undefined : `Try again in ${Math.ceil(retryIn / 1000)} seconds.`;
}
