import { HEALTHY, type AccountSummary, type HealthReport } from '../contract/account.ts';
import {
  type AnswerOf,
  type Operation,
  operations,
  type RequestId,
  type RequestOf,
} from '../contract/operations.ts';
import { validate } from '../contract/validation.ts';
import type { Engine, EngineStatus } from '../engines/engine.ts';
import type { TranslationResources } from '../pipeline/unit.ts';
import { detectLocally, nameLanguages } from './languages.ts';
import { translateEmailLocally, translateHtmlLocally, translateSubtitlesLocally } from './local-documents.ts';
import { translateBatchLocally, translateLocally } from './local-texts.ts';
import { type CallOptions, type PlainMethods, serviceOf, type TranslationService } from './service.ts';

export interface LocalServiceOptions extends TranslationResources {
  /** The engine to translate with. The caller closes it. */
  readonly engine: Engine;
  /** Concurrent batches of one call. */
  readonly concurrency?: number | undefined;
  /** The engines in the health report. Default: the status of `engine`. */
  readonly engineStatuses?: ((signal: AbortSignal) => Promise<readonly EngineStatus[]>) | undefined;
  /** Whether the caller has validated all requests. */
  readonly isValidated?: boolean | undefined;
}

/** The handler of each operation with a request. */
const handlers: {
  readonly [Id in RequestId]: (
    request: RequestOf<Id>,
    context: LocalServiceOptions & CallOptions,
  ) => Promise<AnswerOf<Id>>;
} = {
  translate: translateLocally,
  translateBatch: translateBatchLocally,
  translateHtml: translateHtmlLocally,
  translateEmail: translateEmailLocally,
  translateSubtitles: translateSubtitlesLocally,
  async detectLanguage(request, call) {
    const { language } = await detectLocally(request, call);
    return { language_detection: { text: request.text, language } };
  },
};

/** Performs the specification's operations in this process. Needs no closing. */
export function createLocalService(options: LocalServiceOptions): TranslationService {
  const { engine } = options;
  const count = new RequestCount();
  const plain: PlainMethods = {
    supportedLanguages: ({ signal }) =>
      count.during(async () => {
        const { pairs } = await engine.status(signal);
        return { supported_languages: nameLanguages(pairs) };
      }),
    accountSummary: () => Promise.resolve(summarize(count)),
    health: async ({ signal }) => reportHealth(engine, await statusesOf(options, signal), signal),
  };
  return serviceOf(
    (id, request, call) =>
      count.during(() => {
        const { prefix }: Operation = operations[id];
        const checked =
          options.isValidated === true ? request : validate(operations[id].request, request, prefix);
        // Each property that follows a spread makes V8 move the object, which takes half a microsecond.
        return handlers[id](checked, Object.assign({}, options, call));
      }),
    (id, call) => plain[id](call),
  );
}

/** Without accounts and metering, all credits are 0. The counts are those of this process. */
function summarize(count: RequestCount): AccountSummary {
  return {
    email: 'local@localhost',
    full_name: 'Local engine: no account, nothing is metered',
    total_credits: 0,
    credits_used: 0,
    credits_remaining: 0,
    credits_percentage: 0,
    concurrency: count.running,
    summary: {
      total_requests: count.total,
      successful_requests: count.successful,
      failed_requests: count.failed,
      success_rate: count.total === 0 ? 0 : (100 * count.successful) / count.total,
    },
  };
}

async function statusesOf(
  options: LocalServiceOptions,
  signal: AbortSignal,
): Promise<readonly EngineStatus[]> {
  return options.engineStatuses ? options.engineStatuses(signal) : [await options.engine.status(signal)];
}

/** Healthy if the default engine is ready. */
async function reportHealth(
  engine: Engine,
  statuses: readonly EngineStatus[],
  signal: AbortSignal,
): Promise<HealthReport> {
  const own = statuses.find(({ id }) => id === engine.id) ?? (await engine.status(signal));
  return {
    status: own.ready ? HEALTHY : 'unhealthy',
    timestamp: new Date().toISOString(),
    engines: statuses.map(({ id, ready, detail }) => ({ id, ready, detail })),
  };
}

/** Counts requests by outcome. */
class RequestCount {
  running = 0;
  successful = 0;
  failed = 0;

  get total(): number {
    return this.successful + this.failed;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.running++;
    try {
      const result = await work();
      this.successful++;
      return result;
    } catch (error) {
      this.failed++;
      throw error;
    } finally {
      this.running--;
    }
  }
}
