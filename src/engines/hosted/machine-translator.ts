import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted, unlessAborted } from '../../base/interruption.ts';
import { tokenize, type TaggedText, type Token } from '../../text/tagged.ts';
import type {
  BatchSize,
  Engine,
  EngineOutcome,
  EngineRequest,
  EngineStatus,
  SegmentHint,
} from '../engine.ts';
import { outcomeWithoutAsking } from '../lines.ts';
import { isOfTexts, sendInBatches, type RequestLimits } from './batches.ts';
import type { HostedConnection } from './connection.ts';
import { OfferedLanguages, type VendorDirection } from './languages.ts';
import { canHold, type VendorMarkup } from './markup.ts';

/** The parts that differ between machine-translation services. */
export interface MachineTranslator {
  readonly connection: HostedConnection;
  readonly limits: RequestLimits;
  readonly batch: BatchSize;
  /** The size of an encoded text, in the unit of `limits`. */
  readonly sizeOf: (text: string) => number;
  readonly write: (tokens: readonly Token[]) => VendorMarkup;
  /** Requests the languages with a signal that aborts when the engine is closed. */
  readonly languages: (signal: AbortSignal) => Promise<readonly VendorDirection[]>;
  /** Whether its servers set their own limits, so that they may reject a first request as too large. Default: no. */
  readonly hasOwnLimits?: boolean;
  /** Whether it may use a pivot language without reporting it. Default: no. */
  readonly pivots?: boolean;
  /**
   * Sends encoded texts and returns the translations, whose number is not yet checked.
   *
   * @param request with encoded texts, and languages in the service's spelling
   */
  readonly send: (request: EngineRequest, signal: AbortSignal) => Promise<readonly unknown[]>;
}

/** An engine that has a service translate its segments as markup. It closes the connection. */
export function createMachineTranslator(provider: MachineTranslator): Engine {
  const { connection } = provider;
  const { id, name } = connection.provider;
  const asker = new Asker(provider);
  const languages = new OfferedLanguages(() => provider.languages(connection.closing), provider.pivots);
  return {
    id,
    batch: provider.batch,
    async status(signal): Promise<EngineStatus> {
      try {
        const pairs = await unlessAborted(languages.pairs(), signal);
        return { id, ready: pairs.length > 0, detail: `${name}, a hosted service`, pairs };
      } catch (error) {
        if (!(error instanceof DragomanError) || error.code === 'interrupted') throw error;
        return { id, ready: false, detail: error.message, hint: error.hint, pairs: [] };
      }
    },
    supports: async (source, target) => (await languages.find(source, target)) !== undefined,
    async translate(request, signal) {
      throwIfAborted(signal);
      const plans = request.texts.map((text, i) => ({
        ...planText(text, provider),
        hint: request.hints?.[i],
      }));
      const sent = plans.filter((plan) => plan.markup !== undefined);
      if (sent.length === 0) return plans.map(({ outcome }) => outcome ?? NO_ANSWER);
      const pair = await unlessAborted(languages.find(request.source, request.target), signal);
      if (!pair) throw unavailable(name, request);
      const answers = await sendInBatches(
        sent,
        provider.limits,
        ({ markup }) => provider.sizeOf(markup?.text ?? ''),
        (batch) => asker.ask(batch, { ...request, ...pair }, signal),
        signal,
      );
      const rest = answers.values();
      return plans.map(({ outcome }) => outcome ?? rest.next().value ?? NO_ANSWER);
    },
    close: () => connection.close(),
  };
}

interface MarkupPlan {
  /** The content that the service receives. */
  readonly markup?: VendorMarkup;
  /** The outcome, if it is known without a request. */
  readonly outcome?: EngineOutcome;
  readonly hint?: SegmentHint | undefined;
}

const NO_ANSWER: EngineOutcome = { failure: 'the service gave no answer for this text' };

function planText(tagged: TaggedText, { connection, write }: MachineTranslator): MarkupPlan {
  const outcome = outcomeWithoutAsking(tagged);
  if (outcome) return { outcome };
  if (!canHold(tagged)) {
    return {
      outcome: {
        failure: `the text has control characters, which ${connection.provider.name} does not accept`,
      },
    };
  }
  return { markup: write(tokenize(tagged) ?? []) };
}

/** After this many refusals of single texts before any answer, the service is the cause, not the texts. */
const MOST_REFUSED = 3;

class Asker {
  readonly #provider: MachineTranslator;
  /** Whether the service has answered: if so, later refusals concern the texts. */
  #hasAnswered = false;
  /** Single texts that were refused before the first answer. */
  #refused = 0;
  /** Texts per request, if known: a server's limit may be lower than usual. */
  #most = Infinity;

  constructor(provider: MachineTranslator) {
    this.#provider = provider;
  }

  /**
   * One outcome per text. A batch refused for its size or content is halved repeatedly, down to the text that causes
   * it.
   */
  async ask(
    batch: readonly MarkupPlan[],
    request: EngineRequest,
    signal: AbortSignal,
  ): Promise<readonly EngineOutcome[]> {
    if (batch.length > this.#most) return this.#divide(batch, this.#most, request, signal);
    const texts = batch.map(({ markup }) => markup?.text ?? '');
    let answers: readonly unknown[];
    try {
      const hints = request.hints && batch.map(({ hint }) => hint);
      answers = await this.#provider.send({ ...request, texts, hints }, signal);
    } catch (error) {
      if (!(error instanceof DragomanError && isOfTexts(error))) throw error;
      const mayBeOfSize = this.#provider.hasOwnLimits === true && this.#refused < MOST_REFUSED;
      if (!this.#hasAnswered && !mayBeOfSize) throw error;
      if (batch.length === 1) {
        if (this.#hasAnswered) return [{ failure: error.message }];
        this.#refused++;
        throw error;
      }
      const half = Math.ceil(batch.length / 2);
      const outcomes = await this.#divide(batch, half, request, signal);
      // The texts were valid, but too many.
      if (outcomes.every((outcome) => 'translation' in outcome)) this.#most = Math.min(this.#most, half);
      return outcomes;
    }
    this.#hasAnswered = true;
    return readAnswers(batch, answers, this.#provider.connection.provider.name);
  }

  #divide(
    batch: readonly MarkupPlan[],
    texts: number,
    request: EngineRequest,
    signal: AbortSignal,
  ): Promise<readonly EngineOutcome[]> {
    const ask = (part: readonly MarkupPlan[]): Promise<readonly EngineOutcome[]> =>
      this.ask(part, request, signal);
    return sendInBatches(batch, { texts, size: Infinity }, () => 1, ask, signal);
  }
}

function readAnswers(
  batch: readonly MarkupPlan[],
  answers: readonly unknown[],
  name: string,
): readonly EngineOutcome[] {
  if (answers.length !== batch.length) {
    // The answers cannot be assigned to texts.
    throw new DragomanError(
      'contract_violation',
      `${name} returned ${answers.length} translations for ${batch.length} texts`,
    );
  }
  return batch.map(({ markup }, i) => {
    const answer = answers[i];
    if (typeof answer !== 'string') return { failure: `${name} returned a translation that is not a string` };
    return answer.isWellFormed()
      ? (markup?.read(answer) ?? NO_ANSWER)
      : { failure: `${name} returned half a character (a lone surrogate)` };
  });
}

function unavailable(name: string, { source, target }: EngineRequest): DragomanError {
  return new DragomanError('engine_unavailable', `${name} does not translate ${source} to ${target}`, {
    hint: 'dragoman engines lists its language pairs.',
  });
}
