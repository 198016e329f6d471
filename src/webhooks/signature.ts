import { createHmac, timingSafeEqual } from 'node:crypto';
import { DragomanError } from '../base/errors.ts';

/** Standard Webhooks: https://www.standardwebhooks.com. */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1';
/** Maximum difference between the clocks; also limits how long a recorded request can be replayed. */
const TOLERANCE_SECONDS = 5 * 60;
/** More signatures than a key rotation needs. */
const MAX_SIGNATURES = 16;

/** The signed content. `body` must be exactly the bytes sent. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string | Uint8Array;
}

/** Why a request is not authentic. */
export type VerificationFailure =
  'missing_header' | 'malformed_timestamp' | 'too_old' | 'too_new' | 'wrong_signature';

/**
 * The value of the header `webhook-signature`.
 *
 * @param secret `whsec_` and the base64 of the key
 * @throws DragomanError `configuration` for an invalid secret
 */
export function signWebhook(secret: string, message: SignedMessage): string {
  return `${VERSION},${hmacOf(keyOf(secret), message).toString('base64')}`;
}

/**
 * Undefined if the sender of a request has the secret and has just sent it; otherwise the reason. During a rotation the
 * header has several signatures, of which one must be valid. Takes the same time for every signature.
 *
 * @param now milliseconds since the epoch
 * @throws DragomanError `configuration` for an invalid secret
 */
export function verifyWebhook(
  secret: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: Uint8Array,
  now: number = Date.now(),
): VerificationFailure | undefined {
  const key = keyOf(secret);
  const id = headers[WEBHOOK_HEADERS.id];
  const sentAt = headers[WEBHOOK_HEADERS.timestamp];
  const signatures = headers[WEBHOOK_HEADERS.signature];
  if (typeof id !== 'string' || typeof sentAt !== 'string' || typeof signatures !== 'string') {
    return 'missing_header';
  }
  if (id === '' || signatures === '') return 'missing_header';
  if (!/^\d{1,12}$/.test(sentAt)) return 'malformed_timestamp';
  const timestamp = Number(sentAt);
  const age = Math.floor(now / 1000) - timestamp;
  if (age > TOLERANCE_SECONDS) return 'too_old';
  if (age < -TOLERANCE_SECONDS) return 'too_new';
  const expected = hmacOf(key, { id, timestamp, body });
  const isRight = signatures
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .some((signature) => isSignature(signature, expected));
  return isRight ? undefined : 'wrong_signature';
}

/** @throws DragomanError `configuration`, without showing the secret */
export function requireSecret(secret: string): void {
  keyOf(secret);
}

function isSignature(signature: string, expected: Buffer): boolean {
  const [version, encoded = ''] = signature.split(',', 2);
  if (version !== VERSION) return false;
  const given = Buffer.from(encoded, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function hmacOf(key: Buffer, { id, timestamp, body }: SignedMessage): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    throw new DragomanError('configuration', 'invalid webhook secret: expected whsec_ followed by base64', {
      hint: 'dragoman keys webhook-secret --email E prints the secret of an account.',
    });
  }
  return Buffer.from(encoded, 'base64');
}
