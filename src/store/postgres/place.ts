import pg from 'pg';
import { isLoopback } from '../../base/http/base-url.ts';
import { DragomanError } from '../../base/errors.ts';

/** The address of a database, `postgres://user@host:5432/database`. */
export interface PostgresPlace {
  readonly url: string;
  /** The user's password, unless it is in PGPASSFILE. */
  readonly password?: string | undefined;
}

const EXAMPLE = 'Use a form such as postgres://dragoman@db.example.org/dragoman?sslrootcert=ca.pem.';
/** Modes that would let an attacker on the network read and change traffic. */
const UNVERIFIED = new Set(['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca']);

/** @throws DragomanError `usage` for an unusable address, or one without encryption */
export function settingsOf({ url: text, password }: PostgresPlace): pg.ClientConfig {
  const url = parse(text);
  const host = url.searchParams.get('host') ?? url.hostname;
  const isLocal = host === '' || host.startsWith('/') || isLoopback(host);
  const mode = url.searchParams.get('sslmode');
  if (!isLocal && UNVERIFIED.has(mode ?? '')) {
    throw new DragomanError('usage', `sslmode=${mode} does not protect the connection to ${host}`, {
      hint: 'Leave out sslmode; sslrootcert=FILE names the certificate of a private authority.',
    });
  }
  if (!isLocal) url.searchParams.set('sslmode', 'verify-full');
  const isNamed = url.password !== '' || url.searchParams.has('password');
  return { connectionString: url.href, ...(!isNamed && { password: () => passwordOf(text, password) }) };
}

/**
 * The driver calls this only if the database requires a password.
 *
 * @throws DragomanError `configuration` without a password
 */
async function passwordOf(text: string, given: string | undefined): Promise<string> {
  const password = given ?? (await passwordInFile(text));
  if (password !== undefined) return password;
  throw new DragomanError('configuration', 'the database requires a password, but none was given', {
    hint: 'Put it into PGPASSWORD, or into a file of mode 0600 that PGPASSFILE names.',
  });
}

/** Reads the password from the file in PGPASSFILE, otherwise from ~/.pgpass, like PostgreSQL's own programs. */
async function passwordInFile(text: string): Promise<string | undefined> {
  const { default: readPassword } = await import('pgpass');
  const { host, port, user, database } = new pg.Client({ connectionString: text });
  return new Promise((resolve) => readPassword({ host, port, user, database }, resolve));
}

function parse(text: string): URL {
  const url = /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url) return url;
  // The message omits the address, which may contain a password.
  throw new DragomanError('usage', 'the store is not the address of a PostgreSQL database', {
    hint: EXAMPLE,
  });
}

/** The address without secrets, for logs and messages. */
export function describePlace({ url: text }: PostgresPlace): string {
  const url = parse(text);
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`;
}
