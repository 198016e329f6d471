import type { Socket } from 'node:net';
import type { StoreNews } from '../../store/store.ts';
import { toPlainError } from '../../workers/protocol.ts';
import type { ConnectionSource } from '../http/listener.ts';
import type { OthersInFlight } from '../guards/in-flight.ts';
import type { ReadyMessage, Inspected, ProcessCalls, ProcessIdentity, PrimaryCalls } from './calls.ts';
import { ProcessChannel, type LineEnd, answerWithin } from './process-channel.ts';

/** The primary answers at once, or after asking a busy process. */
const ENTER_MS = 5_000;
const METRICS_MS = 3_000;

/** The other processes of a server, seen from one of them. Does not wait for late answers. */
export class SiblingProcesses implements OthersInFlight, ConnectionSource {
  readonly #line: ProcessChannel<PrimaryCalls>;
  readonly #sharedKeys = new Set<string>();
  readonly #stop = new AbortController();
  readonly #newsListeners = new Set<(news: StoreNews) => void>();
  #place: ProcessIdentity = { index: 0, count: 1, url: '', sharedKeys: [] };
  #accept: (socket: Socket) => void = (socket) => void socket.destroy();
  #inWork: (key: string) => number = () => 0;
  #onInspected: (inspected: Inspected) => void = () => undefined;
  #readMetrics: () => Promise<readonly object[]> = () => Promise.resolve([]);

  private constructor(end: LineEnd) {
    end.onMessage((message, socket) => {
      if (typeof message !== 'object' || message === null || !('connection' in message)) return;
      this.#line.tell('accepted', Number(message.connection));
      // No socket means that the client has left.
      if (socket) this.#accept(socket);
    });
    const calls: ProcessCalls = {
      share: (key) => {
        this.#sharedKeys.add(key);
        return this.#inWork(key);
      },
      unshare: (key) => void this.#sharedKeys.delete(key),
      inWork: (key) => this.#inWork(key),
      metrics: () => this.#readMetrics(),
      inspected: (inspected) => this.#onInspected(inspected),
      news: (news) => {
        for (const listener of this.#newsListeners) listener(news);
      },
      stop: () => this.#stop.abort(),
    };
    this.#line = new ProcessChannel<PrimaryCalls>(end, { ...calls });
  }

  /** From now on this process belongs to the server. */
  static async join(end: LineEnd): Promise<SiblingProcesses> {
    const siblings = new SiblingProcesses(end);
    siblings.#place = await siblings.#line.ask('join', undefined);
    for (const key of siblings.#place.sharedKeys) siblings.#sharedKeys.add(key);
    return siblings;
  }

  get index(): number {
    return this.#place.index;
  }

  get processes(): number {
    return this.#place.count;
  }

  get url(): string {
    return this.#place.url;
  }

  onConnection(accept: (socket: Socket) => void): void {
    this.#accept = accept;
  }

  /** Aborts when this process should shut down. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  ready(server: ReadyMessage): void {
    this.#line.tell('ready', server);
  }

  fail(error: unknown): void {
    this.#line.tell('failed', toPlainError(error));
  }

  isShared(key: string): boolean {
    return this.#sharedKeys.has(key);
  }

  async enter(key: string, limit: number): Promise<boolean> {
    const asked = this.#line.ask('enter', { key, limit });
    const answer = await answerWithin<boolean | undefined>(asked, ENTER_MS, undefined);
    if (answer === undefined)
      asked.then(
        (isLate) => isLate && this.leave(key),
        () => undefined,
      );
    return answer ?? false;
  }

  leave(key: string): void {
    this.#line.tell('leave', key);
  }

  inWork(key: string): Promise<number> {
    return answerWithin(this.#line.ask('inWork', key), ENTER_MS, this.#inWork(key));
  }

  countBy(inWork: (key: string) => number): void {
    this.#inWork = inWork;
  }

  /** Calls `listener` with the inspection time that the other processes spend on an account's uploads. */
  onInspected(listener: (inspected: Inspected) => void): void {
    this.#onInspected = listener;
  }

  inspected(inspected: Inspected): void {
    this.#line.tell('inspected', inspected);
  }

  /** The metrics of all processes. */
  metrics(): Promise<readonly (readonly object[])[]> {
    return answerWithin(this.#line.ask('metrics', undefined), METRICS_MS, []);
  }

  readMetricsBy(read: () => Promise<readonly object[]>): void {
    this.#readMetrics = read;
  }

  announce(news: StoreNews): void {
    this.#line.tell('announce', news);
  }

  onNews(listener: (news: StoreNews) => void): void {
    this.#newsListeners.add(listener);
  }
}
