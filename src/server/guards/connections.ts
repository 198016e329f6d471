import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections at once. */
  readonly total: number;
  /** Of one address. */
  readonly perAddress: number;
}

/** A request whose head was read, until its answer is sent. */
interface PendingRequest {
  readonly incoming: IncomingMessage;
  readonly answer: ServerResponse;
}

/** Answers that a connection may wait for. Clients that send ahead at all send a few requests. */
const MAX_PENDING = 16;

interface GuardedConnection {
  readonly name: string;
  readonly socket: Socket;
  readonly address: string;
  /** In their order: a client may send the next request before the answer to the last. */
  readonly pending: Set<PendingRequest>;
}

/**
 * The connections of a server. Where there are as many as there may be, the one whose client has kept the server waiting
 * longest gives way to a new one: slow senders and idle ones cannot keep others out, and no request that was received is
 * cut off.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** By the client's address and port, in the order in which their clients began to keep the server waiting. */
  readonly #connections = new Map<string, GuardedConnection>();
  #draining = false;
  #onClosed: (() => void) | undefined;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Takes a new connection on, where there is room or room can be made; otherwise it is closed. */
  accept(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if (!this.#makeRoom(address)) {
      socket.destroy();
      return;
    }
    const name = nameOf(socket);
    const connection: GuardedConnection = { name, socket, address, pending: new Set() };
    this.#connections.set(name, connection);
    socket.once('close', () => {
      if (this.#connections.get(name) === connection) this.#connections.delete(name);
      if (this.#connections.size === 0) this.#onClosed?.();
    });
  }

  /** The head of a request was read. False when the connection has too many that are not answered: it is to be closed. */
  begin(incoming: IncomingMessage, answer: ServerResponse): boolean {
    if (this.#draining) answer.setHeader('connection', 'close');
    const connection = this.#connections.get(nameOf(incoming.socket));
    if (!connection) return true;
    if (connection.pending.size >= MAX_PENDING) return false;
    const pending: PendingRequest = { incoming, answer };
    connection.pending.add(pending);
    // A client that uses its connection is not the one that has waited longest.
    this.#requeue(connection);
    answer.once('close', () => {
      connection.pending.delete(pending);
      this.#requeue(connection);
      if (this.#draining && connection.pending.size === 0) incoming.socket.destroySoon();
    });
    return true;
  }

  /** The connection that a TLS socket is spoken over. */
  under(socket: Socket): Socket | undefined {
    return this.#connections.get(nameOf(socket))?.socket;
  }

  /** Whether bytes of an answer are on their way, into which nothing else may be written. */
  isAnswering(socket: Socket): boolean {
    return this.#pendingOf(socket).some(({ answer }) => answer.headersSent);
  }

  /** Ends a connection with the answer to its last request; false without one. */
  endAfterAnswer(socket: Socket): boolean {
    const pending = this.#pendingOf(socket);
    const last = pending.at(-1);
    if (!last || last.answer.headersSent) return false;
    if (!pending.every(({ incoming }) => incoming.complete)) return false;
    last.answer.setHeader('connection', 'close');
    return true;
  }

  /** From now on a connection ends with the answers that are due. */
  drain(): void {
    this.#draining = true;
    for (const { pending } of this.#connections.values()) {
      const last = [...pending].at(-1);
      if (last && !last.answer.headersSent) last.answer.setHeader('connection', 'close');
    }
  }

  /** Resolves when none is left. */
  async closed(): Promise<void> {
    if (this.#connections.size > 0) await new Promise<void>((resolve) => (this.#onClosed = resolve));
  }

  /** Closes the connections on which no answer is due. */
  closeWaiting(): void {
    for (const { socket, pending } of this.#connections.values()) if (pending.size === 0) socket.destroy();
  }

  closeAll(): void {
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  #pendingOf(socket: Socket): readonly PendingRequest[] {
    return [...(this.#connections.get(nameOf(socket))?.pending ?? [])];
  }

  #requeue(connection: GuardedConnection): void {
    if (this.#connections.delete(connection.name)) this.#connections.set(connection.name, connection);
  }

  #makeRoom(address: string): boolean {
    const { total, perAddress } = this.#limits;
    const ofAddress = [...this.#connections.values()].filter((connection) => connection.address === address);
    if (ofAddress.length >= perAddress) return giveWay(ofAddress);
    return this.#connections.size < total || giveWay(this.#connections.values());
  }
}

function giveWay(connections: Iterable<GuardedConnection>): boolean {
  for (const { socket, pending } of connections) {
    // A client that has sent a complete request waits for this server, not the other way round.
    if ([...pending].some(({ incoming }) => incoming.complete)) continue;
    socket.destroy();
    return true;
  }
  return false;
}

/** The same for a socket and for the TLS socket around it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? 0}`;
}
