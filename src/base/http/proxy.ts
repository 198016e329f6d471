import { DragomanError } from '../errors.ts';
import type { BaseUrl } from './base-url.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Proxy {
  readonly url: string;
  /** Hosts that are accessed directly, as in NO_PROXY. */
  readonly except: string;
}

/**
 * The proxy for an address according to the environment. Loopback addresses use none: the key may be sent to them
 * without encryption, so no other machine must see it.
 *
 * @throws DragomanError `configuration`; the message omits a password in the proxy's address
 */
export function chooseProxy({ secure, loopback }: BaseUrl, env: Environment): Proxy | undefined {
  if (loopback) return undefined;
  const name = secure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const url = env[name.toLowerCase()] || env[name];
  if (url === undefined || url === '') return undefined;
  if (!URL.canParse(url) || !/^(?:https?|socks5?):$/.test(new URL(url).protocol)) {
    throw new DragomanError('configuration', `${name} is not the address of a proxy`, {
      hint: 'Use a form such as http://proxy.example.com:3128.',
    });
  }
  return { url, except: env['no_proxy'] || env['NO_PROXY'] || '' };
}
