import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/webhooks/address.ts';
import { checkWebhookUrl, receiverAddresses, requirePublicWebhook } from '../../src/webhooks/address.ts';
import { HostResolution, type HostAddress } from '../../src/webhooks/host-resolution.ts';

const PUBLIC = ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'];
const PUBLIC_2 = [
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
];
const PUBLIC_3 = ['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'];
const PUBLIC_6 = ['2606:4700::1111', '2001:4860:4860::8888', '2a00::1', '64:ff9b::101:101', '::ffff:1.1.1.1'];

const NOT_PUBLIC = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.0.0',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];
const NOT_PUBLIC_6 = [
  '::',
  '::1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:0:a00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::101:101',
  '100::1',
  '2001::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1%eth0',
  'fec0::1',
  'ff02::1',
];

describe('addresses', () => {
  it.each([...PUBLIC, ...PUBLIC_2, ...PUBLIC_3, ...PUBLIC_6])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([...NOT_PUBLIC, ...NOT_PUBLIC_6, '', 'example.com', '1.1.1', '1.1.1.1.', '[::1]'])(
    '%j is not public',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );

  it('in IPv6 count as their embedded IPv4 address, in every spelling', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(
        octets,
        fc.constantFrom('::ffff:', '64:ff9b::', '0:0:0:0:0:FFFF:'),
        ([a, b, c, d], prefix) => {
          const address = `${a}.${b}.${c}.${d}`;
          const groups = [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(':');
          expect(isIPv4(address)).toBe(true);
          expect(isPublicAddress(`${prefix}${address}`)).toBe(isPublicAddress(address));
          expect(isPublicAddress(`${prefix}${groups}`)).toBe(isPublicAddress(address));
        },
      ),
      { numRuns: 500 },
    );
  });
});

const invalid = expect.objectContaining({ code: 'invalid_request' }) as Error;

describe('the URL of a webhook', () => {
  it.each([
    'https://example.com/hook?job=1',
    'https://example.com:8443/',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]:444/',
    'https://localhost.example.com/',
  ])('can be %s', (url) => {
    expect(() => checkWebhookUrl(url, { allowPrivate: false })).not.toThrow();
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://10.0.0.1:8443/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://loc%61lhost/',
    'https://api.localhost/',
  ])('can be %s only if private addresses are allowed', (url) => {
    expect(() => checkWebhookUrl(url, { allowPrivate: false })).toThrow(invalid);
    checkWebhookUrl(url, { allowPrivate: true });
  });

  it.each([
    'http://example.com/',
    'http://127.0.0.1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'example.com',
    '',
    'https://',
    'https://[fe80::1%25eth0]/',
    'https://999.1.1.1/',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://:secret@example.com/',
    'https://example.com:0/',
    `https://example.com/${'a'.repeat(2048)}`,
  ])('can never be %.60s', (url) => {
    for (const allowPrivate of [false, true]) {
      expect(() => checkWebhookUrl(url, { allowPrivate })).toThrow(invalid);
    }
  });
});

const never = new AbortController().signal;
const answering = (...addresses: readonly string[]) =>
  new HostResolution(() =>
    Promise.resolve(addresses.map((address): HostAddress => ({ address, family: isIPv4(address) ? 4 : 6 }))),
  );
const failing = new HostResolution(() => Promise.reject(new Error('no such name')));

describe('the name of a receiver', () => {
  const url = 'https://hook.example.com/';
  const check = (resolution: HostResolution, allowPrivate = false) =>
    requirePublicWebhook(url, { allowPrivate, signal: never, resolution });

  it('is refused with a private address, even next to a public one', async () => {
    await check(answering('1.1.1.1', '2606:4700::1'));
    await expect(check(answering('10.0.0.1'))).rejects.toThrow(invalid);
    await expect(check(answering('1.1.1.1', '::1'))).rejects.toThrow(invalid);
    await check(answering('10.0.0.1'), true);
  });

  it('passes if it cannot be resolved yet, but its call does not', async () => {
    await check(failing);
    const options = { allowPrivate: false, signal: never };
    const callAt = (resolution: HostResolution) =>
      receiverAddresses('hook.example.com', { ...options, resolution });
    await expect(callAt(failing)).rejects.toThrow('no such name');
    await expect(callAt(answering('192.168.1.1'))).rejects.toThrow(invalid);
    await expect(callAt(answering('1.1.1.1', '127.0.0.1'))).rejects.toThrow(invalid);
    expect(await callAt(answering('1.1.1.1'))).toEqual([{ address: '1.1.1.1', family: 4 }]);
  });

  it('passes if its lookup takes too long; the lookup ends with the request', async () => {
    const hanging = new HostResolution(() => new Promise(() => undefined));
    const started = performance.now();
    await check(hanging);
    expect(performance.now() - started).toBeGreaterThan(1_900);
    const stopped = requirePublicWebhook(url, {
      allowPrivate: false,
      signal: AbortSignal.timeout(10),
      resolution: hanging,
    });
    await expect(stopped).rejects.toThrow(expect.objectContaining({ code: 'interrupted' }));
  });

  it('is resolved by the system, and refused if it is this machine’s', async () => {
    await expect(receiverAddresses('localhost', { allowPrivate: false, signal: never })).rejects.toThrow(
      invalid,
    );
    const own = await receiverAddresses('localhost', { allowPrivate: true, signal: never });
    expect(own.map(({ address }) => address)).toContain('127.0.0.1');
  });
});
