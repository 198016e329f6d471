import { interrupted, throwIfAborted } from '../base/interruption.ts';
import { startPeer, WorkerLost, type Peer, type WorkerKind } from './peer.ts';
import { fromPlainError, toPlainError, type FromWorker, type WorkerProtocol } from './protocol.ts';
import type { WorkerScript } from './script.ts';

export interface WorkerOptions<P extends WorkerProtocol> {
  readonly kind: WorkerKind;
  readonly script: WorkerScript;
  readonly settings: P['settings'];
  /** Megabytes of JavaScript heap, evaluated when a worker starts. */
  readonly heapMegabytes: () => number;
  /**
   * Megabytes for young objects. A smaller value frees garbage sooner, for slightly more work. Default: Node's, about
   * 48.
   */
  readonly youngMegabytes?: number | undefined;
  /** How long an aborted call may take to end before its worker is killed. Default: no time. */
  readonly abortMs?: number | undefined;
  /** Idle time after which a worker is ended. Default: it stays until {@link WorkerClient.close}. */
  readonly idleMs?: number | undefined;
  /** Answers a question of the worker. `over` aborts when the call aborts or ends; answers are used until then. */
  readonly answer?: (question: P['question'], over: AbortSignal) => Promise<P['answer']>;
}

export interface CallSettings<P extends WorkerProtocol> {
  readonly signal?: AbortSignal | undefined;
  /** Maximum time without a message from the worker. Does not count while a question of the call is unanswered. */
  readonly stallMs: number;
  readonly onNote?: ((note: P['note']) => void) | undefined;
  /**
   * An aborted call still waits for answers, because these may have been paid for. This limits how long it may
   * run after the last answer. Evaluated on abort.
   */
  readonly patienceMs?: (() => number | undefined) | undefined;
}

interface RunningCall<P extends WorkerProtocol> {
  readonly stallMs: number;
  readonly onNote: CallSettings<P>['onNote'];
  /** Aborts when the call ends; created when the worker first asks. */
  over?: AbortController | undefined;
  readonly resolve: (result: P['result']) => void;
  readonly reject: (error: Error) => void;
  /** Number of unanswered questions. */
  asked: number;
  isAborted: boolean;
  readonly patienceMs: CallSettings<P>['patienceMs'];
  /** Set when the call is aborted. */
  patience?: number | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * One worker, a thread or a process, that performs any number of calls concurrently. It starts with the first call, and
 * again after a crash; the calls of a crashed worker fail. The code that creates it closes it. An idle worker does not
 * keep the program alive.
 */
export class WorkerClient<P extends WorkerProtocol> {
  readonly #options: WorkerOptions<P>;
  readonly #calls = new Map<number, RunningCall<P>>();
  #peer: Peer<P> | undefined;
  #lastId = 0;
  #stall: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #ending: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerOptions<P>) {
    this.#options = options;
  }

  /**
   * @throws DragomanError of the work, `interrupted` if `signal` aborts; {@link WorkerLost} if the worker crashed, ran
   * out of memory, was silent for too long or was closed. The worker has ended by then.
   */
  async call(request: P['request'], settings: CallSettings<P>): Promise<P['result']> {
    const { signal, onNote, stallMs, patienceMs } = settings;
    throwIfAborted(signal);
    clearTimeout(this.#idle);
    const peer = (this.#peer ??= this.#start());
    const id = ++this.#lastId;
    const abort = (): void => this.#abort(peer, id);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<P['result']>((resolve, reject) => {
        this.#calls.set(id, { stallMs, onNote, patienceMs, resolve, reject, asked: 0, isAborted: false });
        peer.hold(true);
        peer.post({ type: 'call', id, request });
        this.#watch(peer);
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      const call = this.#calls.get(id);
      if (call) end(call);
      this.#calls.delete(id);
      if (this.#peer === peer) this.#rest(peer);
    }
  }

  /** Starts the worker before an expected call. If no call comes, {@link WorkerOptions.idleMs} ends it. */
  warm(): void {
    if (this.#calls.size === 0) this.#rest((this.#peer ??= this.#start()));
  }

  /** Ends the worker at once, even during a call. A later call starts a new one. */
  async close(): Promise<void> {
    if (this.#peer) this.#lose(this.#peer, new WorkerLost('was closed', 'closed'));
    await this.#ending;
  }

  #start(): Peer<P> {
    const { kind, script, settings, heapMegabytes, youngMegabytes } = this.#options;
    const heap = { megabytes: heapMegabytes(), young: youngMegabytes };
    const peer: Peer<P> = startPeer<P>(kind, script, heap, (message) => {
      if (this.#peer === peer) this.#receive(peer, message);
    });
    peer.post({ type: 'start', settings });
    void peer.ended.then((lost) => this.#lose(peer, lost));
    return peer;
  }

  #receive(peer: Peer<P>, message: FromWorker<P>): void {
    const call = this.#calls.get(message.id);
    if (message.type === 'result') call?.resolve(message.result);
    else if (message.type === 'error') call?.reject(fromPlainError(message.error));
    else if (message.type === 'note') call?.onNote?.(message.note);
    else if (call) void this.#answer(peer, call, message);
    this.#watch(peer, true);
  }

  async #answer(
    peer: Peer<P>,
    call: RunningCall<P>,
    { id, question, asked }: Extract<FromWorker<P>, { type: 'ask' }>,
  ): Promise<void> {
    call.asked++;
    call.over ??= new AbortController();
    if (call.isAborted) call.over.abort();
    if (call.patience !== undefined) clearTimeout(call.timer);
    const isOpen = (): boolean => this.#calls.get(id) === call;
    try {
      const answer = await this.#options.answer?.(asked, call.over.signal);
      if (isOpen()) peer.post({ type: 'answer', id, question, answer });
    } catch (error) {
      if (isOpen()) peer.post({ type: 'refusal', id, question, error: toPlainError(error) });
    }
    call.asked--;
    if (isOpen() && call.patience !== undefined) this.#limitEnd(peer, call, call.patience);
    this.#watch(peer);
  }

  #abort(peer: Peer<P>, id: number): void {
    const call = this.#calls.get(id);
    if (!call) return;
    peer.post({ type: 'abort', id });
    call.isAborted = true;
    call.over?.abort();
    call.patience = call.patienceMs?.();
    const { abortMs } = this.#options;
    // The worker may be computing and notice the abort late.
    const limit = call.patience ?? abortMs;
    if (limit === undefined) call.reject(interrupted());
    else if (call.patience === undefined || call.asked === 0) this.#limitEnd(peer, call, limit);
    this.#watch(peer);
  }

  #limitEnd(peer: Peer<P>, call: RunningCall<P>, limitMs: number): void {
    if (call.asked > 0 && call.patience !== undefined) return;
    call.timer = setTimeout(() => this.#lose(peer, new WorkerLost('did not end', 'time')), limitMs);
  }

  /**
   * Waits for the worker's next message while a call is pending. New calls do not extend the time of a silent worker.
   */
  #watch(peer: Peer<P>, hasSpoken = false): void {
    if (this.#peer !== peer) return;
    let due = Infinity;
    for (const { asked, isAborted, stallMs } of this.#calls.values())
      if (asked === 0 && !isAborted) due = Math.min(due, stallMs);
    if (hasSpoken || due === Infinity) {
      clearTimeout(this.#stall);
      this.#stall = undefined;
    }
    if (due === Infinity) return;
    const reason = `made no progress for ${Math.ceil(due / 1000)} s`;
    this.#stall ??= setTimeout(() => this.#lose(peer, new WorkerLost(reason, 'time')), due);
  }

  #rest(peer: Peer<P>): void {
    this.#watch(peer);
    if (this.#calls.size > 0) return;
    peer.hold(false);
    const { idleMs } = this.#options;
    clearTimeout(this.#idle);
    if (idleMs !== undefined) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  #lose(peer: Peer<P>, lost: WorkerLost): void {
    if (this.#peer !== peer) return;
    this.#peer = undefined;
    clearTimeout(this.#idle);
    clearTimeout(this.#stall);
    this.#stall = undefined;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) end(call);
    lost.calls = calls.length;
    const gone = peer.kill().finally(() => {
      for (const { isAborted, reject } of calls) reject(isAborted ? interrupted() : lost);
    });
    this.#ending = Promise.all([this.#ending, gone]);
  }
}

function end<P extends WorkerProtocol>({ timer, over }: RunningCall<P>): void {
  clearTimeout(timer);
  over?.abort();
}
