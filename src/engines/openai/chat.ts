import { DragomanError } from '../../base/errors.ts';
import { textOf, fieldOf } from '../../base/json.ts';
import type { EngineOutcome } from '../engine.ts';
import { isOfTexts } from '../hosted/batches.ts';
import type { HostedConnection } from '../hosted/connection.ts';
import { ANSWER_SCHEMA, writePrompt, type PromptItem, type Task } from './prompt.ts';
import { type ContextWindow, sizeOf } from './window.ts';

/** How many times a text is sent if the model omits it or its answer is unreadable. */
const MOST_TRIES = 3;
/** A model that omits more than this fraction received too many texts. */
const MOST_LEFT_OUT = 0.1;

/** Translates with a model in batches, and adapts to the requests that it supports. */
export class Chat {
  readonly #connection: HostedConnection;
  readonly #model: string;
  readonly #window: ContextWindow;
  /** The dialect of the first answer; later refusals concern the texts. */
  #dialect: ChatDialect | undefined;

  constructor(connection: HostedConnection, model: string, window: ContextWindow) {
    this.#connection = connection;
    this.#model = model;
    this.#window = window;
  }

  /**
   * One outcome per text. Readable parts of an answer are kept, and missing texts are requested again in smaller
   * batches: as long as this helps if the answer was truncated or the server rejects the batch, up to three times if
   * the model omitted texts or did not return JSON.
   *
   * @throws DragomanError of the requests, unless the texts cause it
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

  /** Adapts the size of batches. */
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
    // A smaller batch may help in both cases; other problems are typical of the model.
    if (kind === 'truncated' || kind === 'refused') {
      if (left.length === asked) return this.#askLess(left, task, signal, { failure, tries });
      return this.#askInParts(left, asked - left.length, task, signal, tries);
    }
    if (asked === 1 || tries >= MOST_TRIES) return left.map(() => ({ failure }));
    return this.#askInParts(left, asked - left.length, task, signal, tries + 1);
  }

  /** The hints may cause a rejection or exceed the limit, so the text is sent without them. */
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
   * Sends halves, or larger parts if as many texts were answered before. Parts fail independently: answers that were
   * paid for are kept.
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
        // Another batch may have determined the dialect meanwhile.
        const next = this.#dialect ?? poorerDialect(dialect, textOf(error.cause, 'parameter'));
        if (!next) throw first;
        dialect = next;
      }
    }
  }
}

interface ChatQuestion {
  /** The number of requested texts. */
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
    : { failure: 'the model returned half a character (a lone surrogate)' };
}

function total(items: readonly PromptItem[]): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

/** Optional parameters that some servers and models reject. */
interface ChatDialect {
  readonly format: 'schema' | 'object' | 'plain';
  readonly temperature: boolean;
}

/** The dialect with all optional parameters. */
const RICHEST: ChatDialect = { format: 'schema', temperature: true };

/**
 * The next simpler dialect after a refusal; undefined after the simplest. The parameter named in a refusal avoids
 * further attempts: reasoning models accept no temperature, and some servers accept no schema, or require it.
 *
 * @param parameter the parameter that the refusal names
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

/** The request fields of the dialect. */
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

/** The readable parts of a model's answer. */
interface Answer {
  /** Translations by the number of their text. */
  readonly byId: ReadonlyMap<number, string>;
  /** The problem with the whole answer; `byId` has its readable part. */
  readonly trouble?: Trouble | undefined;
}

interface Trouble {
  /** `truncated`: cut off at the length limit. `refused`: the model declined to translate. */
  readonly kind: 'truncated' | 'refused' | 'unreadable';
  /** One sentence for the user. */
  readonly failure: string;
}

const NOTHING: ReadonlyMap<number, string> = new Map();

const TRUNCATED: Trouble = {
  kind: 'truncated',
  failure: 'the translation does not fit into the answer of the model',
};
const REFUSED: Trouble = { kind: 'refused', failure: 'the model refused to translate this text' };
const NO_CONTENT: Trouble = { kind: 'unreadable', failure: 'the answer has no content' };
const NO_JSON: Trouble = {
  kind: 'unreadable',
  failure: 'the model did not return a JSON list of translations',
};

/** @param completion the body of a chat completion */
function readAnswer(completion: unknown): Answer {
  const choices = fieldOf(completion, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = fieldOf(choice, 'message');
  const reason = fieldOf(choice, 'finish_reason');
  if (reason === 'content_filter' || textOf(message, 'refusal') !== undefined) {
    return { byId: NOTHING, trouble: REFUSED };
  }
  const isCut = reason === 'length';
  const content = textOf(message, 'content');
  if (content === undefined) return { byId: NOTHING, trouble: isCut ? TRUNCATED : NO_CONTENT };
  const answer = withoutThoughts(content);
  const translations = fieldOf(findDocument(answer), 'translations');
  if (Array.isArray(translations)) {
    return { byId: readTranslations(translations), ...(isCut && { trouble: TRUNCATED }) };
  }
  // The complete entries of a truncated answer have been paid for, so they are kept.
  return { byId: readTranslations(completeEntries(answer)), trouble: isCut ? TRUNCATED : NO_JSON };
}

/** Ignores an id that has different texts. */
function readTranslations(translations: Iterable<unknown>): ReadonlyMap<number, string> {
  const byId = new Map<number, string>();
  const doubtful = new Set<number>();
  for (const item of translations) {
    const id = Number(fieldOf(item, 'id'));
    const text = fieldOf(item, 'text');
    if (typeof text !== 'string' || !Number.isInteger(id)) continue;
    if (byId.has(id) && byId.get(id) !== text) doubtful.add(id);
    byId.set(id, text);
  }
  for (const id of doubtful) byId.delete(id);
  return byId;
}

/**
 * Models that are not restricted to JSON precede it with reasoning. If the reasoning does not end, returns an empty
 * text.
 */
function withoutThoughts(content: string): string {
  const start = content.trimStart();
  if (!start.startsWith('<think>')) return content;
  const end = start.indexOf('</think>');
  return end < 0 ? '' : start.slice(end + '</think>'.length);
}

/** Models without such a restriction also enclose the JSON in a code fence. */
function findDocument(answer: string): unknown {
  const start = answer.indexOf('{');
  const end = answer.lastIndexOf('}');
  return parse(answer) ?? (start >= 0 && end > start ? parse(answer.slice(start, end + 1)) : undefined);
}

/** Quotes inside a text are escaped, so this only matches the start of an entry. */
const ENTRY = /\{\s*"id"\s*:/g;
/**
 * The maximum number of closing brackets and fences after the last complete entry: those of the list, the document and
 * the code block.
 */
const MOST_ENDS = 3;

/** The entries of a malformed answer, parsed one by one: a malformed entry does not affect the others. */
function* completeEntries(answer: string): Generator {
  const starts = [...answer.matchAll(ENTRY)].map((match) => match.index);
  for (const [i, start] of starts.entries()) {
    const next = starts[i + 1] ?? answer.length;
    let end = answer.lastIndexOf('}', next - 1);
    for (let tries = 0; tries < MOST_ENDS && end > start; tries++) {
      const entry = parse(answer.slice(start, end + 1));
      if (entry !== undefined) {
        yield entry;
        break;
      }
      end = answer.lastIndexOf('}', end - 1);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
