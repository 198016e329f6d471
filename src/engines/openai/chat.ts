import { DragomanError } from '../../base/errors.ts';
import { textOf } from '../../base/json.ts';
import type { TaggedText } from '../../text/tagged.ts';
import type { EngineOutcome, EngineRequest } from '../engine.ts';
import { OF_TEXTS } from '../hosted/batches.ts';
import type { Connection } from '../hosted/connection.ts';
import { readAnswer, type Answer } from './answer.ts';
import { poorerDialect, RICHEST, writeDialect, type Dialect } from './dialect.ts';
import { writePrompt } from './prompt.ts';

/** Has a model translate, batch by batch, and finds out what it can be asked. */
export class Chat {
  readonly #connection: Connection;
  readonly #model: string;
  /** In which the server has answered: then a refusal is a matter of the texts. */
  #dialect: Dialect | undefined;

  constructor(connection: Connection, model: string) {
    this.#connection = connection;
    this.#model = model;
  }

  /**
   * One outcome per text. A batch whose answer had no room to end, or that the server does not take as it is, is asked
   * for in halves; texts that the model left out are asked for once more.
   *
   * @throws DragomanError of the requests, where it is no matter of the texts.
   */
  async translate(
    texts: readonly TaggedText[],
    direction: Pick<EngineRequest, 'source' | 'target'>,
    signal: AbortSignal,
    isRepeated = false,
  ): Promise<readonly EngineOutcome[]> {
    let answer: Answer;
    try {
      answer = await this.#ask(texts, direction, signal);
    } catch (error) {
      const isOfTexts = error instanceof DragomanError && this.#dialect && OF_TEXTS.has(error.code);
      const isTooMuch = error instanceof DragomanError && error.code === 'limit_exceeded';
      if (!isOfTexts && !isTooMuch) throw error;
      if (texts.length === 1) return [{ failure: error.message }];
      return this.#halve(texts, direction, signal);
    }
    if (answer.kind === 'translations') {
      return this.#complete(texts, answer.byId, direction, signal, isRepeated);
    }
    if (answer.kind !== 'unreadable' && texts.length > 1) return this.#halve(texts, direction, signal);
    const failure = {
      truncated: 'the answer of the model has no room for the translation',
      refused: 'the model refused to translate this text',
      unreadable: answer.kind === 'unreadable' ? answer.problem : '',
    }[answer.kind];
    return texts.map(() => ({ failure }));
  }

  /** Half of the texts fails without the other: what was answered has been paid for. */
  async #halve(
    texts: readonly TaggedText[],
    direction: Pick<EngineRequest, 'source' | 'target'>,
    signal: AbortSignal,
  ): Promise<readonly EngineOutcome[]> {
    const middle = Math.ceil(texts.length / 2);
    const outcomes: EngineOutcome[] = [];
    for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
      try {
        outcomes.push(...(await this.translate(half, direction, signal)));
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        outcomes.push(...half.map(() => ({ failure: error.message, error })));
      }
    }
    return outcomes;
  }

  async #complete(
    texts: readonly TaggedText[],
    byId: ReadonlyMap<number, string>,
    direction: Pick<EngineRequest, 'source' | 'target'>,
    signal: AbortSignal,
    isRepeated: boolean,
  ): Promise<readonly EngineOutcome[]> {
    const outcomes = texts.map((_, i): EngineOutcome => {
      const translation = byId.get(i + 1);
      return translation === undefined ? LEFT_OUT : checked(translation);
    });
    const missing = outcomes.flatMap((outcome, i) => (outcome === LEFT_OUT ? [i] : []));
    if (missing.length === 0 || missing.length === texts.length || isRepeated) return outcomes;
    const again = await this.translate(
      missing.map((i) => texts[i] ?? ''),
      direction,
      signal,
      true,
    ).catch((error: unknown) => {
      if (!(error instanceof DragomanError)) throw error;
      return missing.map((): EngineOutcome => ({ failure: error.message, error }));
    });
    for (const [k, i] of missing.entries()) outcomes[i] = again[k] ?? LEFT_OUT;
    return outcomes;
  }

  async #ask(
    texts: readonly TaggedText[],
    direction: Pick<EngineRequest, 'source' | 'target'>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const messages = writePrompt(
      direction,
      texts.map((text, i) => ({ id: i + 1, text })),
    );
    let dialect = this.#dialect ?? RICHEST;
    for (let first: DragomanError | undefined; ;) {
      try {
        const body = { model: this.#model, messages, ...writeDialect(dialect) };
        const path = '/chat/completions';
        const answer = readAnswer(await this.#connection.send({ method: 'POST', path, body, signal }));
        this.#dialect = dialect;
        return answer;
      } catch (error) {
        if (!(error instanceof DragomanError) || error.code !== 'invalid_request') throw error;
        if (dialect === this.#dialect) throw error;
        first ??= error;
        // Another batch may have found out meanwhile.
        const next = this.#dialect ?? poorerDialect(dialect, textOf(error.cause, 'parameter'));
        if (!next) throw first;
        dialect = next;
      }
    }
  }
}

const LEFT_OUT: EngineOutcome = { failure: 'the model left this text out' };

function checked(translation: string): EngineOutcome {
  return translation.isWellFormed()
    ? { translation }
    : { failure: 'the model answered half a character (a lone surrogate)' };
}
