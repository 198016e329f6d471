import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { fieldOf, textOf } from '../../base/json.ts';
import { tokenize, type TaggedText } from '../../text/tagged.ts';
import type { Engine, EngineOutcome, EngineRequest, EngineStatus, SegmentHint } from '../engine.ts';
import type { Detail, Vendor } from '../hosted/vendor.ts';
import { boundHint } from '../hints.ts';
import { sendInBatches } from '../hosted/batches.ts';
import { HostedConnection, type HostedOptions } from '../hosted/connection.ts';
import { Chat } from './chat.ts';
import { ContextWindow, DEFAULT_WINDOW, sizeOf, sizeOfTerms } from './window.ts';

/** The time limit is 600 s by default: of long answers nothing comes before they end. OPENAI_MODEL is read in `env`, too. */
export interface OpenAIOptions extends HostedOptions {
  /** Default: OPENAI_MODEL. */
  readonly model?: string | undefined;
  /** Tokens that the model has for a request and its answer together. Default 16,384. */
  readonly window?: number | undefined;
}

const OPENAI: Vendor = {
  id: 'openai',
  name: 'the chat model',
  keyVariable: 'OPENAI_API_KEY',
  urlVariable: 'OPENAI_BASE_URL',
  defaultUrl: () => 'https://api.openai.com/v1',
};

const TIMEOUT_MS = 600_000;
/** Of one text, in tokens: it is sent alone where it does not fit among others. */
const LONGEST = 30_000;

/**
 * Any server of OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp and others.
 *
 * @throws DragomanError `configuration` without a model, without a key for OpenAI itself, or with an address that
 * cannot be used.
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
      hint: 'Name it in OPENAI_MODEL, or in the configuration as `openai.model`.',
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
  const known = request.texts.map(withoutAsking);
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

function withoutAsking(text: string): EngineOutcome | undefined {
  const tokens = tokenize(text);
  if (!tokens || !text.isWellFormed()) return { failure: 'the text is not well-formed' };
  const hasWords = tokens.some((token) => token.type === 'words' && /\p{L}/u.test(token.text));
  return hasWords ? undefined : { translation: text };
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
    // Some servers have no list of models.
    const answers = error.code === 'not_found' || error.status === 405 || error.status === 501;
    if (!answers) return { id, ready: false, detail: error.message, hint: error.hint, pairs: [] };
  }
  return { id, ready: true, detail, pairs: 'any' };
}

/** What a refusal is about, in the codes and types that servers have for it. */
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
/** Of scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** From so many words on a text says by itself what it means. */
const ENOUGH_WORDS = 4;

/**
 * What of a hint is worth its tokens. Comments and similar translations always are; keys and the texts around it where
 * the text is too short to be clear, and of those around it the ones that are not asked for with it anyway.
 *
 * @param asked the texts of the same request
 */
function contextFor(
  text: TaggedText,
  hint: SegmentHint | undefined,
  asked: ReadonlySet<TaggedText>,
): SegmentHint | undefined {
  if (!hint) return undefined;
  const { keys, comments, similar } = hint;
  const isShort = countWords(text) < ENOUGH_WORDS;
  const neighbours = isShort ? hint.neighbours?.filter((other) => !asked.has(other)) : undefined;
  const context = {
    ...(isShort && keys && { keys }),
    ...(comments && { comments }),
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
