import type { Engine } from '../../engines/engine.ts';
import { EngineHost } from '../../engines/host.ts';
import type { JobLog } from '../../jobs/log.ts';
import { creditsOf } from '../../service/credits.ts';
import { createLocalService } from '../../service/local-service.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';
import { FairQueue } from './fair-queue.ts';
import { TextThread } from './text-thread.ts';
import { weightOf, type RequestOf, type ResultOf, type TextWorkKind } from './text-work.ts';

export interface TextServiceOptions {
  /** Stays the caller's, who closes it afterwards. */
  readonly engine: Engine;
  readonly log: JobLog;
  readonly stallMs?: number | undefined;
  readonly heapMegabytes?: number | undefined;
}

/**
 * Texts that take no longer than some milliseconds are done at once, where they are; moving them would take longer.
 * Finding out a language needs tables that take long to load, so that is never done in the main thread.
 */
const LIGHT_CHARACTERS = 3_000;
/** What is done side by side in the thread: some large batches, while an engine answers them. */
const SIDE_BY_SIDE_CHARACTERS = 200_000;
const STALL_MS = 120_000;
/** Far above what the largest body takes (some 600 MB): a thread that reaches its limit can take the process with it. */
const HEAP_MEGABYTES = 2_048;

/** The operations on texts, whose requests were validated before, done so that no request keeps the server from others. Whoever opens it closes it. */
export interface TextService {
  readonly service: TranslationService;
  readonly detect: (request: RequestOf<'detect'>, call: CallOptions) => Promise<ResultOf<'detect'>>;
  /** What a request costs: as `creditsOf`. */
  readonly count: {
    translateEmail(request: RequestOf<'countEmail'>, call: CallOptions): Promise<number>;
    translateSubtitles(request: RequestOf<'countSubtitles'>, call: CallOptions): Promise<number>;
  };
  readonly close: () => Promise<void>;
}

export function openTextService(options: TextServiceOptions): TextService {
  const { engine, log, stallMs = STALL_MS, heapMegabytes = HEAP_MEGABYTES } = options;
  const here = createLocalService({ engine, isValidated: true });
  const host = new EngineHost(engine, log);
  const thread = (): TextThread => new TextThread({ host, stallMs, heapMegabytes });
  // What is light but in need of a language waits for nothing heavy.
  const light = thread();
  const heavy = thread();
  const queue = new FairQueue(SIDE_BY_SIDE_CHARACTERS);

  const away = <K extends TextWorkKind>(
    kind: K,
    request: RequestOf<K>,
    call: CallOptions,
  ): Promise<ResultOf<K>> => {
    const weight = weightOf(request);
    if (weight <= LIGHT_CHARACTERS) return light.run(kind, request, call);
    return queue.run(call.owner ?? '', weight, call.signal, () => heavy.run(kind, request, call));
  };
  const isLight = (request: RequestOf<TextWorkKind>): boolean =>
    weightOf(request) <= LIGHT_CHARACTERS && 'source' in request && request.source !== 'auto';

  return {
    service: {
      ...here,
      translate: (request, call) =>
        isLight(request) ? here.translate(request, call) : away('translate', request, call),
      translateBatch: (request, call) =>
        isLight(request) ? here.translateBatch(request, call) : away('translateBatch', request, call),
      translateHtml: (request, call) =>
        isLight(request) ? here.translateHtml(request, call) : away('translateHtml', request, call),
      translateEmail: (request, call) =>
        isLight(request) ? here.translateEmail(request, call) : away('translateEmail', request, call),
      translateSubtitles: (request, call) =>
        isLight(request) ? here.translateSubtitles(request, call) : away('translateSubtitles', request, call),
      async detectLanguage(request, call) {
        const { language } = await away('detect', request, call);
        return { language_detection: { text: request.text, language } };
      },
    },
    detect: (request, call) => away('detect', request, call),
    count: {
      translateEmail: async (request, call) =>
        isShort(request) ? creditsOf.translateEmail(request) : away('countEmail', request, call),
      translateSubtitles: async (request, call) =>
        isShort(request) ? creditsOf.translateSubtitles(request) : away('countSubtitles', request, call),
    },
    close: async () => {
      await Promise.all([light.close(), heavy.close()]);
    },
  };
}

const isShort = (request: RequestOf<TextWorkKind>): boolean => weightOf(request) <= LIGHT_CHARACTERS;
