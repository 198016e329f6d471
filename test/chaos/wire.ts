import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Connections that only say that a process lives, and hear what others announce. */
const WATCHING = Buffer.from('listen dragoman');

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
  isWatch: boolean;
}

/** The network between servers and a database: what goes through it can be cut, held and lost. */
export class Wire {
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #isStalled = false;
  #isRefusing = false;
  #answersToEat = 0;
  /** Where connections lead that are made from now on. */
  target: number;
  /** Of each piece, in both directions. */
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

  /** Breaks all connections, or only those by which processes say that they live. */
  cut(which: 'all' | 'watches' = 'all'): void {
    for (const connection of this.#connections) {
      if (which === 'all' || connection.isWatch) destroy(connection);
    }
  }

  /** The next so many connections that get an answer lose it, and break: it was done, and nobody heard. */
  eatAnswers(count: number): void {
    this.#answersToEat = count;
  }

  /** Nothing goes through any more, and nobody hears of it: as when a cable is pulled. */
  stall(): void {
    this.#isStalled = true;
    for (const { client, server } of this.#connections) {
      client.pause();
      server.pause();
    }
  }

  /** What was held back goes on. */
  resume(): void {
    this.#isStalled = false;
    for (const { client, server } of this.#connections) {
      client.resume();
      server.resume();
    }
  }

  /** Cuts everything, and takes no new connections until it is called with `false`. */
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
