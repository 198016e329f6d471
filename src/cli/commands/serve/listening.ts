import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readSmallText } from '../../../base/bounded-read.ts';
import { DragomanError } from '../../../base/errors.ts';
import type { Certificate, ListenerOptions } from '../../../server/http/listener.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** How often the certificate files are checked. */
const RENEWAL_MS = 10_000;

export interface ListenFlags {
  readonly host: string;
  readonly port: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecureHttp?: boolean;
}

/**
 * The address to listen on. Unencrypted keys and texts leave the machine only with the user's consent.
 *
 * @throws DragomanError `usage`, and `unreadable_input` for an unreadable file
 */
export async function listenerOptions(flags: ListenFlags, { cwd }: Terminal): Promise<ListenerOptions> {
  const { host, port, tlsCert, tlsKey, insecureHttp } = flags;
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const read = async (): Promise<Certificate> => {
      const [cert, key] = await Promise.all([
        readSmallText(resolve(cwd, tlsCert)),
        readSmallText(resolve(cwd, tlsKey)),
      ]);
      return { cert, key };
    };
    return { host, port, tls: await read(), renewal: { read, everyMs: RENEWAL_MS } };
  }
  if (tlsCert !== undefined || tlsKey !== undefined) {
    throw new DragomanError('usage', '--tls-cert and --tls-key go together');
  }
  if (!isLoopback(host) && insecureHttp !== true) {
    throw new DragomanError(
      'usage',
      `other machines can reach ${host}, and without TLS the network could read API keys`,
      {
        hint: 'Use --tls-cert and --tls-key, or --insecure-http behind a proxy that terminates TLS.',
      },
    );
  }
  return { host, port };
}

/** Other names may resolve to this machine today but not tomorrow. */
function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1' || host === 'localhost';
}

/**
 * The URL without a trailing slash, because paths are appended.
 *
 * @throws DragomanError `usage`
 */
export function publicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBase =
    url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (!isBase) {
    throw new DragomanError('usage', '--public-url is not a base URL', {
      hint: 'Use a form such as https://translate.example.org or https://example.org/translate.',
    });
  }
  return url.href.replace(/\/+$/, '');
}
