import { fieldOf, textOf } from '../../base/json.ts';

/** What a model answered, as far as it can be read. */
export type Answer =
  | { readonly kind: 'translations'; readonly byId: ReadonlyMap<number, string> }
  /** It had no room to end. */
  | { readonly kind: 'truncated' }
  /** It does not want to, or must not. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** @param completion the body of a chat completion */
export function readAnswer(completion: unknown): Answer {
  const choices = fieldOf(completion, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = fieldOf(choice, 'message');
  const reason = fieldOf(choice, 'finish_reason');
  if (reason === 'length') return { kind: 'truncated' };
  if (reason === 'content_filter' || textOf(message, 'refusal') !== undefined) return { kind: 'refused' };
  const content = textOf(message, 'content');
  if (content === undefined) return { kind: 'unreadable', problem: 'the answer has no content' };
  const document = findDocument(content);
  const translations = fieldOf(document, 'translations');
  if (!Array.isArray(translations)) {
    return { kind: 'unreadable', problem: 'the model answered no JSON of translations' };
  }
  return { kind: 'translations', byId: readTranslations(translations) };
}

/** An id that is there twice with different texts is nobody's. */
function readTranslations(translations: readonly unknown[]): ReadonlyMap<number, string> {
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

/** Models that nothing makes keep to JSON put thoughts before it and a fence around it. */
function findDocument(content: string): unknown {
  const said = content.replace(/^\s*<think>[\s\S]*?<\/think>/, '');
  const start = said.indexOf('{');
  const end = said.lastIndexOf('}');
  return parse(said) ?? (start >= 0 && end > start ? parse(said.slice(start, end + 1)) : undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
