import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What IANA keeps for special purposes, and what clouds answer their own machines at. */
const NO_RECEIVER_4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a provider
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the platform of Azure, answers its virtual machines only
  '169.254.0.0/16', // link-local, and the metadata of clouds
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

/** Only this block is handed out to networks of the public internet … */
const UNICAST_6 = '2000::/3';
/** … but for these. Tunnels lead to an IPv4 address that the other end of the tunnel chooses. */
const NO_RECEIVER_6 = [
  '2001::/23', // protocol assignments, with the tunnel Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // the tunnel 6to4
  '3fff::/20', // documentation
];

/** The ranges that hold an IPv4 address in their last 32 bits, and lead to it. */
const EMBEDS_4 = [
  '::ffff:0:0/96', // mapped
  '64:ff9b::/96', // NAT64: how networks without IPv4 reach it
];

const noReceiver4 = listOf(NO_RECEIVER_4, 'ipv4');
const unicast6 = listOf([UNICAST_6], 'ipv6');
const noReceiver6 = listOf(NO_RECEIVER_6, 'ipv6');
const embeds4 = listOf(EMBEDS_4, 'ipv6');

/**
 * Whether an address is one of the public internet. Loopback, private, link-local, multicast, reserved and documented
 * ones are not, nor is anything that is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !noReceiver4.check(address, 'ipv4');
  // A zone is that of a link: whatever has one is not public.
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
  // The parser of URLs writes every address in one way, with both of the last groups unless they are zero.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const groups = canonical.includes('::')
    ? ['0', '0', ...tail.split(':').filter((group) => group !== '')]
    : head.split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
