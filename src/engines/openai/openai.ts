import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { fieldOf, textOf } from '../../base/json.ts';
import type { TaggedText } from '../../text/tagged.ts';
import type { Engine, EngineOutcome, EngineRequest, EngineStatus, SegmentHint } from '../engine.ts';
import type { Detail, Provider } from '../hosted/provider.ts';
import { boundHint } from '../hints.ts';
import { outcomeWithoutAsking } from '../lines.ts';
import { sendInBatches } from '../hosted/batches.ts';
import { HostedConnection, type HostedOptions } from '../hosted/connection.ts';
import { Chat } from './chat.ts';
import { ContextWindow, DEFAULT_WINDOW, sizeOf, sizeOfTerms } from './window.ts';

/** The time limit is 600 s by default, because long answers only arrive when complete. `env` also has OPENAI_MODEL. */
export interface OpenAIOptions extends HostedOptions {
  /** Default: OPENAI_MODEL. */
  readonly model?: string | undefined;
  /** The model's limit for a request and its answer, in tokens. Default 16,384. */
  readonly window?: number | undefined;
}

const OPENAI: Provider = {
  id: 'openai',
  name: 'the chat model',
  keyVariable: 'OPENAI_API_KEY',
  urlVariable: 'OPENAI_BASE_URL',
  defaultUrl: () => 'https://api.openai.com/v1',
};

const TIMEOUT_MS = 600_000;
/** The limit for one text, in tokens: it is sent alone if it does not fit with others. */
const LONGEST = 30_000;

/**
 * Any server with OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp and others.
 *
 * @throws DragomanError `configuration` without a model, without a key for OpenAI itself, or for an unusable address
 */
export function createOpenAIEngine({
  model,
  window: tokens = DEFAULT_WINDOW,
  timeoutMs = TIMEOUT_MS,
  graceMs,
  env,
  clock,
}: OpenAIOptions): Engine {
  const connection = new HostedConnection(
    OPENAI,
    { timeoutMs, graceMs, env, clock },
    { keyHeaders: (key) => ({ authorization: `Bearer ${key}` }), readDetail },
  );
  const name = model ?? (env['OPENAI_MODEL'] || undefined);
  if (name === undefined) {
    throw new DragomanError('configuration', 'the openai engine has no model', {
      hint: 'Set OPENAI_MODEL, or `openai.model` in the configuration.',
    });
  }
  const window = new ContextWindow(tokens);
  const chat = new Chat(connection, name, window);
  return {
    id: OPENAI.id,
    uses: { hints: true, similar: true, terms: true },
    isModel: true,
    batch: window.batch,
    status: (signal) => readStatus(connection, `${name} at ${connection.access.base.host}`, signal),
    supports: () => Promise.resolve(true),
    modelFor: () => Promise.resolve(name),
    translate: (request, signal) => translate(chat, window, request, signal),
    close: () => connection.close(),
  };
}

async function translate(
  chat: Chat,
  window: ContextWindow,
  request: EngineRequest,
  signal: AbortSignal,
): Promise<readonly EngineOutcome[]> {
  throwIfAborted(signal);
  const known = request.texts.map(outcomeWithoutAsking);
  const asked = new Set(request.texts);
  const items = request.texts.map((text, i) => ({
    text,
    hint: contextFor(text, boundHint(request.hints?.[i]), asked),
  }));
  const answers = await sendInBatches(
    items.filter((_, i) => known[i] === undefined),
    { texts: window.texts, size: window.beside(sizeOfTerms(request.terms)), longest: LONGEST },
    sizeOf,
    (batch) => chat.translate(batch, request, signal),
    signal,
  );
  const rest = answers.values();
  return known.map((outcome) => outcome ?? rest.next().value ?? { failure: 'the model gave no answer' });
}

async function readStatus(
  connection: HostedConnection,
  detail: string,
  signal: AbortSignal = connection.closing,
): Promise<EngineStatus> {
  const { id } = OPENAI;
  try {
    await connection.send({ method: 'GET', path: '/models', signal });
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code === 'interrupted') throw error;
    // Some servers cannot list models.
    const answers = error.code === 'not_found' || error.status === 405 || error.status === 501;
    if (!answers) return { id, ready: false, detail: error.message, hint: error.hint, pairs: [] };
  }
  return { id, ready: true, detail, pairs: 'any' };
}

/** Our error codes for the codes and types that servers report. */
const CODES: Readonly<Record<string, DragomanError['code']>> = {
  insufficient_quota: 'insufficient_credits',
  billing_hard_limit_reached: 'insufficient_credits',
  context_length_exceeded: 'limit_exceeded',
  exceed_context_size_error: 'limit_exceeded',
  invalid_api_key: 'unauthenticated',
};

function readDetail(_: number, body: unknown): Detail {
  const error = fieldOf(body, 'error') ?? body;
  const names = [textOf(error, 'code'), textOf(error, 'type')].filter((name) => name !== undefined);
  const known = names.find((name) => Object.hasOwn(CODES, name));
  return {
    message: typeof error === 'string' ? error : (textOf(error, 'message') ?? textOf(error, 'detail')),
    code: known === undefined ? undefined : CODES[known],
    parameter: textOf(error, 'param'),
  };
}

const TAG = /<[^>]*>|&[a-z]+;/g;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** A text with this many words is clear without context. */
const ENOUGH_WORDS = 4;

/**
 * The parts of a hint that are worth their tokens: always comments, limits and similar translations; keys and neighbouring
 * texts only if the text is too short to be clear, and no neighbours that are in the same request.
 *
 * @param asked the texts of the same request
 */
function contextFor(
  text: TaggedText,
  hint: SegmentHint | undefined,
  asked: ReadonlySet<TaggedText>,
): SegmentHint | undefined {
  if (!hint) return undefined;
  const { keys, comments, limit, similar } = hint;
  const isShort = countWords(text) < ENOUGH_WORDS;
  const neighbours = isShort ? hint.neighbours?.filter((other) => !asked.has(other)) : undefined;
  const context = {
    ...(isShort && keys && { keys }),
    ...(comments && { comments }),
    ...(limit && { limit }),
    ...(neighbours && neighbours.length > 0 && { neighbours }),
    ...(similar && { similar }),
  };
  return Object.keys(context).length === 0 ? undefined : context;
}

/** Two characters of a script without spaces count as a word. */
function countWords(text: TaggedText): number {
  const words = text.replace(TAG, ' ');
  return (words.match(WORD)?.length ?? 0) + (words.match(UNSPACED)?.length ?? 0) / 2;
}
