import type { WebhookEvent } from './event-receiver.ts';

/** Commands can be slower than events come. Who is refused comes again. */
const MAX_WAITING = 100;

/** Events that have been acknowledged and are handled one after the other. */
export class Inbox {
  readonly #once: boolean;
  readonly #waiting: WebhookEvent[] = [];
  #taken = 0;
  #notify: () => void = () => undefined;

  /** @param once whether one event is all that is wanted */
  constructor({ once }: { readonly once: boolean }) {
    this.#once = once;
  }

  /** False when there is no room. */
  offer(event: WebhookEvent): boolean {
    if (this.#waiting.length >= MAX_WAITING || (this.#once && this.#taken > 0)) return false;
    this.#taken++;
    this.#waiting.push(event);
    this.#notify();
    return true;
  }

  /** The next event; undefined when `signal` aborts, or the time is up, before there is one. */
  async next(signal: AbortSignal, timeoutSeconds?: number): Promise<WebhookEvent | undefined> {
    if (this.#waiting.length === 0 && !signal.aborted) await this.#change(signal, timeoutSeconds);
    return signal.aborted ? undefined : this.#waiting.shift();
  }

  #change(signal: AbortSignal, timeoutSeconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#notify = () => undefined;
        resolve();
      };
      const timer = timeoutSeconds === undefined ? undefined : setTimeout(done, timeoutSeconds * 1000);
      signal.addEventListener('abort', done);
      this.#notify = done;
    });
  }
}
