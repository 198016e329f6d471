import { fieldOf, textOf } from '../../base/json.ts';

/** What a model answered, as far as it can be read. */
export interface Answer {
  /** By the numbers of the texts. */
  readonly byId: ReadonlyMap<number, string>;
  /** What is wrong with the answer as a whole; what could be read of it is in `byId` all the same. */
  readonly trouble?: Trouble | undefined;
}

export interface Trouble {
  /** `truncated`: it had no room to end. `refused`: the model declined to translate. */
  readonly kind: 'truncated' | 'refused' | 'unreadable';
  /** One sentence for the user. */
  readonly failure: string;
}

const NOTHING: ReadonlyMap<number, string> = new Map();

const TRUNCATED: Trouble = {
  kind: 'truncated',
  failure: 'the answer of the model has no room for the translation',
};
const REFUSED: Trouble = { kind: 'refused', failure: 'the model refused to translate this text' };
const NO_CONTENT: Trouble = { kind: 'unreadable', failure: 'the answer has no content' };
const NO_JSON: Trouble = { kind: 'unreadable', failure: 'the model answered no JSON of translations' };

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
  // Whoever pays for an answer that breaks off has paid for the entries before the break.
  return { byId: readTranslations(completeEntries(said)), trouble: isCut ? TRUNCATED : NO_JSON };
}

/** An id that occurs twice with different texts is ignored. */
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

/** Models that nothing makes keep to JSON put thoughts before it. Thoughts without an end are all that there is. */
function withoutThoughts(content: string): string {
  const start = content.trimStart();
  if (!start.startsWith('<think>')) return content;
  const end = start.indexOf('</think>');
  return end < 0 ? '' : start.slice(end + '</think>'.length);
}

/** Such models also put a fence around it. */
function findDocument(said: string): unknown {
  const start = said.indexOf('{');
  const end = said.lastIndexOf('}');
  return parse(said) ?? (start >= 0 && end > start ? parse(said.slice(start, end + 1)) : undefined);
}

/** Quotes inside a text are escaped, so that this is where an entry begins. */
const ENTRY = /\{\s*"id"\s*:/g;
/** Behind the last entry that is whole may stand the ends of the list and of the document, or a fence. */
const MOST_ENDS = 3;

/** The entries of an answer that is broken, each by itself: one that cannot be read costs no other. */
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
