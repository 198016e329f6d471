import { DragomanError } from '../../base/errors.ts';
import { textOf } from '../../base/json.ts';
import type { EngineOutcome } from '../engine.ts';
import { isOfTexts } from '../hosted/batches.ts';
import type { HostedConnection } from '../hosted/connection.ts';
import { readAnswer, type Answer } from './answer.ts';
import { ANSWER_SCHEMA, writePrompt, type PromptItem, type Task } from './prompt.ts';
import { type ContextWindow, sizeOf } from './window.ts';

/** How often a text is sent to a model that leaves it out, or answers unreadably. */
const MOST_TRIES = 3;
/** A model that leaves out more than this part of the texts had too many of them. */
const MOST_LEFT_OUT = 0.1;

/** Has a model translate, batch by batch, and finds out what it can be asked. */
export class Chat {
  readonly #connection: HostedConnection;
  readonly #model: string;
  readonly #window: ContextWindow;
  /** In which the server has answered: then a refusal is a matter of the texts. */
  #dialect: ChatDialect | undefined;

  constructor(connection: HostedConnection, model: string, window: ContextWindow) {
    this.#connection = connection;
    this.#model = model;
    this.#window = window;
  }

  /**
   * One outcome per text. What can be read of an answer is kept, and what is missing is asked for again in smaller
   * batches: as long as that helps where the answer had no room to end or the server does not take the batch, up to
   * three times in all where the model left texts out or did not keep to JSON.
   *
   * @throws DragomanError of the requests, where it is no matter of the texts.
   */
  async translate(
    items: readonly PromptItem[],
    task: Task,
    signal: AbortSignal,
    tries = 1,
  ): Promise<readonly EngineOutcome[]> {
    let answer: Answer;
    try {
      answer = await this.#ask(items, task, signal);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      if (error.code === 'limit_exceeded' || error.code === 'answer_lost') this.#window.shrink(total(items));
      const maySendLess = this.#dialect && isOfTexts(error);
      if (!maySendLess && error.code !== 'limit_exceeded') throw error;
      return this.#askLess(items, task, signal, { failure: error.message, tries });
    }
    const outcomes = items.map((_, i) => checked(answer.byId.get(i + 1)));
    const missing = outcomes.flatMap((outcome, i) => (outcome === undefined ? [i] : []));
    this.#learn(items, missing.length, answer);
    if (missing.length > 0) {
      const left = missing.flatMap((i) => items[i] ?? []);
      const again = await this.#askAgain(left, { asked: items.length, answer, task, signal, tries });
      for (const [k, i] of missing.entries()) outcomes[i] = again[k];
    }
    return outcomes.map((outcome) => outcome ?? LEFT_OUT);
  }

  /** How much the model can be asked at once. */
  #learn(items: readonly PromptItem[], missing: number, { trouble }: Answer): void {
    if (missing === 0) this.#window.grow(total(items));
    else if (items.length > 1 && trouble?.kind !== 'refused' && missing > items.length * MOST_LEFT_OUT) {
      this.#window.shrink(total(items));
    }
  }

  async #askAgain(
    left: readonly PromptItem[],
    { asked, answer, task, signal, tries }: ChatQuestion,
  ): Promise<readonly EngineOutcome[]> {
    const { kind, failure } = answer.trouble ?? { ...LEFT_OUT, kind: 'left out' };
    // Both may be over when there is less to say; the others are the model's habit.
    if (kind === 'truncated' || kind === 'refused') {
      if (left.length === asked) return this.#askLess(left, task, signal, { failure, tries });
      return this.#askInParts(left, asked - left.length, task, signal, tries);
    }
    if (asked === 1 || tries >= MOST_TRIES) return left.map(() => ({ failure }));
    return this.#askInParts(left, asked - left.length, task, signal, tries + 1);
  }

  /** What was too much, or refused, may be because of what is known about a text: it is tried without. */
  async #askLess(
    items: readonly PromptItem[],
    task: Task,
    signal: AbortSignal,
    { failure, tries }: { readonly failure: string; readonly tries: number },
  ): Promise<readonly EngineOutcome[]> {
    if (items.length > 1) return this.#askInParts(items, 0, task, signal, tries);
    const bare = items.map(({ text }) => ({ text }));
    return items.some(({ hint }) => hint) ? this.translate(bare, task, signal, tries) : [{ failure }];
  }

  /**
   * In halves, or in one if so many were answered at once before. A part fails without the others: what was answered has
   * been paid for.
   */
  async #askInParts(
    items: readonly PromptItem[],
    answered: number,
    task: Task,
    signal: AbortSignal,
    tries: number,
  ): Promise<readonly EngineOutcome[]> {
    const size = Math.max(answered, Math.ceil(items.length / 2));
    const outcomes: EngineOutcome[] = [];
    for (let start = 0; start < items.length; start += size) {
      const part = items.slice(start, start + size);
      try {
        outcomes.push(...(await this.translate(part, task, signal, tries)));
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        outcomes.push(...part.map(() => ({ failure: error.message, error })));
      }
    }
    return outcomes;
  }

  async #ask(items: readonly PromptItem[], task: Task, signal: AbortSignal): Promise<Answer> {
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

interface ChatQuestion {
  /** How many texts were asked for. */
  readonly asked: number;
  readonly answer: Answer;
  readonly task: Task;
  readonly signal: AbortSignal;
  readonly tries: number;
}

const LEFT_OUT = { failure: 'the model skipped this text' };

function checked(translation: string | undefined): EngineOutcome | undefined {
  if (translation === undefined) return undefined;
  return translation.isWellFormed()
    ? { translation }
    : { failure: 'the model answered half a character (a lone surrogate)' };
}

function total(items: readonly PromptItem[]): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

/** Which of the parameters that not every server and model takes are sent. */
interface ChatDialect {
  readonly format: 'schema' | 'object' | 'plain';
  readonly temperature: boolean;
}

/** The most that a server can be asked for. */
const RICHEST: ChatDialect = { format: 'schema', temperature: true };

/**
 * What to ask for after a server refused a dialect; undefined when nothing is left. Servers that say which parameter it
 * was save the tries between: models that reason take no temperature, and some servers know no schema, or nothing but it.
 *
 * @param parameter what the refusal names as its reason
 */
function poorerDialect(
  { format, temperature }: ChatDialect,
  parameter: string | undefined,
): ChatDialect | undefined {
  if (temperature && parameter === 'temperature') return { format, temperature: false };
  if (format === 'schema') return { format: 'object', temperature };
  if (format === 'object') return { format: 'plain', temperature };
  return temperature ? { format: 'schema', temperature: false } : undefined;
}

/** The fields of a request that the dialect has. */
function writeDialect({ format, temperature }: ChatDialect): object {
  return {
    ...(temperature && { temperature: 0 }),
    ...(format === 'schema' && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'translations', strict: true, schema: ANSWER_SCHEMA },
      },
    }),
    ...(format === 'object' && { response_format: { type: 'json_object' } }),
  };
}
