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
  /** The caller closes it afterwards. */
  readonly engine: Engine;
  /** Default: none. */
  readonly resources?: AccountResources | undefined;
  readonly log: JobLog;
  readonly stallMs?: number | undefined;
  readonly heapMegabytes?: number | undefined;
}

/**
 * Texts that take only a few milliseconds are handled in this thread: passing them on would take longer. Language
 * detection is never done here, because its tables are slow to load.
 */
const LIGHT_CHARACTERS = 3_000;
/** Concurrent work in the thread: several large batches can wait for an engine. */
const SIDE_BY_SIDE_CHARACTERS = 200_000;
const STALL_MS = 120_000;
/** Far above what the largest body takes (about 600 MB): a thread that reaches its limit can crash the process. */
const HEAP_MEGABYTES = 2_048;
/** Short texts create little garbage, but the language tables stay in memory. */
const LIGHT_YOUNG_MEGABYTES = 4;

/** The operations on validated texts, run so that no request blocks the others. The code that opens it closes it. */
export interface TextService {
  readonly service: TranslationService;
  readonly detect: TextWork['detect'];
  /**
   * Resolves when the language tables for short texts, which take 30 MB, are loaded. The thread for long texts loads
   * them on first use.
   *
   * @throws DragomanError `internal` if they are broken
   */
  readonly load: () => Promise<void>;
  /** The price of a request, like `creditsOf`. */
  readonly count: {
    readonly translateEmail: TextWork['countEmail'];
    readonly translateSubtitles: TextWork['countSubtitles'];
  };
  /**
   * Parses a request body, like `parseJson`.
   *
   * @throws DragomanError `invalid_request`, `interrupted`, and the errors of the operations
   */
  readonly parseBody: (bytes: Uint8Array, owner: string, signal: AbortSignal) => Promise<object>;
  readonly close: () => Promise<void>;
}

/** Parsing this many bytes takes no longer than translating one character. */
const BYTES_PER_CHARACTER = 64;

export function openTextService(options: TextServiceOptions): TextService {
  const { engine, resources, log, stallMs = STALL_MS, heapMegabytes = HEAP_MEGABYTES } = options;
  const shared = resources?.shared ?? {};
  const answer: AskResources = async (question) => (await resources?.answer(question)) ?? {};
  const here = createLocalService({ ...sharedResources(shared, answer), engine, isValidated: true });
  const host = new EngineHost(engine, log);
  const thread = (youngMegabytes?: number): TextThread =>
    new TextThread({ host, shared, answer, stallMs, heapMegabytes, youngMegabytes });
  // Short texts that only need a language do not wait for heavy work.
  const light = thread(LIGHT_YOUNG_MEGABYTES);
  const heavy = thread();
  const queue = new FairQueue(SIDE_BY_SIDE_CHARACTERS);

  const work = textWorkOf(here);

  /**
   * Does one kind of work: in this thread if `runsInProcess` allows it and the account has no resources, otherwise in a
   * worker thread.
   */
  const route =
    <K extends Exclude<TextWorkKind, 'loadDetection' | 'parseBody'>>(
      kind: K,
      runsInProcess: (request: TextRequests[K]) => boolean,
    ) =>
    (request: TextRequests[K], call: CallOptions): Promise<TextResults[K]> => {
      const { owner = '' } = call;
      const run = (own: OwnResources | undefined): Promise<TextResults[K]> => {
        if (!own && runsInProcess(request)) return work[kind](request, call);
        const weight = weightOf(request);
        if (weight <= LIGHT_CHARACTERS) return light.run(kind, request, call, own);
        return queue.run(owner, weight, call.stop ?? call.signal, () => heavy.run(kind, request, call, own));
      };
      const own = resources?.own(owner);
      return own instanceof Promise ? own.then(run) : run(own);
    };
  // Detection only samples a text, so its length does not matter.
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
  /** Passes engine requests from the thread to this process. */
  readonly host: EngineHost;
  /** How long the thread may compute without a pause. */
  readonly stallMs: number;
  readonly heapMegabytes: number;
  readonly youngMegabytes: number | undefined;
}

/** A thread that handles concurrent calls. The code that creates it closes it. */
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
   * @throws DragomanError of the work; `interrupted` if `signal` aborts or the thread was lost with several calls;
   * `limit_exceeded` if the work took too long or too much memory, `internal` if it crashed
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

/** Any of several lost calls may be the cause, so they may be retried. */
function errorOf(lost: WorkerLost): DragomanError {
  const { reason, calls } = lost;
  if (reason === 'crash')
    return new DragomanError('internal', 'the thread for texts crashed', { cause: lost });
  if (reason === 'closed' || calls > 1) return interrupted();
  const why = reason === 'memory' ? lost.message : 'takes too long';
  return new DragomanError('limit_exceeded', `the work on the text ${why}`);
}
