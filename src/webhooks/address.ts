import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import { hosts, type HostAddress, type HostResolution } from './host-resolution.ts';

/**
 * How long creating a job waits for the DNS lookup of its webhook. The delivery looks the name up again and needs an
 * answer.
 */
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
 * Checks that a webhook URL may be called: HTTPS, without credentials and, unless private addresses are allowed,
 * neither such an address in any spelling nor `localhost`. Every port except 0 is allowed: a program on another port
 * has no certificate for the name.
 *
 * @throws DragomanError `invalid_request`
 */
export function checkWebhookUrl(url: string, { allowPrivate }: AddressPolicy): void {
  if (url.length > MAX_URL) throw refused(`cannot be longer than ${MAX_URL} characters`);
  if (!URL.canParse(url)) throw refused('must be a valid HTTPS URL');
  const { protocol, username, password, hostname, port } = new URL(url);
  if (protocol !== 'https:') throw refused('must be a valid HTTPS URL');
  if (username !== '' || password !== '') throw refused('cannot contain credentials');
  if (port === '0') throw refused('cannot have port 0');
  if (allowPrivate) return;
  const host = hostOf(hostname);
  if (isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host))) throw refused(NOT_PUBLIC);
}

/**
 * Like {@link checkWebhookUrl}, but also looks up the name and refuses private addresses. A name that is unknown, or
 * not resolved within two seconds, passes, because it is looked up again for every call.
 *
 * @throws DragomanError `invalid_request`, or `interrupted` if `signal` aborts
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
  throwIfAborted(signal, 'the request was cancelled');
  if (addresses.some(({ address }) => !isPublicAddress(address))) throw refused(NOT_PUBLIC);
}

/**
 * The addresses for calling a webhook. Connecting by name would look it up again, possibly with a different result. A
 * name with any non-public address is refused.
 *
 * @throws DragomanError `invalid_request`, or `interrupted` if `signal` aborts; the system's error if the name has no
 * address
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

/** URLs put an IPv6 address in brackets; the URL parser normalizes every spelling. */
function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** RFC 6761: these names always denote this machine, regardless of the resolver. */
function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(host);
}

/** Addresses that IANA reserves for special purposes, and metadata addresses of clouds. */
const NO_RECEIVER_4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a provider
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's platform, which answers its virtual machines only
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/** The only block that is allocated to the public internet. */
const UNICAST_6 = '2000::/3';
/** Exceptions within that block. Tunnels lead to an IPv4 address chosen by the tunnel's other end. */
const NO_RECEIVER_6 = [
  '2001::/23', // protocol assignments, with the tunnel Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // the tunnel 6to4
  '3fff::/20', // documentation
];

/** Ranges that contain an IPv4 address in their last 32 bits, and lead to it. */
const EMBEDS_4 = [
  '::ffff:0:0/96', // mapped
  '64:ff9b::/96', // NAT64: how networks without IPv4 reach it
];

const noReceiver4 = listOf(NO_RECEIVER_4, 'ipv4');
const unicast6 = listOf([UNICAST_6], 'ipv6');
const noReceiver6 = listOf(NO_RECEIVER_6, 'ipv6');
const embeds4 = listOf(EMBEDS_4, 'ipv6');

/**
 * Whether an address is public. Loopback, private, link-local, multicast, reserved and documentation addresses are not;
 * neither is an invalid one.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !noReceiver4.check(address, 'ipv4');
  // A zone belongs to a local link, so an address with one is not public.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (embeds4.check(address, 'ipv6')) return isPublicAddress(lastFourBytes(address));
  return unicast6.check(address, 'ipv6') && !noReceiver6.check(address, 'ipv6');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

function lastFourBytes(address: string): string {
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  // The URL parser normalizes every address, and writes the last two groups unless they are zero.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const groups = canonical.includes('::')
    ? ['0', '0', ...tail.split(':').filter((group) => group !== '')]
    : head.split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
