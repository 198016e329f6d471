import type { Server } from 'node:net';
import { DragomanError } from './errors.ts';
import { reasonOf } from './system-error.ts';

/**
 * Listens, and resolves with the port, which differs if 0 was requested.
 *
 * @throws DragomanError `usage` if it cannot listen on the address
 */
export async function listenOn(server: Server, host: string, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = isTaken ? 'another program is listening there' : reasonOf(error);
    throw new DragomanError('usage', `cannot listen on ${host} port ${port}: ${reason}`, {
      hint: 'Choose another port with --port; 0 picks a free one.',
      cause: error,
    });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}
