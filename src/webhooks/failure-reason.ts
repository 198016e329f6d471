import { DragomanError } from '../base/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EHOSTUNREACH: 'the receiver cannot be reached',
  ENETUNREACH: 'the receiver cannot be reached',
  ETIMEDOUT: 'the receiver cannot be reached',
  ENOTFOUND: 'the name of the receiver has no address',
  EAI_AGAIN: 'the name of the receiver cannot be looked up',
};

/** What OpenSSL and Node call a certificate that they do not accept. */
const CERTIFICATE =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_)/;

/**
 * Why a call failed, in words. Of what the receiver sent nothing is in it: messages of certificates quote it.
 */
export function failureReason(error: unknown): string {
  if (error instanceof DragomanError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (CERTIFICATE.test(code)) return `the certificate of the receiver is not accepted (${code})`;
  if (code.startsWith('HPE_')) return `the answer is not HTTP (${code})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `the TLS handshake failed (${code})`;
  return `the connection failed (${code})`;
}
