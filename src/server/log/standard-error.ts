import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const CLOSE_MS = 1_000;
/** If more bytes are waiting, lines are dropped until the reader continues. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Under load, one write per line costs more than creating the line. */
const GATHER_MS = 10;
const GATHERED_BYTES = 32 * 1024;
/** The largest write that a pipe never mixes with those of other writers (`PIPE_BUF` on Linux). */
export const WHOLE_BYTES = 4 * 1024;
/** How soon a full pipe is tried again. */
const FULL_MS = 20;

const LINE_FEED = 0x0a;

/** `full` if the reader has to continue first. */
type WriteResult = 'written' | 'full' | 'dropped';

interface StandardErrorOptions {
  readonly isTerminal: boolean;
  /** Whether other processes write to it, too: lines of up to `WHOLE_BYTES` are then written whole. */
  readonly isShared: boolean;
}

/**
 * Lines on their way to standard error, in order. Nothing waits for the reader: a write to a full pipe fails, and is
 * tried again. Lines beyond the limit or for a full disk are dropped, and the loss is reported after the next lines
 * that are written. Writes are
 * synchronous, because a pending one could neither be awaited nor stopped when the process exits. Windows has no such
 * pipes: there, a stopped reader stops the process.
 */
export class StandardError {
  readonly #fd: number;
  readonly #most: number;
  readonly #flush = (): void => this.#exit();
  /** Lines of the last milliseconds. */
  #gathered = '';
  #gatheredBytes = 0;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  /** Whether the last bytes written were only a part of a line. */
  #isInLine = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number, { isTerminal, isShared }: StandardErrorOptions) {
    this.#fd = isTerminal || !fstatSync(fd).isFile() ? openAgain(fd) : fd;
    // A file takes any write whole, as long as its disk has room.
    this.#most = isShared && !fstatSync(fd).isFile() ? WHOLE_BYTES : GATHERED_BYTES;
    process.once('exit', this.#flush);
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + this.#gatheredBytes + bytes > MAX_WAITING_BYTES) {
      this.#dropped++;
      return;
    }
    if (this.#gatheredBytes + bytes > this.#most) this.#pass();
    this.#gathered += line;
    this.#gatheredBytes += bytes;
    if (this.#gatheredBytes >= this.#most) this.#pass();
    else this.#passIn(GATHER_MS);
  }

  /** Resolves when all lines are written, or have been dropped after a second. */
  async close(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    while (!this.#pass() && performance.now() < end) await delay(FULL_MS);
    clearTimeout(this.#timer);
    process.off('exit', this.#flush);
  }

  #exit(): void {
    const end = performance.now() + CLOSE_MS;
    const never = new Int32Array(new SharedArrayBuffer(4));
    while (!this.#pass() && performance.now() < end) Atomics.wait(never, 0, 0, FULL_MS);
  }

  #passIn(ms: number): void {
    this.#timer ??= setTimeout(() => this.#pass(), ms).unref();
  }

  /** Writes as much as the reader takes. @returns whether everything was written */
  #pass(): boolean {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queueGathered();
    const result = this.#writeWaiting();
    if (result === 'full') this.#passIn(FULL_MS);
    else if (result === 'written' && this.#dropped > 0) return this.#reportDropped();
    return result !== 'full';
  }

  #queueGathered(): void {
    if (this.#gathered === '') return;
    // The rest of the last line has been dropped.
    const start = this.#isInLine && this.#waiting.length === 0 ? '\n' : '';
    this.#waiting.push(Buffer.from(start + this.#gathered));
    this.#waitingBytes += start.length + this.#gatheredBytes;
    this.#gathered = '';
    this.#gatheredBytes = 0;
  }

  #writeWaiting(): WriteResult {
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      const written = this.#tryWrite(first);
      if (typeof written !== 'number') return written;
      this.#waitingBytes -= written;
      if (written > 0) this.#isInLine = first[written - 1] !== LINE_FEED;
      if (written < first.length) this.#waiting[0] = first.subarray(written);
      else this.#waiting.shift();
    }
    return 'written';
  }

  #tryWrite(bytes: Buffer): number | WriteResult {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 'full';
      // The server continues if its terminal closes or its disk is full.
      this.#dropWaiting();
      return 'dropped';
    }
  }

  #dropWaiting(): void {
    for (const bytes of this.#waiting) {
      // A line feed at the beginning ends an earlier line.
      for (let end = bytes.indexOf(LINE_FEED, 1); end > 0; end = bytes.indexOf(LINE_FEED, end + 1))
        this.#dropped++;
    }
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
  }

  #reportDropped(): boolean {
    const dropped = this.#dropped;
    const line = {
      level: 'warn',
      time: new Date().toISOString(),
      count: dropped,
      msg: 'log lines were dropped',
    };
    this.#dropped = 0;
    this.write(`${JSON.stringify(line)}\n`);
    const isDone = this.#pass();
    // The report has been dropped, too.
    if (this.#dropped > 0) this.#dropped = dropped;
    return isDone;
  }
}

/**
 * Opens a terminal or pipe again, because programs that share a descriptor share its flags: a Node program that exits
 * restores those that it found, and the next write to a full pipe or a stopped terminal would wait. Sockets and other
 * users' pipes cannot be opened again, and macOS only duplicates the descriptor. Writing to these does not wait,
 * because Node sets this mode for `process.stderr`, unless another program resets it.
 */
function openAgain(fd: number): number {
  try {
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return fd;
  }
}
