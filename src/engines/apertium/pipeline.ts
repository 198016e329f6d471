import { runChild } from '../../base/bound-child.ts';
import { DragomanError, type ErrorDetails } from '../../base/errors.ts';
import { Conversation, type Reply, type Wire } from '../../workers/conversation.ts';
import { apertiumEnvironment, type Mode } from './modes.ts';

/** Frames in flight. */
const WINDOW = 16;
/** Records per frame: enough that flushing thirteen stages takes little time compared with translating. */
const RECORDS = 32;
const CHARACTERS = 4_000;
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const COMMAND_TIMEOUT_MS = 20_000;

const commands = new Map<string, Promise<string>>();

/** Frames end in NUL. An answer's only id is its first blank, which must be the oldest frame's. */
const streamWire: Wire<readonly string[], readonly (string | undefined)[]> = {
  delimiter: 0,
  maxFrameBytes: MAX_FRAME_BYTES,
  ordered: true,
  encode: encodeFrame,
  decode: (frame, questionOf) => {
    const answer = frame.toString('utf8');
    const id = readFrameId(answer);
    if (id === undefined) return { garbage: 'answered without a record number' };
    return { id, answer: decodeFrame(id, questionOf(id) ?? [], answer) };
  },
};

interface WaitingRecord {
  readonly record: string;
  readonly signal: AbortSignal;
  readonly resolve: (reply: Reply<string>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One direction: a shell pipeline of Apertium's programs that runs as long as it is used. Records of one turn of the
 * event loop share a frame; damaged ones are sent again, alone.
 */
export class Pipeline {
  readonly #conversation: Conversation<readonly string[], readonly (string | undefined)[]>;
  #waiting: WaitingRecord[] = [];

  constructor(conversation: Conversation<readonly string[], readonly (string | undefined)[]>) {
    this.#conversation = conversation;
  }

  /** Whether the pipeline has ended so often without an answer that it is not restarted for waiting records. */
  get broken(): boolean {
    return this.#conversation.broken;
  }

  /** @throws DragomanError `interrupted` if `signal` aborts */
  ask(record: string, signal: AbortSignal): Promise<Reply<string>> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) process.nextTick(() => this.#flush());
      this.#waiting.push({ record, signal, resolve, reject });
    });
  }

  /** Rejects all records passed with this signal. */
  abandon(signal: AbortSignal): void {
    this.#conversation.abandon(signal);
  }

  /** Rejects the unsent records passed with this signal. */
  withdraw(signal: AbortSignal): void {
    this.#conversation.withdraw(signal);
  }

  async close(): Promise<void> {
    await this.#conversation.close();
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let frame: WaitingRecord[] = [];
    let size = 0;
    for (const one of waiting) {
      const isFull = frame.length === RECORDS || size + one.record.length > CHARACTERS;
      if (frame[0] && (isFull || frame[0].signal !== one.signal)) {
        void this.#send(frame, frame[0].signal);
        frame = [];
        size = 0;
      }
      frame.push(one);
      size += one.record.length;
    }
    if (frame[0]) void this.#send(frame, frame[0].signal);
  }

  async #send(frame: readonly WaitingRecord[], signal: AbortSignal): Promise<void> {
    try {
      const records = frame.map(({ record }) => record);
      const reply = await this.#conversation.ask(records, signal);
      for (const [i, one] of frame.entries()) {
        const answer = 'answer' in reply ? reply.answer[i] : undefined;
        if (answer !== undefined) one.resolve({ answer });
        else if (frame.length > 1) void this.#send([one], signal);
        else one.resolve('answer' in reply ? { answer: '' } : reply);
      }
    } catch (error) {
      for (const one of frame) one.reject(error);
    }
  }
}

/**
 * Reads the mode's pipeline, which starts with the first record.
 *
 * @throws DragomanError `engine_failed` if Apertium cannot read the mode
 */
export async function openPipeline(mode: Mode, timeoutMs: number): Promise<Pipeline> {
  const command = await commandOf(mode);
  const conversation = new Conversation({
    name: `apertium ${mode.name}`,
    program: {
      file: '/bin/bash',
      // `-g` marks unknown words; the second argument is for the tagger and is empty.
      args: ['-c', `set -o pipefail; ${command}`, 'apertium', '-g', ''],
      env: { ...apertiumEnvironment(), LC_ALL: 'C.UTF-8' },
    },
    wire: streamWire,
    window: WINDOW,
    timeoutMs,
  });
  return new Pipeline(conversation);
}

/** The mode as a command line that flushes every stage at NUL and keeps word-bound blanks. */
function commandOf(mode: Mode): Promise<string> {
  const known = commands.get(mode.path);
  if (known) return known;
  const options = { timeout: COMMAND_TIMEOUT_MS, env: apertiumEnvironment() };
  const command = runChild('apertium-wblank-mode', ['-z', mode.path], options).then(
    (stdout) => stdout.trim(),
    (cause: unknown) => {
      commands.delete(mode.path);
      const details: ErrorDetails = { cause };
      throw new DragomanError('engine_failed', `apertium cannot read its mode ${mode.name}`, details);
    },
  );
  commands.set(mode.path, command);
  return command;
}

/**
 * Ends a record with a blank: otherwise the last word stays in a stage that NUL does not flush, and no answer arrives.
 * A full stop, if the text has none, separates its last word from the next record's first.
 */
const RECORD_END = '[]';
const SENTENCE_END = /[.!?]$/;
const BLANK = /\[b(\d+)\]/g;
const NAMED_BLANK = /\[b(\d+)-(\d+)\]/g;
const BLANKS_ONLY = /^(?:\s|\[[^\]]*\])*$/;

/**
 * Joins records in one frame, which the stages flush once. Each record begins with a blank that has its number; its
 * other blanks also have it, so that a blank in the wrong record is detected. Only blanks have unescaped brackets.
 */
export function encodeFrame(id: number, records: readonly string[]): string {
  const encoded = records.map((record, k) => {
    const named = record.replace(BLANK, `[b$1-${k}]`);
    return `[${id}-${k}]${named}${SENTENCE_END.test(record) ? '' : '.'}${RECORD_END}`;
  });
  return `${encoded.join('\n')}\0`;
}

/** The number of the frame that an answer belongs to; undefined if it does not begin with one. */
export function readFrameId(answer: string): number | undefined {
  const number = /^\[(\d+)-0\]/.exec(answer)?.[1];
  return number === undefined ? undefined : Number(number);
}

/**
 * The answer to each record. Undefined for records that cannot be separated, or that contain another record's blank.
 */
export function decodeFrame(
  id: number,
  records: readonly string[],
  answer: string,
): readonly (string | undefined)[] {
  const bodies: string[] = [];
  let rest = answer;
  for (let k = records.length - 1; k >= 0; k--) {
    const marker = `[${id}-${k}]`;
    const at = rest.lastIndexOf(marker);
    if (at < 0) return records.map(() => undefined);
    bodies.unshift(rest.slice(at + marker.length));
    rest = rest.slice(0, at);
  }
  return records.map((record, k) => decodeRecord(record, bodies[k] ?? '', k));
}

function decodeRecord(record: string, body: string, k: number): string | undefined {
  const end = body.lastIndexOf(RECORD_END);
  if (end < 0) return undefined;
  let isOwn = true;
  const answer = (body.slice(0, end) + body.slice(end + RECORD_END.length)).replace(
    NAMED_BLANK,
    (_, blank: string, owner: string) => {
      if (Number(owner) !== k) isOwn = false;
      return `[b${blank}]`;
    },
  );
  if (!isOwn) return undefined;
  return SENTENCE_END.test(record) ? answer : withoutStop(answer);
}

/**
 * Removes the added full stop. Blanks may have moved to the end, after it. If a stage read it as part of an
 * abbreviation, as often happens in short texts, it is already gone.
 */
function withoutStop(answer: string): string {
  const at = answer.lastIndexOf('.');
  if (at < 0 || !BLANKS_ONLY.test(answer.slice(at + 1))) return answer;
  return answer.slice(0, at) + answer.slice(at + 1);
}
