import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections at once. */
  readonly total: number;
  /** Of one address. */
  readonly perAddress: number;
}

interface Connection {
  readonly name: string;
  readonly socket: Socket;
  readonly address: string;
  /** Once the head of a request was read, until its answer is sent. */
  request?: { readonly incoming: IncomingMessage; readonly answer: ServerResponse };
}

/**
 * The connections of a server. Where there are as many as there may be, the one whose client has kept the server waiting
 * longest gives way to a new one: slow senders and idle ones cannot keep others out, and no request that was received is
 * cut off.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** By the client's address and port, in the order in which their clients began to keep the server waiting. */
  readonly #connections = new Map<string, Connection>();
  #draining = false;

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
    const connection: Connection = { name, socket, address };
    this.#connections.set(name, connection);
    socket.once('close', () => {
      if (this.#connections.get(name) === connection) this.#connections.delete(name);
    });
  }

  /** The head of a request was read. */
  begin(incoming: IncomingMessage, answer: ServerResponse): void {
    const connection = this.#connections.get(nameOf(incoming.socket));
    if (!connection) return;
    connection.request = { incoming, answer };
    // A client that uses its connection is not the one that has waited longest.
    this.#requeue(connection);
    answer.once('close', () => {
      delete connection.request;
      this.#requeue(connection);
      if (this.#draining) incoming.socket.destroySoon();
    });
  }

  /** Whether bytes of an answer are on their way, into which nothing else may be written. */
  isAnswering(socket: Socket): boolean {
    return this.#connections.get(nameOf(socket))?.request?.answer.headersSent ?? false;
  }

  /** Ends a connection with the answer to the request that was received; false when there is none. */
  endAfterAnswer(socket: Socket): boolean {
    const connection = this.#connections.get(nameOf(socket));
    if (!connection?.request || !isWorking(connection)) return false;
    connection.request.answer.setHeader('connection', 'close');
    return true;
  }

  /** From now on a connection ends with the answer that is due. */
  drain(): void {
    this.#draining = true;
    for (const { request } of this.#connections.values()) {
      if (request && !request.answer.headersSent) request.answer.setHeader('connection', 'close');
    }
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Closes the connections on which no answer is due. */
  closeWaiting(): void {
    for (const { socket, request } of this.#connections.values()) if (!request) socket.destroy();
  }

  closeAll(): void {
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  #requeue(connection: Connection): void {
    if (this.#connections.delete(connection.name)) this.#connections.set(connection.name, connection);
  }

  #makeRoom(address: string): boolean {
    const { total, perAddress } = this.#limits;
    const ofAddress = [...this.#connections.values()].filter((connection) => connection.address === address);
    if (ofAddress.length >= perAddress) return giveWay(ofAddress);
    return this.#connections.size < total || giveWay(this.#connections.values());
  }
}

function giveWay(connections: Iterable<Connection>): boolean {
  for (const connection of connections) {
    if (isWorking(connection)) continue;
    connection.socket.destroy();
    return true;
  }
  return false;
}

/** Whether the request was received whole, so that the connection waits for this server and not for its client. */
function isWorking({ request }: Connection): boolean {
  return request?.incoming.complete ?? false;
}

/** The same for a socket and for the TLS socket around it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? 0}`;
}
