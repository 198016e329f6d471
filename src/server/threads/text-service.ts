import type { Engine } from '../../engines/engine.ts';
import { EngineHost } from '../../engines/host.ts';
import type { JobLog } from '../../jobs/log.ts';
import type { AccountResources } from '../../resources/account-resources.ts';
import {
  type AskResources,
  sharedResources,
  type SharedResources,
} from '../../resources/worker-resources.ts';
import { createLocalService } from '../../service/local-service.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';
import type { OwnResources } from '../../store/resource-store.ts';
import { FairQueue } from './fair-queue.ts';
import {
  ROUTED,
  textWorkOf,
  weightOf,
  type TextProtocol,
  type TextRequest,
  type TextRequests,
  type TextResults,
  type TextWork,
  type TextWorkKind,
} from './text-work.ts';
import { DragomanError } from '../../base/errors.ts';
import { interrupted, throwIfAborted } from '../../base/interruption.ts';
import { WorkerClient } from '../../workers/client.ts';
import { WorkerLost } from '../../workers/peer.ts';

export interface TextServiceOptions {
  /** Stays the caller's, who closes it afterwards. */
  readonly engine: Engine;
  /** Default: none. */
  readonly resources?: AccountResources | undefined;
  readonly log: JobLog;
  readonly stallMs?: number | undefined;
  readonly heapMegabytes?: number | undefined;
}

/**
 * Texts that take no longer than some milliseconds are done at once, where they are; moving them would take longer.
 * Finding out a language needs tables that take long to load, so that is never done in the main thread.
 */
const LIGHT_CHARACTERS = 3_000;
/** Concurrent work in the thread: some large batches, while an engine answers them. */
const SIDE_BY_SIDE_CHARACTERS = 200_000;
const STALL_MS = 120_000;
/** Far above what the largest body takes (some 600 MB): a thread that reaches its limit can take the process with it. */
const HEAP_MEGABYTES = 2_048;
/** Short texts produce little, but the language tables stay. */
const LIGHT_YOUNG_MEGABYTES = 4;

/** The operations on validated texts, run so that no request blocks the server for others. The opener closes it. */
export interface TextService {
  readonly service: TranslationService;
  readonly detect: TextWork['detect'];
  /**
   * Resolves when no short text waits for the tables of the languages any more, which take 30 MB. The thread for long ones
   * loads them when it first needs them.
   *
   * @throws DragomanError `internal` when they are broken.
   */
  readonly load: () => Promise<void>;
  /** The price of a request, as `creditsOf`. */
  readonly count: {
    readonly translateEmail: TextWork['countEmail'];
    readonly translateSubtitles: TextWork['countSubtitles'];
  };
  /**
   * The object that the body of a request is, as `parseJson`.
   *
   * @throws DragomanError `invalid_request`, `interrupted`, and as the operations
   */
  readonly parseBody: (bytes: Uint8Array, owner: string, signal: AbortSignal) => Promise<object>;
  readonly close: () => Promise<void>;
}

/** Parsing this many bytes takes no longer than the work on one character. */
const BYTES_PER_CHARACTER = 64;

export function openTextService(options: TextServiceOptions): TextService {
  const { engine, resources, log, stallMs = STALL_MS, heapMegabytes = HEAP_MEGABYTES } = options;
  const shared = resources?.shared ?? {};
  const answer: AskResources = async (question) => (await resources?.answer(question)) ?? {};
  const here = createLocalService({ ...sharedResources(shared, answer), engine, isValidated: true });
  const host = new EngineHost(engine, log);
  const thread = (youngMegabytes?: number): TextThread =>
    new TextThread({ host, shared, answer, stallMs, heapMegabytes, youngMegabytes });
  // Light work that only needs a language does not wait for heavy work.
  const light = thread(LIGHT_YOUNG_MEGABYTES);
  const heavy = thread();
  const queue = new FairQueue(SIDE_BY_SIDE_CHARACTERS);

  const work = textWorkOf(here);

  /** Does one kind of work: here if `runsInProcess` says so and the account has no resources, otherwise in a thread. */
  const route =
    <K extends Exclude<TextWorkKind, 'loadDetection' | 'parseBody'>>(
      kind: K,
      runsInProcess: (request: TextRequests[K]) => boolean,
    ) =>
    async (request: TextRequests[K], call: CallOptions): Promise<TextResults[K]> => {
      const own = await resources?.own(call.owner ?? '');
      if (!own && runsInProcess(request)) return work[kind](request, call);
      const weight = weightOf(request);
      if (weight <= LIGHT_CHARACTERS) return light.run(kind, request, call, own);
      return queue.run(call.owner ?? '', weight, call.stop ?? call.signal, () =>
        heavy.run(kind, request, call, own),
      );
    };
  // Of a text of any length it looks at a sample.
  const detect: TextWork['detect'] = (request, call) => light.run('detect', request, call);

  return {
    service: {
      ...here,
      ...Object.fromEntries(ROUTED.map((id) => [id, route(id, isLight)])),
      async detectLanguage(request, call) {
        const { language } = await detect(request, call);
        return { language_detection: { text: request.text, language } };
      },
    },
    detect,
    async load() {
      await light.run('loadDetection', null, { signal: new AbortController().signal });
    },
    count: {
      translateEmail: route('countEmail', isShort),
      translateSubtitles: route('countSubtitles', isShort),
    },
    parseBody: (bytes, owner, signal) =>
      queue.run(owner, bytes.length / BYTES_PER_CHARACTER, signal, () =>
        heavy.run('parseBody', bytes, { signal }),
      ),
    close: async () => {
      await Promise.all([light.close(), heavy.close()]);
    },
  };
}

function isShort(request: TextRequest): boolean {
  return weightOf(request) <= LIGHT_CHARACTERS;
}

function isLight(request: TextRequest): boolean {
  return isShort(request) && 'source' in request && request.source !== 'auto';
}

interface TextThreadOptions {
  readonly shared: SharedResources;
  readonly answer: AskResources;
  /** Where the thread asks the engine of this process. */
  readonly host: EngineHost;
  /** How long the thread may do nothing but compute. */
  readonly stallMs: number;
  readonly heapMegabytes: number;
  readonly youngMegabytes: number | undefined;
}

/** A thread for any number of concurrent calls. The creator closes it. */
class TextThread {
  readonly #client: WorkerClient<TextProtocol>;
  readonly #stallMs: number;

  constructor({ host, shared, answer, stallMs, heapMegabytes, youngMegabytes }: TextThreadOptions) {
    this.#stallMs = stallMs;
    this.#client = new WorkerClient<TextProtocol>({
      kind: 'thread',
      script: { name: 'dragoman text', source: 'server/threads/text-worker.ts', bundled: 'text-worker.js' },
      settings: { engine: host.traits, shared },
      heapMegabytes: () => heapMegabytes,
      youngMegabytes,
      answer: async (question, over) =>
        'engine' in question ? { outcomes: await host.answer(question.engine, over) } : answer(question),
    });
  }

  /** Interrupts current calls. */
  async close(): Promise<void> {
    await this.#client.close();
  }

  /**
   * @throws DragomanError of the work; `interrupted` when `signal` aborts or the thread was lost with several calls;
   *   `limit_exceeded` when the work took too long or too much memory, `internal` when it crashed.
   */
  async run<K extends TextWorkKind>(
    kind: K,
    request: TextRequests[K],
    { signal, stop = signal, onFailure }: CallOptions,
    own?: OwnResources,
  ): Promise<TextResults[K]> {
    try {
      const { result, failures } = await this.#client.call(
        { kind, request, own },
        // Texts translated so far are charged.
        { signal: stop, stallMs: this.#stallMs, patienceMs: () => this.#stallMs },
      );
      throwIfAborted(signal);
      for (const reason of failures) onFailure?.(reason);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result is that of the request's kind
      return result as TextResults[K];
    } catch (error) {
      throwIfAborted(signal);
      throw error instanceof WorkerLost ? errorOf(error) : error;
    }
  }
}

/** Calls that were lost together may be tried again. */
function errorOf(lost: WorkerLost): DragomanError {
  const { reason, calls } = lost;
  if (reason === 'crash')
    return new DragomanError('internal', 'the thread for texts crashed', { cause: lost });
  if (reason === 'closed' || calls > 1) return interrupted();
  const why = reason === 'memory' ? lost.message : 'takes too long';
  return new DragomanError('limit_exceeded', `the work on the text ${why}`);
}
