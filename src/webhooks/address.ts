import { isIP } from 'node:net';
import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import { isPublicAddress } from './address-ranges.ts';
import { hosts, type HostAddress, type HostResolution } from './host-resolution.ts';

/** How long the creation of a job waits to learn where its webhook leads. The delivery asks again, and has to know. */
const LOOKUP_MS = 2_000;
const MAX_URL = 2_048;

export interface AddressPolicy {
  /** Whether receivers may be on this machine and in private networks. */
  readonly allowPrivate: boolean;
}

export interface WebhookCheckOptions extends AddressPolicy {
  readonly signal: AbortSignal;
  readonly resolution?: HostResolution | undefined;
}

/**
 * Whether a webhook may be called there, as far as its URL shows: HTTPS, always; no credentials in it; unless private
 * addresses are allowed, no such address in any spelling, and not `localhost`. Every port but 0 may be called:
 * another program there has no certificate for it.
 *
 * @throws DragomanError `invalid_request`
 */
export function checkWebhookUrl(url: string, { allowPrivate }: AddressPolicy): void {
  if (url.length > MAX_URL) throw refused(`cannot be longer than ${MAX_URL} characters`);
  if (!URL.canParse(url)) throw refused('must be a valid HTTPS URL');
  const { protocol, username, password, hostname, port } = new URL(url);
  if (protocol !== 'https:') throw refused('must be a valid HTTPS URL');
  if (username !== '' || password !== '') throw refused('cannot have credentials in it');
  if (port === '0') throw refused('cannot have the port 0');
  if (allowPrivate) return;
  const host = hostOf(hostname);
  if (isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host))) throw refused(NOT_PUBLIC);
}

/**
 * As {@link checkWebhookUrl}, and looks the name up: one that leads to a private address is refused. A name that is not
 * there, or not known within two seconds, passes: it is looked up again whenever the webhook is called.
 *
 * @throws DragomanError `invalid_request`, or `interrupted` when `signal` aborts.
 */
export async function requirePublicWebhook(
  url: string,
  { allowPrivate, signal, resolution = hosts }: WebhookCheckOptions,
): Promise<void> {
  checkWebhookUrl(url, { allowPrivate });
  const host = hostOf(new URL(url).hostname);
  if (allowPrivate || isIP(host) !== 0) return;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_MS)]);
  const addresses = await resolution.resolve(host, limited).catch(() => []);
  throwIfAborted(signal, 'the request was given up');
  if (addresses.some(({ address }) => !isPublicAddress(address))) throw refused(NOT_PUBLIC);
}

/**
 * The addresses that a webhook is to be called at, and at no others: a connection by name would look it up again,
 * and can get another answer. A name with any address that is not public is refused as a whole.
 *
 * @throws DragomanError `invalid_request`; the system's error when the name has no address; the reason of `signal`.
 */
export async function receiverAddresses(
  hostname: string,
  { allowPrivate, signal, resolution = hosts }: WebhookCheckOptions,
): Promise<readonly HostAddress[]> {
  const host = hostOf(hostname);
  const family = isIP(host);
  const addresses = family === 0 ? await resolution.resolve(host, signal) : [{ address: host, family }];
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw refused(NOT_PUBLIC);
  }
  return addresses;
}

const NOT_PUBLIC = 'must lead to a public address';

function refused(reason: string): DragomanError {
  return new DragomanError('invalid_request', `webhook_url ${reason}`, {
    hint:
      reason === NOT_PUBLIC ? 'dragoman serve --webhook-allow-private allows private addresses.' : undefined,
  });
}

/** URLs have brackets around an IPv6 address; and the parser of URLs knows every spelling of both kinds. */
function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** RFC 6761: these names are the machine's own, whatever a resolver says. */
function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(host);
}
