import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Concurrent connections. */
  readonly total: number;
  /** Concurrent connections from one address. */
  readonly perAddress: number;
}

/** Pending answers of one connection. Clients that pipeline send only a few requests ahead. */
const MAX_PENDING = 16;

interface GuardedConnection {
  readonly socket: Socket;
  readonly address: string;
  /**
   * The answers to requests whose head was read, in order: a client may send the next request before it has the previous
   * answer.
   */
  readonly pending: Set<ServerResponse>;
  /** When its client last began or ended a request, as a count of such events on all connections. */
  usedAt: number;
}

/**
 * The connections of a server. At the limit, a new connection replaces the one whose client has kept the server waiting
 * longest: slow and idle clients cannot keep others out, and no received request is cut off.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** By the client's address and port. */
  readonly #connections = new Map<string, GuardedConnection>();
  /** The connections of sockets that have sent a request: making a name for every request takes longer. */
  readonly #known = new WeakMap<Socket, GuardedConnection>();
  #events = 0;
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
    const connection: GuardedConnection = { socket, address, pending: new Set(), usedAt: ++this.#events };
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
    const connection = this.#of(incoming.socket);
    if (!connection) return true;
    if (connection.pending.size >= MAX_PENDING) return false;
    connection.pending.add(answer);
    connection.usedAt = ++this.#events;
    answer.on('close', () => {
      connection.pending.delete(answer);
      connection.usedAt = ++this.#events;
      if (this.#draining && connection.pending.size === 0) incoming.socket.destroySoon();
    });
    return true;
  }

  /** The connection that carries a TLS socket. */
  under(socket: Socket): Socket | undefined {
    return this.#of(socket)?.socket;
  }

  /** Whether part of an answer was sent, so that nothing else may be written. */
  isAnswering(socket: Socket): boolean {
    return this.#pendingOf(socket).some(({ headersSent }) => headersSent);
  }

  /** Ends a connection after its pending answer; returns false if none is pending. */
  endAfterAnswer(socket: Socket): boolean {
    const pending = this.#pendingOf(socket);
    const last = pending.at(-1);
    if (!last || last.headersSent) return false;
    if (!pending.every(({ req }) => req.complete)) return false;
    last.setHeader('connection', 'close');
    return true;
  }

  /** From now on, connections end after their pending answers. */
  drain(): void {
    this.#draining = true;
    for (const { pending } of this.#connections.values()) {
      const last = [...pending].at(-1);
      if (last && !last.headersSent) last.setHeader('connection', 'close');
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

  #pendingOf(socket: Socket): readonly ServerResponse[] {
    return [...(this.#of(socket)?.pending ?? [])];
  }

  #of(socket: Socket): GuardedConnection | undefined {
    let connection = this.#known.get(socket);
    if (!connection) {
      connection = this.#connections.get(nameOf(socket));
      if (connection) this.#known.set(socket, connection);
    }
    return connection;
  }

  #makeRoom(address: string): boolean {
    const { total, perAddress } = this.#limits;
    const ofAddress = [...this.#connections.values()].filter((connection) => connection.address === address);
    if (ofAddress.length >= perAddress) return giveWay(ofAddress);
    return this.#connections.size < total || giveWay(this.#connections.values());
  }
}

function giveWay(connections: Iterable<GuardedConnection>): boolean {
  let longest: GuardedConnection | undefined;
  for (const connection of connections) {
    if (longest && longest.usedAt < connection.usedAt) continue;
    // The client has sent a complete request, so it is waiting for this server.
    if ([...connection.pending].some(({ req }) => req.complete)) continue;
    longest = connection;
  }
  longest?.socket.destroy();
  return longest !== undefined;
}

/** Identical for a socket and for the TLS socket around it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? 0}`;
}
