import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Concurrent connections. */
  readonly total: number;
  /** Concurrent connections from one address. */
  readonly perAddress: number;
}

/** A request from when its head was read until its answer is sent. */
interface PendingRequest {
  readonly incoming: IncomingMessage;
  readonly answer: ServerResponse;
}

/** Pending answers of one connection. Clients that pipeline send only a few requests ahead. */
const MAX_PENDING = 16;

interface GuardedConnection {
  readonly name: string;
  readonly socket: Socket;
  readonly address: string;
  /** In order: a client may send the next request before it has the previous answer. */
  readonly pending: Set<PendingRequest>;
}

/**
 * The connections of a server. At the limit, a new connection replaces the one whose client has kept the server waiting
 * longest: slow and idle clients cannot keep others out, and no received request is cut off.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** By the client's address and port, longest waiting client first. */
  readonly #connections = new Map<string, GuardedConnection>();
  #draining = false;
  #onClosed: (() => void) | undefined;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Accepts a new connection if there is room or room can be made; otherwise closes it. */
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

  /**
   * Call this when the head of a request was read. Returns false if the connection has too many pending requests and
   * must be closed.
   */
  begin(incoming: IncomingMessage, answer: ServerResponse): boolean {
    if (this.#draining) answer.setHeader('connection', 'close');
    const connection = this.#connections.get(nameOf(incoming.socket));
    if (!connection) return true;
    if (connection.pending.size >= MAX_PENDING) return false;
    const pending: PendingRequest = { incoming, answer };
    connection.pending.add(pending);
    // A client that uses its connection moves to the end of the queue.
    this.#requeue(connection);
    answer.once('close', () => {
      connection.pending.delete(pending);
      this.#requeue(connection);
      if (this.#draining && connection.pending.size === 0) incoming.socket.destroySoon();
    });
    return true;
  }

  /** The connection that carries a TLS socket. */
  under(socket: Socket): Socket | undefined {
    return this.#connections.get(nameOf(socket))?.socket;
  }

  /** Whether part of an answer was sent, so that nothing else may be written. */
  isAnswering(socket: Socket): boolean {
    return this.#pendingOf(socket).some(({ answer }) => answer.headersSent);
  }

  /** Ends a connection after its pending answer; returns false if none is pending. */
  endAfterAnswer(socket: Socket): boolean {
    const pending = this.#pendingOf(socket);
    const last = pending.at(-1);
    if (!last || last.answer.headersSent) return false;
    if (!pending.every(({ incoming }) => incoming.complete)) return false;
    last.answer.setHeader('connection', 'close');
    return true;
  }

  /** From now on, connections end after their pending answers. */
  drain(): void {
    this.#draining = true;
    for (const { pending } of this.#connections.values()) {
      const last = [...pending].at(-1);
      if (last && !last.answer.headersSent) last.answer.setHeader('connection', 'close');
    }
  }

  /** Resolves when all connections are closed. */
  async closed(): Promise<void> {
    if (this.#connections.size > 0) await new Promise<void>((resolve) => (this.#onClosed = resolve));
  }

  /** Closes the connections without a pending answer. */
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
    // The client has sent a complete request, so it is waiting for this server.
    if ([...pending].some(({ incoming }) => incoming.complete)) continue;
    socket.destroy();
    return true;
  }
  return false;
}

/** Identical for a socket and for the TLS socket around it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? 0}`;
}
