import { DragomanError, type ErrorCode } from '../../base/errors.ts';
import { type BaseUrl, parseBaseUrl, requireSafeKey } from '../../base/http/base-url.ts';
import { codeOfStatus, type AttemptFailure } from '../../base/http/failures.ts';
import type { Environment } from '../../base/http/proxy.ts';
import { fieldOf } from '../../base/json.ts';
import { printable } from '../../workers/printable.ts';

/** How to reach a translation service. */
export interface Provider {
  /** The engine's id. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  readonly keyVariable: string;
  readonly urlVariable: string;
  /** The default address for a key. */
  readonly defaultUrl: (key: string) => string;
}

export interface ServiceAccess {
  readonly base: BaseUrl;
  readonly key: string | undefined;
}

/**
 * Reads address and key, only from the environment: a project's configuration comes with a checkout and must not decide
 * where a key is sent.
 *
 * @throws DragomanError `configuration`; the message omits the key
 */
export function readAccess(provider: Provider, env: Environment): ServiceAccess {
  const { name, keyVariable, urlVariable, defaultUrl } = provider;
  const key = env[keyVariable] || undefined;
  const url = env[urlVariable] || (key === undefined ? undefined : defaultUrl(key));
  if (url === undefined) {
    throw new DragomanError('configuration', `${name} is not set up`, {
      hint: `Set ${keyVariable}, or ${urlVariable} for your own server.`,
    });
  }
  const base = named(urlVariable, () => parseBaseUrl(url));
  if (key !== undefined) named(keyVariable, () => requireSafeKey(key, base));
  // Texts are private, like keys.
  if (!base.secure && !base.loopback) {
    const hint = `Set ${urlVariable} to an https address; http is only for services on this machine.`;
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

/** The list at this path. @throws DragomanError `contract_violation` if it is missing */
export function listOf({ name }: Provider, answer: unknown, ...names: readonly string[]): readonly unknown[] {
  const list = names.reduce<unknown>(fieldOf, answer);
  if (Array.isArray(list)) return list;
  const place = names.length === 0 ? 'the answer' : `\`${names.join('.')}\` of the answer`;
  throw new DragomanError('contract_violation', `${name}: ${place} is not a list`);
}

/** Details in a service's refusal. */
export interface Detail {
  readonly message?: string | undefined;
  /** The error code, if the status alone is not enough. */
  readonly code?: ErrorCode | undefined;
  /** The part of the request that it concerns; in the error's cause as `{ parameter }`. */
  readonly parameter?: string | undefined;
}

interface VendorRefusal {
  readonly status: number;
  readonly detail: Detail;
  /** The waiting time that the service requires, in milliseconds. */
  readonly retryIn?: number | undefined;
}

/** Statuses with a specific meaning. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  // DeepL: the quota is used up.
  456: 'insufficient_credits',
  529: 'rate_limited',
};

const LONGEST_DETAIL = 200;

/** The error for the caller, and whether a retry is possible: only unprocessed requests are retried. */
export function describeRefusal(
  provider: Provider,
  { status, detail, retryIn }: VendorRefusal,
): { readonly error: DragomanError; readonly obstacle: AttemptFailure } {
  const code = detail.code ?? CODES[status] ?? codeOfStatus(status);
  const explanation = detail.message === undefined ? '' : `: ${printable(detail.message, LONGEST_DETAIL)}`;
  const error = new DragomanError(code, `${provider.name} answered with status ${status}${explanation}`, {
    status,
    hint: hintOf(provider, code, retryIn),
    cause: detail.parameter === undefined ? undefined : { parameter: detail.parameter },
  });
  const isRefused = code === 'rate_limited' || status === 503;
  return { error, obstacle: isRefused ? { kind: 'refused', retryIn } : { kind: 'final' } };
}

function hintOf(provider: Provider, code: ErrorCode, retryIn: number | undefined): string | undefined {
  if (code === 'unauthenticated') return `Check the key in ${provider.keyVariable}.`;
  if (code === 'insufficient_credits') return `The account at ${provider.name} has no credit left.`;
  if (code === 'not_found') return `If ${provider.urlVariable} is set, check it.`;
  return retryIn === undefined ? undefined : `Try again in ${Math.ceil(retryIn / 1000)} seconds.`;
}
