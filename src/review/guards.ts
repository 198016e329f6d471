import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { SESSION_HEADER } from './protocol.ts';

/** 256 bits. */
function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares secrets; the time it takes does not depend on where they differ. */
function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

/** How long a browser may take to start, in milliseconds. */
const CODE_LIFE = 60_000;

/** Gives one session for each token. */
export class Sessions {
  /** The token in the address that the user opens. */
  readonly token = makeSecret();
  readonly #session = makeSecret();
  #isTaken = false;
  #code: { readonly text: string; readonly end: number } | undefined;
  #hasEntered = false;

  /** @returns undefined if the token is wrong or was already exchanged */
  exchange(token: string): string | undefined {
    if (this.#isTaken || !isSameSecret(token, this.token)) return undefined;
    this.#isTaken = true;
    return this.#enter();
  }

  /**
   * Creates a code for the browser that this program starts, to use in place of the token. An earlier code becomes
   * invalid.
   */
  makeCode(now = performance.now()): string {
    const text = makeSecret();
    this.#code = { text, end: now + CODE_LIFE };
    return text;
  }

  /** @returns undefined if the code is wrong, was already exchanged, or is older than a minute */
  exchangeCode(code: string, now = performance.now()): string | undefined {
    if (!this.#code || now > this.#code.end || !isSameSecret(code, this.#code.text)) return undefined;
    this.#code = undefined;
    return this.#enter();
  }

  #enter(): string {
    this.#hasEntered = true;
    return this.#session;
  }

  has(session: string | undefined): boolean {
    return session !== undefined && this.#hasEntered && isSameSecret(session, this.#session);
  }
}

/**
 * Requires that requests name the server's own host and come from its own page. Another host means DNS rebinding;
 * another origin means another page.
 *
 * @param host the host with its port, once the server listens
 */
export function requireOwnHost(host: () => string): MiddlewareHandler {
  return createMiddleware(async (context, next) => {
    const { req } = context;
    const own = host();
    const origin = req.header('origin');
    if (req.header('host') !== own) return context.json({ error: 'unknown host' }, 421);
    if (
      req.method === 'GET' ? origin !== undefined && origin !== `http://${own}` : origin !== `http://${own}`
    )
      return context.json({ error: 'unknown origin' }, 403);
    // This header shows where a request comes from, even without an origin.
    const site = req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return context.json({ error: 'unknown origin' }, 403);
    return next();
  });
}

export function requireSession(sessions: Sessions): MiddlewareHandler {
  return createMiddleware(async (context, next) => {
    if (sessions.has(context.req.header(SESSION_HEADER))) return next();
    return context.json({ error: 'no session: open the address that dragoman review prints' }, 401);
  });
}

/** Headers of all answers. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Allows the page to run only its own script, and to contact only its own server. */
export function pagePolicy(nonce: string): string {
  const own = `'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    'img-src data: blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Linux lists connections with their users here. A browser may use IPv4 on an IPv6 socket. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const ESTABLISHED = '01';

/**
 * Whether the other end of a local connection is a process of this user. Needed on Linux, which shows the arguments of
 * processes to all users, and the user of each connection. Other systems hide arguments from other users, or receive
 * the address in another way.
 */
export async function isOwnConnection({ localPort, remotePort }: Partial<Socket>): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  if (localPort === undefined || remotePort === undefined) return false;
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(() => '')));
  const [from, to] = [hexOf(remotePort), hexOf(localPort)];
  const users = tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local, remote, state, , , , user] = line.trim().split(/\s+/);
      const isIt = local?.endsWith(from) === true && remote?.endsWith(to) === true && state === ESTABLISHED;
      return isIt ? [Number(user)] : [];
    }),
  );
  return users.length > 0 && users.every((user) => user === process.getuid?.());
}

function hexOf(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
