import { DragomanError } from '../../base/errors.ts';
import { textOf } from '../../base/json.ts';
import type { EngineOutcome } from '../engine.ts';
import { OF_TEXTS } from '../hosted/batches.ts';
import type { Connection } from '../hosted/connection.ts';
import { readAnswer, type Answer } from './answer.ts';
import { poorerDialect, RICHEST, writeDialect, type Dialect } from './dialect.ts';
import { writePrompt, type Item, type Task } from './prompt.ts';

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
    items: readonly Item[],
    task: Task,
    signal: AbortSignal,
    isRepeated = false,
  ): Promise<readonly EngineOutcome[]> {
    let answer: Answer;
    try {
      answer = await this.#ask(items, task, signal);
    } catch (error) {
      const isOfTexts = error instanceof DragomanError && this.#dialect && OF_TEXTS.has(error.code);
      const isTooMuch = error instanceof DragomanError && error.code === 'limit_exceeded';
      if (!isOfTexts && !isTooMuch) throw error;
      return this.#askLess(items, task, signal, error.message);
    }
    if (answer.kind === 'translations') {
      return this.#complete(items, answer.byId, task, signal, isRepeated);
    }
    const failure = {
      truncated: 'the answer of the model has no room for the translation',
      refused: 'the model refused to translate this text',
      unreadable: answer.kind === 'unreadable' ? answer.problem : '',
    }[answer.kind];
    if (answer.kind === 'unreadable') return items.map(() => ({ failure }));
    return this.#askLess(items, task, signal, failure);
  }

  /** What was too much, or refused, may be because of what is known about a text: it is tried without. */
  async #askLess(
    items: readonly Item[],
    task: Task,
    signal: AbortSignal,
    failure: string,
  ): Promise<readonly EngineOutcome[]> {
    if (items.length > 1) return this.#halve(items, task, signal);
    const bare = items.map(({ text }) => ({ text }));
    return items.some(({ hint }) => hint) ? this.translate(bare, task, signal) : [{ failure }];
  }

  /** Half of the texts fails without the other: what was answered has been paid for. */
  async #halve(items: readonly Item[], task: Task, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    const middle = Math.ceil(items.length / 2);
    const outcomes: EngineOutcome[] = [];
    for (const half of [items.slice(0, middle), items.slice(middle)]) {
      try {
        outcomes.push(...(await this.translate(half, task, signal)));
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        outcomes.push(...half.map(() => ({ failure: error.message, error })));
      }
    }
    return outcomes;
  }

  async #complete(
    items: readonly Item[],
    byId: ReadonlyMap<number, string>,
    task: Task,
    signal: AbortSignal,
    isRepeated: boolean,
  ): Promise<readonly EngineOutcome[]> {
    const outcomes = items.map((_, i): EngineOutcome => {
      const translation = byId.get(i + 1);
      return translation === undefined ? LEFT_OUT : checked(translation);
    });
    const missing = outcomes.flatMap((outcome, i) => (outcome === LEFT_OUT ? [i] : []));
    if (missing.length === 0 || missing.length === items.length || isRepeated) return outcomes;
    const again = await this.translate(
      missing.flatMap((i) => items[i] ?? []),
      task,
      signal,
      true,
    ).catch((error: unknown) => {
      if (!(error instanceof DragomanError)) throw error;
      return missing.map((): EngineOutcome => ({ failure: error.message, error }));
    });
    for (const [k, i] of missing.entries()) outcomes[i] = again[k] ?? LEFT_OUT;
    return outcomes;
  }

  async #ask(items: readonly Item[], task: Task, signal: AbortSignal): Promise<Answer> {
    const messages = writePrompt(task, items);
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
