import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { requireSecret, signWebhook, verifyWebhook } from '../../src/webhooks/signature.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const NOW = Date.now();
const SECONDS = Math.floor(NOW / 1000);
const BODY = Buffer.from('{"event":"été 日本 🎉"}');

function headersOf(change: Record<string, string | undefined> = {}, secret = SECRET) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(SECONDS),
    'webhook-signature': signWebhook(secret, { id: 'msg_1', timestamp: SECONDS, body: BODY }),
    ...change,
  };
}

describe('a signature', () => {
  it('is accepted by the library of the standard', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        fc.uuid(),
        fc.string({ unit: 'grapheme' }),
        (key, uuid, body) => {
          const secret = `whsec_${Buffer.from(key).toString('base64')}`;
          const id = `msg_${uuid}`;
          const signature = signWebhook(secret, { id, timestamp: SECONDS, body });
          const headers = {
            'webhook-id': id,
            'webhook-timestamp': String(SECONDS),
            'webhook-signature': signature,
          };
          new Webhook(secret).verify(body, headers, { jsonParse: false });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of the library is accepted', () => {
    const signature = new Webhook(SECRET).sign('msg_1', new Date(NOW), BODY.toString());
    expect(verifyWebhook(SECRET, headersOf({ 'webhook-signature': signature }), BODY, NOW)).toBeUndefined();
  });

  it('equals that of a message signed by another program', () => {
    // The example of the Standard Webhooks specification.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    expect(signWebhook(secret, message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is found among several, but only in this version', () => {
    const { 'webhook-signature': right } = headersOf();
    const other = signWebhook(`whsec_${randomBytes(32).toString('base64')}`, {
      id: 'msg_1',
      timestamp: SECONDS,
      body: BODY,
    });
    const verify = (signature: string) =>
      verifyWebhook(SECRET, headersOf({ 'webhook-signature': signature }), BODY, NOW);
    expect(verify(`${other} v1a,xyz ${right}`)).toBeUndefined();
    expect(verify(other)).toBe('wrong_signature');
    expect(verify(right.replace('v1,', 'v2,'))).toBe('wrong_signature');
    expect(verify(right.slice(0, -5))).toBe('wrong_signature');
    expect(verify('v1')).toBe('wrong_signature');
    expect(verify('v1,')).toBe('wrong_signature');
    expect(verify(`${'v1,AAAA '.repeat(50_000)}${right}`)).toBe('wrong_signature');
  });

  it('covers the id, the time and every byte of the body', () => {
    const headers = headersOf();
    expect(verifyWebhook(SECRET, headers, BODY, NOW)).toBeUndefined();
    expect(verifyWebhook(SECRET, { ...headers, 'webhook-id': 'msg_2' }, BODY, NOW)).toBe('wrong_signature');
    const later = { ...headers, 'webhook-timestamp': String(SECONDS + 1) };
    expect(verifyWebhook(SECRET, later, BODY, NOW)).toBe('wrong_signature');
    for (let position = 0; position < BODY.length; position++) {
      const changed = Buffer.from(BODY);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(verifyWebhook(SECRET, headers, changed, NOW)).toBe('wrong_signature');
    }
  });

  it('is invalid if it was made five minutes ago, or is dated five minutes ahead', () => {
    const at = (seconds: number) => verifyWebhook(SECRET, headersOf(), BODY, (SECONDS + seconds) * 1000);
    expect([at(300), at(-300)]).toEqual([undefined, undefined]);
    expect([at(301), at(-301)]).toEqual(['too_old', 'too_new']);
  });

  it('needs its three headers', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(verifyWebhook(SECRET, headersOf({ [name]: undefined }), BODY, NOW)).toBe('missing_header');
    }
    for (const time of ['soon', '-1', '1e9', ` ${SECONDS}`, '']) {
      expect(verifyWebhook(SECRET, headersOf({ 'webhook-timestamp': time }), BODY, NOW)).toBe(
        'malformed_timestamp',
      );
    }
  });
});

describe('a secret', () => {
  it.each(['', 'whsec_', 'whsec_-_-', 'AAAA', 'whsec_AA AA', 'whsec_AAAA\n'])('is not %j', (secret) => {
    expect(() => requireSecret(secret)).toThrow(expect.objectContaining({ code: 'configuration' }));
  });

  it('is not shown by the error', () => {
    expect(() => requireSecret('hunter2')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') as string }),
    );
  });
});
