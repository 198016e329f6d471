import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Sent only over connections for heartbeats and announcements. */
const WATCHING = Buffer.from('listen dragoman');

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
  isWatch: boolean;
}

/** The network between servers and a database, which can be cut or held, and can lose data. */
export class Wire {
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #isStalled = false;
  #isRefusing = false;
  #answersToEat = 0;
  /** The destination of new connections. */
  target: number;
  /** The delay of each piece, in both directions. */
  delayMs = 0;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.target = target;
    server.on('connection', (client) => this.#accept(client));
  }

  static async open(target: number): Promise<Wire> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Wire(server, target);
  }

  get port(): number {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks all connections, or only those for heartbeats. */
  cut(which: 'all' | 'watches' = 'all'): void {
    for (const connection of this.#connections) {
      if (which === 'all' || connection.isWatch) destroy(connection);
    }
  }

  /**
   * Makes this many of the next connections lose their answer and break: the work was done, but the client does not
   * learn that.
   */
  eatAnswers(count: number): void {
    this.#answersToEat = count;
  }

  /** Nothing passes any more, and no error is reported, as when a cable is pulled. */
  stall(): void {
    this.#isStalled = true;
    for (const { client, server } of this.#connections) {
      client.pause();
      server.pause();
    }
  }

  /** Lets held data continue. */
  resume(): void {
    this.#isStalled = false;
    for (const { client, server } of this.#connections) {
      client.resume();
      server.resume();
    }
  }

  /** Cuts everything, and accepts no new connections until called with `false`. */
  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
    if (isRefusing) this.cut();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #accept(client: Socket): void {
    if (this.#isRefusing) {
      client.destroy();
      return;
    }
    const server = connect(this.target, '127.0.0.1');
    const connection = { client, server, isWatch: false };
    this.#connections.add(connection);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#connections.delete(connection);
        destroy(connection);
      });
    }
    client.on('data', (chunk: Buffer) => {
      connection.isWatch ||= chunk.includes(WATCHING);
      this.#pass(chunk, server);
    });
    server.on('data', (chunk: Buffer) => {
      if (this.#answersToEat > 0 && !connection.isWatch) {
        this.#answersToEat--;
        destroy(connection);
      } else this.#pass(chunk, client);
    });
    if (this.#isStalled) {
      client.pause();
      server.pause();
    }
  }

  #pass(chunk: Buffer, to: Socket): void {
    if (this.delayMs === 0) to.write(chunk);
    else setTimeout(() => to.writable && to.write(chunk), this.delayMs);
  }
}

function destroy({ client, server }: Connection): void {
  client.destroy();
  server.destroy();
}
