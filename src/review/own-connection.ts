import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

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
