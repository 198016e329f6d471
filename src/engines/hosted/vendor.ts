import { DragomanError, type ErrorCode } from '../../base/errors.ts';
import { type BaseUrl, parseBaseUrl, requireSafeKey } from '../../base/http/base-url.ts';
import { codeOfStatus, type Obstacle } from '../../base/http/failures.ts';
import type { Environment } from '../../base/http/proxy.ts';
import { fieldOf } from '../../base/json.ts';
import { printable } from '../../workers/printable.ts';

/** A service that translates, as far as reaching it goes. */
export interface Vendor {
  /** The engine's id. */
  readonly id: string;
  /** As people call it. */
  readonly name: string;
  readonly keyVariable: string;
  readonly urlVariable: string;
  /** Where a key belongs when nothing else is said. */
  readonly defaultUrl: (key: string) => string;
}

export interface Access {
  readonly base: BaseUrl;
  readonly key: string | undefined;
}

/**
 * Address and key from the environment, nowhere else: a project's configuration comes with a checkout, and must not be
 * able to say where a key goes.
 *
 * @throws DragomanError `configuration`, without the key.
 */
export function readAccess(vendor: Vendor, env: Environment): Access {
  const { name, keyVariable, urlVariable, defaultUrl } = vendor;
  const key = env[keyVariable] || undefined;
  const url = env[urlVariable] || (key === undefined ? undefined : defaultUrl(key));
  if (url === undefined) {
    throw new DragomanError('configuration', `${name} is not set up`, {
      hint: `Set ${keyVariable}, or ${urlVariable} for a server of your own.`,
    });
  }
  const base = named(urlVariable, () => parseBaseUrl(url));
  if (key !== undefined) named(keyVariable, () => requireSafeKey(key, base));
  // Texts are private, too.
  if (!base.secure && !base.loopback) {
    const hint = `Give ${urlVariable} an https address; http is for services on this machine.`;
    throw new DragomanError('configuration', `texts are not sent to ${base.host} without encryption`, {
      hint,
    });
  }
  return { base, key };
}

function named<T>(variable: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError(error.code, `${variable}: ${error.message}`, { hint: error.hint });
  }
}

/** The list at the end of these names. @throws DragomanError `contract_violation` where there is none. */
export function listOf({ name }: Vendor, answer: unknown, ...names: readonly string[]): readonly unknown[] {
  const list = names.reduce<unknown>(fieldOf, answer);
  if (Array.isArray(list)) return list;
  const place = names.length === 0 ? 'the answer' : `\`${names.join('.')}\` of the answer`;
  throw new DragomanError('contract_violation', `${name}: ${place} is not a list`);
}

/** What a service's own words for its refusal say. */
export interface Detail {
  readonly message?: string | undefined;
  /** What it means, where the status alone does not say it. */
  readonly code?: ErrorCode | undefined;
  /** What of the request it is about; the error has it as `{ parameter }` in its cause. */
  readonly parameter?: string | undefined;
}

interface VendorRefusal {
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
