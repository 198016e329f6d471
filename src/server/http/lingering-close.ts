import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The maximum size of an unread body that is read and dropped to keep the connection. */
const DRAINED_BYTES = 1024 * 1024;
/** As long as a client may send on after its answer, in total and without a byte. */
const LINGER_MS = 30_000;
const SILENCE_MS = 5_000;

/**
 * Whether the connection of a request that is not complete has to end with its answer, because there is more of its body
 * to come than is worth reading.
 */
export function endsConnection(incoming: IncomingMessage): boolean {
  const { 'content-length': length, expect } = incoming.headers;
  // A client without permission to send its body may send it anyway.
  return expect !== undefined || length === undefined || Number(length) > DRAINED_BYTES;
}

/**
 * Ends the connection after an answer so that the client can read the answer: closing a socket while the
 * client still sends resets it, and the client loses data it had received. So this side ends only its own half,
 * and reads and drops further data for a while.
 */
export function closeLingering({ socket }: IncomingMessage): void {
  socket.destroySoon = () => linger(socket);
}

function linger(socket: Socket): void {
  const stop = (): void => {
    clearTimeout(timer);
    socket.destroy();
  };
  const timer = setTimeout(stop, LINGER_MS).unref();
  socket.setTimeout(SILENCE_MS, stop);
  socket.once('end', stop).once('close', () => clearTimeout(timer));
  if (socket.writable) socket.end();
}
