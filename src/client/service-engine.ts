import { countCodePoints } from '../base/code-points.ts';
import { DragomanError, traitsOf } from '../base/errors.ts';
import { abortAfter, linkSignals, throwIfAborted } from '../base/interruption.ts';
import { MAX_TEXT, MAX_TEXTS } from '../contract/limits.ts';
import type { BatchItem } from '../contract/texts.ts';
import type { Engine, EngineOutcome } from '../engines/engine.ts';
import { SERVICE_ENGINE } from '../engines/registry.ts';
import type { PlainMethods, RequestMethods } from '../service/service.ts';
import { splitText } from '../service/split-text.ts';
import type { TaggedText } from '../text/tagged.ts';
import { Budget } from './budget.ts';
import { ServiceLanguages } from './languages.ts';
import { toWire, type WireText } from './wire-text.ts';

export interface ServiceEngineOptions {
  /** The credits that the engine may spend. Default: the account's balance. */
  readonly budget?: Budget | undefined;
  /**
   * How long a pending request may continue after an interruption, because its answer has been paid for. Default 5 s.
   */
  readonly graceMs?: number | undefined;
  /** Time limit for the service's status, after which the service counts as not ready. Default 5 s. */
  readonly statusMs?: number | undefined;
  /** Whether a lost text is sent again when it is requested again. Needed for a server's clients. */
  readonly resends?: boolean | undefined;
}

/** The part of a service that the engine uses. */
export type EngineTextService = Pick<RequestMethods, 'translateBatch'> &
  Pick<PlainMethods, 'supportedLanguages' | 'health'>;

/** This many characters can be translated within a request's time limit; usual batches have far fewer. */
const MAX_BATCH_CHARACTERS = 64_000;

/**
 * An engine that sends its segments to a service (specification: `POST /v2/translate/batch`), for 1 credit per part of
 * at most 5,000 code points. Nothing is sent twice: a part whose answer was lost fails with the same error again,
 * unless `resends` is set. Outcomes carry the errors of failed requests, so that other requests' answers are kept.
 * Closing it leaves the service open for its owner.
 */
export function createServiceEngine(
  service: EngineTextService,
  { budget = new Budget(), graceMs = 5_000, statusMs = 5_000, resends = false }: ServiceEngineOptions = {},
): Engine {
  const languages = new ServiceLanguages(service);
  const sender = new Sender(service, budget, resends);
  return {
    id: SERVICE_ENGINE,
    isModel: true,
    batch: { texts: MAX_TEXTS, characters: MAX_BATCH_CHARACTERS },
    async status(signal) {
      const limit = AbortSignal.timeout(statusMs);
      const end = linkSignals(limit, ...(signal ? [signal] : []));
      try {
        const { status } = await service.health({ signal: end.signal });
        const pairs = await languages.pairs(end.signal);
        const detail = `a translation service, ${status}`;
        return { id: SERVICE_ENGINE, ready: pairs.length > 0, detail, pairs };
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        const isLate = error.code === 'interrupted' && limit.aborted && signal?.aborted !== true;
        if (error.code === 'interrupted' && !isLate) throw error;
        const detail = isLate
          ? `the service gave no answer within ${statusMs / 1000} seconds`
          : error.message;
        return { id: SERVICE_ENGINE, ready: false, detail, hint: error.hint, pairs: [] };
      } finally {
        end.clear();
      }
    },
    async supports(source, target) {
      return (await languages.pairOf(source, target)) !== undefined;
    },
    async translate({ source, target, texts }, signal) {
      throwIfAborted(signal);
      const plans = texts.map(planText);
      if (plans.every(({ parts }) => parts.length === 0)) return plans.map((plan) => outcomeOf(plan, []));
      const pair = await languages.pairOf(source, target, signal);
      if (!pair) throw unsupported(source, target);
      const end = abortAfter(signal, graceMs);
      try {
        const parts = plans.flatMap((plan) => plan.parts);
        const answers = (await sender.send(parts, { ...pair, signal: end.signal })).values();
        return plans.map((plan) =>
          outcomeOf(
            plan,
            plan.parts.map(() => answers.next().value ?? LOST),
          ),
        );
      } finally {
        end.clear();
      }
    },
    close: () => Promise.resolve(languages.close()),
  };
}

/** The price of a segment: 1 credit per part sent. */
export function creditsOfSegment(tagged: TaggedText): number {
  return planText(tagged).parts.length;
}

interface TextPlan {
  readonly tagged: TaggedText;
  readonly wire?: WireText | undefined;
  readonly failure?: string | undefined;
  /** The texts to send: trimmed pieces with words. */
  readonly parts: readonly string[];
  /** The wire text in pieces. Pieces that are not sent stay unchanged. */
  readonly pieces: readonly string[];
}

function planText(tagged: TaggedText): TextPlan {
  const wire = toWire(tagged);
  // UTF-8 cannot represent a lone surrogate, so the service would reject the whole request.
  if (!wire?.text.isWellFormed())
    return { tagged, failure: 'the text is not well-formed', parts: [], pieces: [] };
  if (!wire.hasWords) return { tagged, parts: [], pieces: [] };
  const pieces = splitText(wire.text, MAX_TEXT);
  if (pieces.some((piece) => countCodePoints(piece, MAX_TEXT) > MAX_TEXT)) {
    const failure = `the text is longer than ${MAX_TEXT.toLocaleString('en')} characters and cannot be divided`;
    return { tagged, failure, parts: [], pieces: [] };
  }
  return { tagged, wire, pieces, parts: pieces.filter(isSent).map((piece) => piece.trim()) };
}

function isSent(piece: string): boolean {
  return /\p{L}/u.test(piece);
}

type PartAnswer =
  { readonly translation: string } | { readonly failure: string; readonly error?: DragomanError };

const LOST: PartAnswer = { failure: 'the service gave no answer' };

function outcomeOf(
  { tagged, wire, failure, pieces }: TextPlan,
  answers: readonly PartAnswer[],
): EngineOutcome {
  if (failure !== undefined) return { failure };
  if (!wire) return { translation: tagged };
  const failed = answers.find((answer) => 'failure' in answer);
  if (failed) return failed;
  const rest = answers.values();
  const joined = pieces.map((piece) => {
    if (!isSent(piece)) return piece;
    const answer = rest.next().value;
    const words = answer && 'translation' in answer ? answer.translation.trim() : '';
    return (
      piece.slice(0, piece.length - piece.trimStart().length) + words + piece.slice(piece.trimEnd().length)
    );
  });
  return { translation: wire.read(joined.join('')) };
}

interface WireDirection {
  /** In the service's spelling. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
}

/** Sends texts in requests within the limits and the budget. */
class Sender {
  readonly #service: EngineTextService;
  readonly #budget: Budget;
  readonly #resends: boolean;
  /** Failed answers, by direction and text. */
  readonly #failed = new Map<string, PartAnswer>();

  constructor(service: EngineTextService, budget: Budget, resends: boolean) {
    this.#service = service;
    this.#budget = budget;
    this.#resends = resends;
  }

  /** One answer per text, in order. @throws DragomanError `interrupted`; other errors are returned as outcomes */
  async send(texts: readonly string[], direction: WireDirection): Promise<readonly PartAnswer[]> {
    const answers = texts.map((text) => this.#failed.get(idOf(text, direction)));
    const unsent = texts.flatMap((_, i) => (answers[i] ? [] : [i]));
    for (let at = 0; at < unsent.length; at += MAX_TEXTS) {
      const batch = unsent.slice(at, at + MAX_TEXTS);
      const affordable = batch.slice(0, this.#budget.take(batch.length));
      const error = affordable.length < batch.length ? this.#budget.exhausted() : undefined;
      const sent = affordable.map((i) => texts[i] ?? '');
      const found = sent.length > 0 ? await this.#request(sent, direction) : [];
      for (const [k, i] of batch.entries()) answers[i] = found[k] ?? (error ? failedWith(error) : LOST);
      const stop = error ?? firstError(found);
      if (!stop || traitsOf(stop).uncertain) continue;
      for (const i of unsent.slice(at + MAX_TEXTS)) answers[i] = failedWith(stop);
      break;
    }
    return answers.map((answer) => answer ?? LOST);
  }

  async #request(texts: readonly string[], direction: WireDirection): Promise<readonly PartAnswer[]> {
    const { source, target, signal } = direction;
    try {
      const { translations } = await this.#service.translateBatch(
        { texts: [...texts], source, target },
        { signal },
      );
      if (translations.length !== texts.length) throw miscounted(texts.length, translations.length);
      const answers = inOrder(texts, translations).map(answerOf);
      const done = answers.filter((answer) => 'translation' in answer).length;
      this.#budget.spend(done);
      this.#budget.giveBack(answers.length - done);
      return answers;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      const answer = failedWith(error);
      // A request that may have been processed is sent again only if `resends` is set.
      if (!traitsOf(error).uncertain) this.#budget.giveBack(texts.length);
      else if (!this.#resends) for (const text of texts) this.#failed.set(idOf(text, direction), answer);
      if (error.code === 'interrupted') throw error;
      return texts.map(() => answer);
    }
  }
}

function idOf(text: string, { source, target }: WireDirection): string {
  return `${source}\0${target}\0${text}`;
}

function failedWith(error: DragomanError): PartAnswer {
  return { failure: error.message, error };
}

function firstError(answers: readonly PartAnswer[]): DragomanError | undefined {
  return answers.flatMap((answer) => ('failure' in answer && answer.error ? [answer.error] : []))[0];
}

function answerOf(item: BatchItem): PartAnswer {
  if (item.success) return { translation: item.translation };
  return { failure: item.error ?? 'the service could not translate the text' };
}

/** Items are in the order of the texts, unless one names another text of the request. */
function inOrder(texts: readonly string[], items: readonly BatchItem[]): readonly BatchItem[] {
  if (items.every((item, i) => item.text === texts[i])) return items;
  const byText = new Map(items.map((item) => [item.text, item]));
  const known = new Set(texts);
  return items.map((item, i) => {
    const own = byText.get(texts[i] ?? '');
    if (own) return own;
    return known.has(item.text)
      ? { ...item, success: false, error: 'the answer belongs to another text' }
      : item;
  });
}

function miscounted(sent: number, answered: number): DragomanError {
  return new DragomanError(
    'contract_violation',
    `the service returned ${answered} translations for ${sent} texts`,
  );
}

function unsupported(source: string, target: string): DragomanError {
  return new DragomanError('engine_unavailable', `the service does not translate ${source} to ${target}`, {
    hint: 'dragoman languages lists its languages.',
  });
}
