import { Readable } from 'node:stream';
import { interrupted } from '../../base/interruption.ts';
import type { HeldMemory } from '../guards/body-memory.ts';
import type { AppContext } from './dependencies.ts';
import { Refusal } from '../guards/refusal.ts';

export interface BodyLimits {
  /** The maximum size. */
  readonly bytes: number;
  /** The time from the first read to the last byte. */
  readonly ms: number;
  /** The minimum to receive in each period, except the last. Default: {@link PACE}. */
  readonly pace?: Pace | undefined;
}

interface Pace {
  readonly bytes: number;
  readonly ms: number;
}

/** The slowest supported connection. Slower bodies would hold memory and a connection for too long. */
const PACE: Pace = { bytes: 10 * 1024, ms: 10_000 };

/**
 * The body as an unread stream. Bodies that declare a length over the limit, or are compressed, are refused unread.
 * Clients that expect `100 Continue` receive it now.
 *
 * @throws Refusal 413, 415.
 */
export function openBody({ env, req }: AppContext, limits: BodyLimits): Readable {
  const encoding = req.header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Refusal(415, 'the request body cannot be compressed', { 'accept-encoding': 'identity' });
  }
  if (Number(req.header('content-length') ?? 0) > limits.bytes) throw tooLarge(limits);
  const incoming = env?.incoming;
  if (!incoming) return req.raw.body ? Readable.fromWeb(req.raw.body) : Readable.from([]);
  if (incoming.headers.expect !== undefined && env.outgoing) {
    env.outgoing.writeContinue();
  }
  return incoming;
}

/**
 * Passes every chunk of a body to `take`, and waits for its result. The stream is not destroyed, because its connection
 * still has to carry the answer.
 *
 * @throws Refusal 413 for a body over the limit, 408 for one that takes too long or comes too slowly; DragomanError
 * `interrupted` if the client has left
 */
export function eachChunk(
  body: Readable,
  limits: BodyLimits,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const { pace = PACE } = limits;
  let bytes = 0;
  let seen = 0;
  // While this side does not read, the client cannot send.
  let isTaking = false;
  let isOver = false;
  return new Promise<void>((resolve, reject) => {
    const settle = (error?: unknown): void => {
      isOver = true;
      clearTimeout(timer);
      clearInterval(look);
      body.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
      if (error === undefined) return resolve();
      body.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limits.bytes) return settle(tooLarge(limits));
      let taken: Promise<void> | undefined;
      try {
        taken = take(chunk);
      } catch (error) {
        return settle(error);
      }
      if (!taken) return;
      isTaking = true;
      body.pause();
      taken.then(goOn, settle);
    };
    const goOn = (): void => {
      isTaking = false;
      seen = -Infinity;
      body.resume();
    };
    const tooSlow = (): void => settle(new Refusal(408, 'the request body took too long'));
    // Checks one turn later, when data that arrived while this process was busy has been read.
    const look = setInterval(() => {
      setImmediate(() => {
        if (!isOver && !isTaking && bytes - seen < pace.bytes) tooSlow();
        seen = bytes;
      });
    }, pace.ms);
    const onEnd = (): void => settle();
    const onClose = (): void => settle(interrupted('the connection was closed before the body was complete'));
    const timer = setTimeout(tooSlow, limits.ms);
    if (body.readableEnded) return settle();
    if (body.destroyed) return onClose();
    body.on('end', onEnd).on('error', onClose).on('close', onClose).on('data', onData);
  });
}

/**
 * Reads the whole body, within the memory that all requests share. Returns a body that has already arrived, like most
 * short ones, without a promise.
 *
 * @throws Refusal 429 and 503 if the memory is used up; otherwise like {@link openBody} and {@link eachChunk}
 */
export function readBody(
  context: AppContext,
  limits: BodyLimits,
  memory: HeldMemory,
): Buffer | Promise<Buffer> {
  const body = openBody(context, limits);
  const arrived = readArrived(body, context);
  if (arrived) {
    if (arrived.length > limits.bytes) throw tooLarge(limits);
    memory.take(arrived.length);
    return arrived;
  }
  const chunks: Buffer[] = [];
  return eachChunk(body, limits, (chunk) => {
    memory.take(chunk.length);
    chunks.push(chunk);
    return undefined;
  }).then(() => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
}

/** Reads a body that has already arrived completely, like those of most short requests, without waiting. */
function readArrived(body: Readable, { env }: AppContext): Buffer | undefined {
  const isComplete = env?.incoming === body && 'complete' in body && body.complete === true;
  const bytes: unknown = isComplete && !body.readableEnded && !body.destroyed ? body.read() : undefined;
  return Buffer.isBuffer(bytes) ? bytes : undefined;
}

function tooLarge({ bytes }: BodyLimits): Refusal {
  return new Refusal(413, `the request body cannot be larger than ${bytes.toLocaleString('en')} bytes`);
}
