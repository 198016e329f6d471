import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The maximum size of an unread body that is read and dropped to keep the connection. */
const DRAINED_BYTES = 1024 * 1024;
/** How long a client may continue to send after its answer, and how long it may pause meanwhile. */
const LINGER_MS = 30_000;
const SILENCE_MS = 5_000;

/**
 * Whether the connection of an incomplete request must end with its answer, because too much of the body is still to
 * come.
 */
export function endsConnection(incoming: IncomingMessage): boolean {
  const { 'content-length': length, expect } = incoming.headers;
  // A client that waits for `100 Continue` may send its body anyway.
  return expect !== undefined || length === undefined || Number(length) > DRAINED_BYTES;
}

/**
 * Ends the connection after an answer so that the client can read the answer: closing a socket while the
 * client still sends resets it, and the client loses data it had received. So this side ends only its own half,
 * and reads and drops further data for a while.
 */
export function closeLingering({ socket }: IncomingMessage): void {
  socket.destroySoon = () => closeAfterClient(socket);
}

function closeAfterClient(socket: Socket): void {
  const stop = (): void => {
    clearTimeout(timer);
    socket.destroy();
  };
  const timer = setTimeout(stop, LINGER_MS).unref();
  socket.setTimeout(SILENCE_MS, stop);
  socket.once('end', stop).once('close', () => clearTimeout(timer));
  if (socket.writable) socket.end();
}
