import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { DragomanError } from '../../base/errors.ts';
import { interrupted, throwIfAborted } from '../../base/interruption.ts';
import { insufficientCredits, rateLimited } from '../../contract/details.ts';
import { operations, type KeyStatuses, type Operation, type OperationId } from '../../contract/operations.ts';
import { isShortage, type ChargeEntry, type RateDecision } from '../../store/store.ts';
import { answerJson, type Headers } from '../http/answer.ts';
import type { BodyMemory } from '../guards/body-memory.ts';
import { answerRequest, type Exchange } from './exchange.ts';
import type { Faults } from '../guards/faults.ts';
import type { InFlight } from '../guards/in-flight.ts';
import { readJson } from '../http/json-body.ts';
import { requireCaller, requireKey, type KnownCaller } from './key-check.ts';
import type { AppContext, AppDependencies } from '../http/dependencies.ts';
import type { PreparedCall, OperationResult, PrepareRequest } from './prepared.ts';
import { Refusal } from '../guards/refusal.ts';
import { withUpload } from '../http/upload.ts';

/** An operation that needs a key. */
interface KeyedOperation {
  readonly id: OperationId;
  readonly key: KeyStatuses;
  readonly prepare: PrepareRequest;
  /** Whether a form is accepted with any content type: one SDK always sends the one for JSON. */
  readonly isLenient?: boolean;
}

/**
 * The handler of an operation. Checks run in the order key, rate, body, credits. The body is not read if the account
 * cannot pay for any request, or if its uploads have taken too long. Then the work is done and charged, and only then
 * answered, so that the charge of every answer is on disk.
 */
export function handlerOf(
  parts: AppDependencies,
  { inFlight, memory }: SharedLimits,
  keyed: KeyedOperation,
): (context: AppContext) => Promise<Response> {
  const operation: Operation = operations[keyed.id];
  const route = { name: `${operation.method} ${operation.path}`, operation };
  return (context) =>
    answerRequest(parts, context, route, async (exchange) => {
      const key = requireKey(context, keyed.key, parts.options.anyCaseKeyHeader);
      const caller = requireCaller(await parts.metering.admit(key), keyed.key);
      exchange.caller = caller;
      return await new KeyedRequest({ parts, inFlight, memory, keyed, operation, exchange, caller }).answer();
    });
}

/** The limits that all operations share. */
interface SharedLimits {
  readonly inFlight: InFlight;
  readonly memory: BodyMemory;
}

interface Request extends SharedLimits {
  readonly parts: AppDependencies;
  readonly keyed: KeyedOperation;
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly caller: KnownCaller;
}

/**
 * An account with at least this many times a request's cost is charged after the work: the requests that its key may
 * have in progress, on any number of servers, cost far less. If a job uses up the balance meanwhile, these requests get
 * no answer.
 */
const PLENTY = 10_000;

/** A request with an accepted key, which is counted once, even if it fails. */
class KeyedRequest {
  readonly #request: Request;
  /** Whether the request was counted together with its credits. */
  #counted = false;

  constructor(request: Request) {
    this.#request = request;
  }

  async answer(): Promise<Response> {
    try {
      const response = await this.#admit();
      if (!this.#counted) await this.#count(true);
      return response;
    } catch (error) {
      const isCounted = this.#counted ? undefined : this.#count(false);
      // If the store is unavailable, this request has already waited for it.
      if (!isAway(error)) await isCounted;
      throw await namingLanguages(error, this.#request);
    }
  }

  async #admit(): Promise<Response> {
    const { parts, keyed, operation, exchange, caller } = this.#request;
    const { context } = exchange;
    const rate = requireRate(caller.rate, parts.now());
    exchange.headers = Object.assign(rate, exchange.headers);
    requireLeast(operation, caller);
    if (operation.carries === 'form') {
      parts.jobs.requireUploads(caller.accountId);
      const options = { directory: parts.options.uploadDirectory, isLenient: keyed.isLenient };
      return withUpload(context, options, (form) => this.#enter(form));
    }
    if (operation.carries !== 'json') return this.#enter(context.req.query());
    const memory = this.#request.memory.hold(caller.accountId);
    try {
      const { text } = parts;
      const parseLong =
        text && ((bytes: Buffer) => text.parseBody(bytes, caller.accountId, signalOf(context)));
      const carried = readJson(context, memory, parseLong);
      return await this.#enter(carried instanceof Promise ? await carried : carried);
    } finally {
      memory.release();
    }
  }

  /** Counts the request as in progress only after all of it has arrived, so that slow senders do not occupy a slot. */
  async #enter(carried: unknown): Promise<Response> {
    const { inFlight, caller } = this.#request;
    const entered = inFlight.enter(caller.keyId, caller.maxConcurrency);
    const leave = entered instanceof Promise ? await entered : entered;
    try {
      return await this.#work(carried);
    } finally {
      leave();
    }
  }

  async #work(carried: unknown): Promise<Response> {
    const { parts, inFlight, keyed, operation, exchange, caller } = this.#request;
    const { context } = exchange;
    const call: PreparedCall = {
      parts,
      context,
      caller,
      signal: signalOf(context),
      concurrency: () => inFlight.of(caller.keyId),
    };
    const asked = keyed.prepare(carried, call);
    const { cost, perform } = asked instanceof Promise ? await asked : asked;
    const { faults } = parts;
    const work = (): Promise<OperationResult> => {
      const done = faults ? simulateFault(faults, call).then(() => perform(call)) : perform(call);
      return done.catch((error: unknown) => {
        throwIfAborted(call.signal, CLIENT_GONE);
        throw error;
      });
    };
    const { answer } = cost === 0 ? await work() : await this.#meter(cost, call, work);
    if (!(answer instanceof Response)) return answerJson(operation.status, answer, exchange.headers);
    for (const [name, value] of Object.entries(exchange.headers)) answer.headers.set(name, value);
    return answer;
  }

  /**
   * Reserves the cost, works, and charges the result, even if the client has left. Failed work costs nothing. Accounts
   * with a large balance pay after the work, in one store access.
   */
  async #meter(
    cost: number,
    call: PreparedCall,
    work: () => Promise<OperationResult>,
  ): Promise<OperationResult> {
    const { metering } = call.parts;
    const { accountId, spendable } = call.caller;
    let early: OperationResult | undefined;
    if (spendable >= cost * PLENTY) {
      early = await work();
      this.#counted = await metering.charge(accountId, early.charge, this.#entry(!call.signal.aborted));
      if (this.#counted) return this.#charged(early, call);
    }
    const reservation = await metering.reserve(accountId, cost);
    if (isShortage(reservation)) {
      throw new DragomanError('insufficient_credits', insufficientCredits(reservation.remaining, cost));
    }
    try {
      const done = early ?? (await work());
      await reservation.settle(done.charge, this.#entry(!call.signal.aborted));
      this.#counted = true;
      return this.#charged(done, call);
    } catch (error) {
      if (!this.#counted) await reservation.settle(0, this.#entry(false));
      this.#counted = true;
      throw error;
    }
  }

  #entry(successful: boolean): ChargeEntry {
    const { keyed, exchange } = this.#request;
    return { operation: keyed.id, reference: exchange.id, successful };
  }

  /** @throws DragomanError `interrupted` if the client has left */
  #charged(done: OperationResult, { signal }: PreparedCall): OperationResult {
    const { parts, keyed } = this.#request;
    if (done.charge > 0) parts.metrics.charge(keyed.id, done.charge);
    throwIfAborted(signal, CLIENT_GONE);
    return done;
  }

  /** The answer is sent even if counting fails. */
  async #count(successful: boolean): Promise<void> {
    const { parts, exchange, caller } = this.#request;
    try {
      await parts.metering.countRequest(caller.accountId, successful);
    } catch {
      parts.log.error({ id: exchange.id, account: caller.accountId }, 'a request could not be counted');
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof DragomanError && error.code === 'store_unavailable';
}

/** Adds the list of `GET /v2/supported-languages` to errors about an unknown or unsupported language. */
async function namingLanguages(failed: unknown, { parts, exchange }: Request): Promise<unknown> {
  if (!(failed instanceof DragomanError && LANGUAGE_ERRORS.has(failed.code))) return failed;
  // A detection failure has its own hint.
  if (failed.code === 'unsupported_language' && failed.hint?.startsWith(LISTED) === false) return failed;
  const signal = signalOf(exchange.context);
  const answer = await parts.service.supportedLanguages({ signal }).catch(() => undefined);
  if (!answer) return failed;
  const codes = Object.values(answer.supported_languages).filter((code) => code !== 'auto');
  return new DragomanError('unsupported_language', failed.message, {
    hint: `${LISTED}${codes.join(', ')}`,
    cause: failed,
  });
}

const LISTED = 'supported languages: ';
const LANGUAGE_ERRORS: ReadonlySet<string> = new Set(['unsupported_language', 'engine_unavailable']);

const CLIENT_GONE = 'the client closed the connection';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the client leaves. The requests of a connection share one signal, because creating one costs more than
 * most requests need.
 */
function signalOf({ env, req }: AppContext): AbortSignal {
  const socket = env?.incoming?.socket;
  if (!socket) return req.raw.signal;
  let signal = signals.get(socket);
  if (!signal) {
    const controller = new AbortController();
    ({ signal } = controller);
    // Several requests of a connection may listen, which Node reports as a leak by default.
    setMaxListeners(0, signal);
    if (socket.closed) controller.abort();
    else socket.once('close', () => controller.abort());
    signals.set(socket, signal);
  }
  return signal;
}

/**
 * Rejects an account that cannot pay even the cheapest request: its body is not read.
 *
 * @throws DragomanError `insufficient_credits`
 */
function requireLeast({ credits }: Operation, { spendable }: KnownCaller): void {
  if (!credits || spendable >= credits.least) return;
  const required = credits.isFixed ? credits.least : `at least ${credits.least}`;
  throw new DragomanError('insufficient_credits', insufficientCredits(spendable, required));
}

/**
 * The headers of every answer to a request with a key. Without a limit they have numbers that no client reaches, so
 * that clients never wait.
 *
 * @throws Refusal 429 when the window is full.
 */
function requireRate({ allowed, made, limit, remaining, resetAt }: RateDecision, now: number): Headers {
  const headers = {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    // Rounded up, so that the window has reset after the wait.
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  };
  if (allowed) return headers;
  const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
  throw new Refusal(429, rateLimited(made, limit, seconds), {
    ...headers,
    'retry-after': String(seconds),
  });
}

const DETAILS = {
  429: 'rate limit exceeded (simulated by --fault); try again later',
  500: 'internal server error (simulated by --fault)',
  503: 'the service is unavailable (simulated by --fault); try again later',
} as const;

/**
 * Simulates a failure of a request that would otherwise be processed now.
 *
 * @throws Refusal with the status of the failure; DragomanError `interrupted` if the connection was cut or closed
 */
async function simulateFault(faults: Faults, { parts, context, signal }: PreparedCall): Promise<void> {
  await faults.delay(signal);
  const fault = faults.next();
  if (!fault) return;
  if ('drop' in fault) {
    context.env?.incoming?.socket.destroy();
    throw interrupted('the connection was cut (--fault)');
  }
  const { status } = fault;
  const soon = status === 500 ? {} : { 'retry-after': '1' };
  const window = {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(parts.now() / 1000) + 1),
  };
  throw new Refusal(status, DETAILS[status], status === 429 ? { ...soon, ...window } : soon);
}
