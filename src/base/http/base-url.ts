import { isIP } from 'node:net';
import { DragomanError } from '../errors.ts';

/** The address of a service; `prefix` is the base path, without a trailing slash. */
export interface BaseUrl {
  readonly origin: string;
  readonly host: string;
  readonly prefix: string;
  readonly secure: boolean;
  readonly loopback: boolean;
}

/** @throws DragomanError `configuration` unless it is an http or https address with at most a path */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid('is not an http or https address', 'Use a form such as https://api.example.com.');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('contains credentials', 'Pass the key separately, not in the address.');
  }
  if (/[?#]/.test(text)) throw invalid('has a query or a fragment', 'Leave out what follows ? or #.');
  return {
    origin: url.origin,
    host: url.host,
    prefix: url.pathname.replace(/\/+$/, ''),
    secure: url.protocol === 'https:',
    loopback: isLoopback(url.hostname),
  };
}

/** The message omits the address, which may contain a password. */
function invalid(problem: string, hint: string): DragomanError {
  return new DragomanError('configuration', `the base URL ${problem}`, { hint });
}

/** @param hostname as normalized by `URL`: addresses in canonical form, IPv6 in brackets */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

/**
 * Checks that the key may be sent to this address, in a header.
 *
 * @throws DragomanError `configuration`; the message omits the key
 */
export function requireSafeKey(key: string, { secure, loopback, host }: BaseUrl): void {
  if (!/^[\u0021-\u007e]+$/.test(key)) {
    throw new DragomanError(
      'configuration',
      'the API key is empty, or has spaces or other characters that keys never contain',
      {
        hint: 'Copy it again, without the text around it.',
      },
    );
  }
  if (!secure && !loopback) {
    throw new DragomanError('configuration', `the API key is not sent to ${host} without encryption`, {
      hint: 'Use an https address; http is only for services on this machine.',
    });
  }
}
