import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** Connections that wait until a process serves again. */
const MOST_WAITING = 1_000;

interface GivenConnection {
  readonly socket: Socket;
  readonly to: ChildProcess;
}

/**
 * Gives each connection to the next process, and keeps it open until that process confirms it:
 * connections of a process that died go to the next. (`node:cluster` forgets them, and their clients wait for ever.)
 */
export class Handover {
  #processes: readonly ChildProcess[] = [];
  readonly #given = new Map<number, GivenConnection>();
  #waiting: Socket[] = [];
  #last = 0;
  #turn = 0;

  add(child: ChildProcess): void {
    this.#processes = [...this.#processes, child];
    for (const socket of this.#waiting.splice(0)) this.take(socket);
  }

  remove(child: ChildProcess): void {
    this.#processes = this.#processes.filter((other) => other !== child);
    for (const [id, { socket, to }] of this.#given) {
      if (to !== child) continue;
      this.#given.delete(id);
      this.take(socket);
    }
  }

  take(socket: Socket): void {
    // A client that leaves early.
    if (socket.listenerCount('error') === 0) socket.on('error', () => undefined);
    const to = this.#processes[this.#turn++ % this.#processes.length];
    if (!to) {
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(socket);
      else socket.destroy();
      return;
    }
    const id = ++this.#last;
    this.#given.set(id, { socket, to });
    if (to.connected) to.send({ connection: id }, socket, { keepOpen: true }, () => undefined);
  }

  accepted(id: number): void {
    this.#given.get(id)?.socket.destroy();
    this.#given.delete(id);
  }

  close(): void {
    for (const { socket } of this.#given.values()) socket.destroy();
    for (const socket of this.#waiting) socket.destroy();
  }
}
