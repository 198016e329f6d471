import {
  shout,
  startVendor,
  type VendorAnswer,
  type VendorRequest,
  type VendorServer,
} from './vendor-server.ts';

export const OPENAI_KEY = 'sk-secretsecretsecret';

export interface ModelBehaviour {
  /** Values of `response_format.type` that the server accepts; without any, it accepts plain requests, too. */
  readonly formats?: readonly string[];
  readonly temperature?: boolean;
  /** The maximum number of texts that fit into its answer. */
  readonly room?: number;
  /** The maximum number of texts that fit into its window. */
  readonly window?: number;
  /** Texts that it omits the first time. */
  readonly forgets?: RegExp;
  /** Texts that it refuses to translate. */
  readonly refuses?: RegExp;
  /** The maximum number of characters, in all messages together, that fit into its window. */
  readonly budget?: number;
  /** Words that it refuses anywhere in the messages. */
  readonly refusesPrompt?: RegExp;
  /** Text around its JSON if no structured output is requested. */
  readonly chatter?: (json: string) => string;
  /** Its answer to a text. Default: the text in capitals. */
  readonly says?: (text: string) => string;
}

interface Text {
  readonly id: number;
  readonly text: string;
}

/** A chat completions server with a model that follows most instructions. */
export function startOpenAI(behaviour: ModelBehaviour = {}): Promise<VendorServer> {
  const seen = new Set<string>();
  return startVendor({
    isTranslation: ({ path }) => path === '/v1/chat/completions',
    answer: (request) => answer(request, behaviour, seen),
  });
}

function answer(
  { path, headers, body }: VendorRequest,
  model: ModelBehaviour,
  seen: Set<string>,
): VendorAnswer {
  if (headers.authorization !== `Bearer ${OPENAI_KEY}`) {
    return refuse(401, 'Incorrect API key provided.', { code: 'invalid_api_key' });
  }
  if (path === '/v1/models') return { status: 200, body: { data: [{ id: 'model' }] } };
  const { response_format: format, temperature } = body as {
    response_format?: { type: string };
    temperature?: number;
  };
  const formats = model.formats ?? ['json_schema', 'json_object'];
  if (format && !formats.includes(format.type)) {
    return refuse(400, 'This response_format type is unavailable now', { type: 'invalid_request_error' });
  }
  if (temperature !== undefined && model.temperature === false) {
    return refuse(400, "Unsupported value: 'temperature' does not support 0 with this model.", {
      param: 'temperature',
      code: 'unsupported_value',
    });
  }
  const messages = body['messages'] as { role: string; content: string }[];
  const prompt = messages.map(({ content }) => content).join('\n');
  const { texts } = JSON.parse(messages.at(-1)?.content ?? '') as { texts: Text[] };
  if (texts.length > (model.window ?? Infinity) || prompt.length > (model.budget ?? Infinity)) {
    return refuse(400, "This model's maximum context length is 4096 tokens.", {
      code: 'context_length_exceeded',
    });
  }
  if (texts.length > (model.room ?? Infinity)) return complete('{"translations":[{"id":1,"te', 'length');
  const isRefused = texts.some(({ text }) => model.refuses?.test(text));
  if (isRefused || model.refusesPrompt?.test(prompt)) {
    return { status: 200, body: { choices: [{ finish_reason: 'stop', message: { refusal: 'I cannot.' } }] } };
  }
  const translations = texts
    .filter(({ text }) => {
      if (!model.forgets?.test(text) || seen.has(text)) return true;
      seen.add(text);
      return false;
    })
    .map(({ id, text }) => ({ id, text: model.says?.(text) ?? shout(text, /(?!)/) }));
  const json = JSON.stringify({ translations });
  return complete(format || !model.chatter ? json : model.chatter(json), 'stop');
}

function complete(content: string, reason: string): VendorAnswer {
  return {
    status: 200,
    body: { choices: [{ finish_reason: reason, message: { role: 'assistant', content } }] },
  };
}

function refuse(status: number, message: string, rest: object): VendorAnswer {
  return { status, body: { error: { message, param: null, ...rest } } };
}
