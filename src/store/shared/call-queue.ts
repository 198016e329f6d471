export interface WaitingCall<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls of one kind, waiting for the next batch. */
export class CallQueue<Call, Answer> {
  #calls: WaitingCall<Call, Answer>[] = [];

  get size(): number {
    return this.#calls.length;
  }

  add(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => this.#calls.push({ call, resolve, reject }));
  }

  /** Takes the first calls, at most `limit`. */
  take(limit = Infinity): readonly WaitingCall<Call, Answer>[] {
    const taken = this.#calls.slice(0, limit);
    this.#calls = this.#calls.slice(limit);
    return taken;
  }
}
