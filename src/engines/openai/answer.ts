import { fieldOf, textOf } from '../../base/json.ts';

/** A model's answer, as far as it is readable. */
export interface Answer {
  /** Translations by the number of their text. */
  readonly byId: ReadonlyMap<number, string>;
  /** The problem with the whole answer; `byId` has its readable part. */
  readonly trouble?: Trouble | undefined;
}

export interface Trouble {
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
export function readAnswer(completion: unknown): Answer {
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
  const said = withoutThoughts(content);
  const translations = fieldOf(findDocument(said), 'translations');
  if (Array.isArray(translations)) {
    return { byId: readTranslations(translations), ...(isCut && { trouble: TRUNCATED }) };
  }
  // The complete entries of a truncated answer have been paid for, so they are kept.
  return { byId: readTranslations(completeEntries(said)), trouble: isCut ? TRUNCATED : NO_JSON };
}

/** An id with different texts is ignored. */
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

/** Models that are not restricted to JSON precede it with reasoning. Unclosed reasoning leaves nothing. */
function withoutThoughts(content: string): string {
  const start = content.trimStart();
  if (!start.startsWith('<think>')) return content;
  const end = start.indexOf('</think>');
  return end < 0 ? '' : start.slice(end + '</think>'.length);
}

/** Such models also enclose it in a code fence. */
function findDocument(said: string): unknown {
  const start = said.indexOf('{');
  const end = said.lastIndexOf('}');
  return parse(said) ?? (start >= 0 && end > start ? parse(said.slice(start, end + 1)) : undefined);
}

/** Quotes inside a text are escaped, so this only matches the start of an entry. */
const ENTRY = /\{\s*"id"\s*:/g;
/** After the last complete entry, the ends of the list and document, or a fence, may follow. */
const MOST_ENDS = 3;

/** The entries of a malformed answer, parsed one by one: a malformed entry does not affect the others. */
function* completeEntries(said: string): Generator {
  const starts = [...said.matchAll(ENTRY)].map((match) => match.index);
  for (const [i, start] of starts.entries()) {
    const next = starts[i + 1] ?? said.length;
    let end = said.lastIndexOf('}', next - 1);
    for (let tries = 0; tries < MOST_ENDS && end > start; tries++) {
      const entry = parse(said.slice(start, end + 1));
      if (entry !== undefined) {
        yield entry;
        break;
      }
      end = said.lastIndexOf('}', end - 1);
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
