import { DragomanError, traitsOf, type ErrorCode } from '../base/errors.ts';
import { abortAfter, type GracePeriod, interrupted } from '../base/interruption.ts';
import { MAX_TEXT, MAX_TEXTS } from '../contract/limits.ts';
import type { BatchItem } from '../contract/texts.ts';
import { verify } from '../text/verify.ts';
import type { CallOptions, TranslationService } from './service.ts';
import { splitText } from './split-text.ts';
import { addTo } from '../base/map-of-lists.ts';

export interface Direction {
  readonly source: string;
  readonly target: string;
}

export interface Translations {
  /** One per text, in order. Texts that were not sent, or whose answer was lost, are unsuccessful. */
  readonly items: readonly BatchItem[];
  /** The error that ended the work before all texts were sent. */
  readonly stopped?: DragomanError | undefined;
}

/**
 * Translates any number of texts of any length with a service that has limits: in batches, without duplicates, with
 * texts over the limit in parts (one failed part fails the text). If the service fails a batch or its answer is lost,
 * the batch's texts fail, and the rest continues. Any other error ends the work after the pending batches, and the
 * results so far are returned with it.
 *
 * @throws DragomanError like `translateBatch`, if no text was translated
 */
export async function translateAll(
  service: TranslationService,
  texts: readonly string[],
  { source, target }: Direction,
  options: CallOptions,
): Promise<Translations> {
  const parts = new Map([...new Set(texts)].map((text) => [text, splitText(text, MAX_TEXT)]));
  const heads = [...parts.values()].map(([head = '']) => head);
  const tails = [...parts.values()].flatMap(([, ...tail]) => tail);
  const run = new BatchRun(
    service,
    target,
    { around: texts, ...options },
    new Set(heads).size + new Set(tails).size,
  );
  try {
    await run.translate(source, heads);
    // All parts of a text use the language of the first part.
    const rest = new Map<string, string[]>();
    for (const [head = '', ...tail] of parts.values()) {
      const item = run.itemOf(source, head);
      if (item.success && tail.length > 0) {
        addTo(rest, item.source, ...tail);
      }
    }
    for (const [language, group] of rest) await run.translate(language, group);
  } finally {
    run.end();
  }
  run.requireAny();
  const items = new Map([...parts].map(([text, all]) => [text, join(text, all, source, run)]));
  return { items: texts.map((text) => items.get(text) ?? run.itemOf(source, text)), stopped: run.stopped };
}

function join(
  text: string,
  [head = '', ...tail]: readonly string[],
  source: string,
  run: BatchRun,
): BatchItem {
  const first = run.itemOf(source, head);
  if (tail.length === 0) return first;
  const items = [first, ...(first.success ? tail.map((part) => run.itemOf(first.source, part)) : [])];
  const translation = items.map((item) => item.translation).join('');
  const failed = items.find(({ success }) => !success);
  const error = failed
    ? (failed.error ?? 'no reason given')
    : verify(text, translation, { syntax: 'plain', locale: first.target })[0]?.detail;
  // If the first part has no words, takes the language of a later part.
  const language = [...items.map((item) => item.source), source].find((code) => code !== 'auto') ?? 'auto';
  const whole = { ...first, source: language };
  return error === undefined ? { ...whole, text, translation } : { ...whole, ...failure(text, error) };
}

function failure(text: string, error: string): Pick<BatchItem, 'text' | 'translation' | 'success' | 'error'> {
  return { text, translation: text, success: false, error };
}

/** After this many failed or lost batches in a row, the service is considered down. */
const MAX_FAILED_IN_A_ROW = 5;

/**
 * No engine supports the language of these texts. If languages are detected, other texts may be in a supported
 * language.
 */
const OF_LANGUAGE: ErrorCode = 'engine_unavailable';

/** This many characters can be translated within a request's time limit; usual batches have far fewer. */
const MAX_BATCH_CHARACTERS = 64_000;

/** How long to wait, after an interruption, for an answer that has been paid for. */
const GRACE_MS = 5_000;

/** The batches of one `translateAll` call and their results. */
class BatchRun {
  /** The error that ended the work. */
  stopped: DragomanError | undefined;
  readonly #service: TranslationService;
  readonly #target: string;
  readonly #options: CallOptions;
  readonly #grace: GracePeriod;
  readonly #total: number;
  /** By source language and text. */
  readonly #items = new Map<string, Map<string, BatchItem>>();
  #done = 0;
  #failedInARow = 0;
  #lastError: DragomanError | undefined;
  #hasSuccess = false;

  constructor(service: TranslationService, target: string, options: CallOptions, total: number) {
    this.#service = service;
    this.#target = target;
    this.#options = options;
    this.#grace = abortAfter(options.signal, service.parallelCalls === undefined ? 0 : GRACE_MS);
    this.#total = total;
  }

  /** Sends the texts that were not sent yet. Rejects only because of a bug. */
  async translate(source: string, texts: readonly string[]): Promise<void> {
    const items = this.#items.get(source) ?? new Map<string, BatchItem>();
    this.#items.set(source, items);
    const batches = pack([...new Set(texts)].filter((text) => !items.has(text))).values();
    const work = async (): Promise<void> => {
      for (const batch of batches) {
        if (this.#options.signal.aborted) this.stopped ??= interrupted();
        if (this.stopped) return;
        await this.#send(source, batch, items);
        this.#done += batch.length;
        this.#options.onProgress?.(this.#done, this.#total);
      }
    };
    await Promise.all(Array.from({ length: this.#service.parallelCalls ?? 1 }, work));
  }

  end(): void {
    this.#grace.clear();
  }

  itemOf(source: string, text: string): BatchItem {
    const error = this.stopped?.message ?? 'no outcome';
    return this.#items.get(source)?.get(text) ?? { source, target: this.#target, ...failure(text, error) };
  }

  /** @throws DragomanError if an error left all texts without a translation */
  requireAny(): void {
    const error = this.stopped ?? this.#lastError;
    if (error && !this.#hasSuccess) throw error;
  }

  async #send(source: string, texts: readonly string[], items: Map<string, BatchItem>): Promise<void> {
    const { signal } = this.#grace;
    const { around } = this.#options;
    const target = this.#target;
    try {
      const { translations } = await this.#service.translateBatch(
        { texts: [...texts], source, target },
        { signal, around },
      );
      for (const [i, item] of translations.entries())
        items.set(texts[i] ?? '', { ...item, text: texts[i] ?? '' });
      this.#hasSuccess ||= translations.some(({ success }) => success);
      this.#failedInARow = 0;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      this.#lastError = error;
      const { uncertain, transient } = traitsOf(error);
      const ends =
        uncertain && transient ? ++this.#failedInARow >= MAX_FAILED_IN_A_ROW : error.code !== OF_LANGUAGE;
      if (ends) this.stopped ??= error;
      // Texts of the failed batch count as not sent.
      else for (const text of texts) items.set(text, { source, target, ...failure(text, error.message) });
    }
  }
}

function pack(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let size = Infinity;
  for (const text of texts) {
    const last = batches.at(-1);
    size += text.length;
    if (last && last.length < MAX_TEXTS && size <= MAX_BATCH_CHARACTERS) last.push(text);
    else {
      batches.push([text]);
      size = text.length;
    }
  }
  return batches;
}
