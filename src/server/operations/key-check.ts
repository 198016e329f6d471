import type { IncomingMessage } from 'node:http';
import { KEY_DETAILS, keyHeaderCase } from '../../contract/details.ts';
import type { KeyStatuses } from '../../contract/operations.ts';
import type { Caller } from '../../store/store.ts';
import type { AppContext } from '../http/dependencies.ts';
import { Refusal } from '../guards/refusal.ts';

/** The sender of an admitted request, and the state of the key's rate limit. */
export type KnownCaller = Extract<Caller, { readonly state: 'active' }>;

const KEY_HEADER = 'X-API-KEY';

/**
 * The key of the request (specification: Authentication).
 *
 * @throws Refusal with the operation's status for a key that is missing or sent twice
 */
export function requireKey(context: AppContext, statuses: KeyStatuses, anyCase: boolean): string {
  const keys = keysOf(context, anyCase);
  const [key] = keys;
  if (key === undefined || key === '') {
    const sent = namesOf(context).find((name) => name !== KEY_HEADER);
    const isOtherCase = key === undefined && sent !== undefined;
    throw new Refusal(statuses.missing, isOtherCase ? keyHeaderCase(sent) : KEY_DETAILS.missing);
  }
  // If a request has two keys, a proxy in front of this server may have checked a different key.
  if (keys.length > 1) throw new Refusal(statuses.invalid, KEY_DETAILS.invalid);
  return key;
}

/** @throws Refusal with the operation's status for a key that is unknown, revoked or reset */
export function requireCaller(caller: Caller, statuses: KeyStatuses): KnownCaller {
  if (caller.state === 'active') return caller;
  if (caller.state === 'revoked') throw new Refusal(statuses.revoked, KEY_DETAILS.revoked);
  throw new Refusal(statuses.invalid, KEY_DETAILS.invalid);
}

/**
 * The header's name is case-sensitive, which only the raw headers show. HTTP ignores spaces and tabs around a value,
 * and Node's parser has removed them. Any other space is part of the key.
 */
function keysOf({ env, req }: AppContext, anyCase: boolean): readonly string[] {
  const incoming = env?.incoming;
  if (incoming) return rawValues(incoming, anyCase);
  const value = req.header(KEY_HEADER);
  return value === undefined ? [] : [value];
}

/** The header names in the client's own case. */
function namesOf({ env }: AppContext): readonly string[] {
  const names = env?.incoming?.rawHeaders.filter((_, i) => i % 2 === 0) ?? [];
  return names.filter((name) => name.toUpperCase() === KEY_HEADER);
}

function rawValues({ rawHeaders }: IncomingMessage, anyCase: boolean): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name !== KEY_HEADER && !(anyCase && name.toUpperCase() === KEY_HEADER)) continue;
    values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}
