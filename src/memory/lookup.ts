import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { MemoryMessage, MemoryTranslation } from '../pipeline/memory.ts';
import { BEST_CONTEXT, FOUND, FOUND_SHAPE, foundOf, type FoundTranslation, isBetterMatch } from './found.ts';
import type { MemoryIds } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import type { MessageNumbers } from './messages.ts';
import { MessageKey, NAME, splitSegments, areStorable } from './message-key.ts';
import type { Uses } from './uses.ts';
import { comparableOf } from './comparable.ts';
import type { SimilarIndex } from './similar-index.ts';
import { compare, LEAST_SIMILARITY, MOST_SIMILARITY } from './similarity.ts';

/** The parts of a memory needed for lookups. */
export interface MemoryLookup {
  readonly file: MemoryFile;
  readonly ids: MemoryIds;
  readonly messages: MessageNumbers;
  readonly uses: Uses;
  /** The numbers of the projects, each of which is searched separately. */
  readonly projects: readonly number[];
}

const JOINED = `
  and m.source = ?
  join translations as t
    on t.message = m.id and t.pair = ? and t.project = ? and t.context = (${BEST_CONTEXT})`;

const BY_HASHES = `
  select ${FOUND}, ${NAME} from json_each(?) as wanted
  cross join messages as m on m.hash = wanted.value ${JOINED}`;

const BY_HASH = `
  select ${FOUND}, ${NAME} from (select ? as value) as wanted
  cross join messages as m on m.hash = wanted.value ${JOINED}`;

const IN_CONTEXT = `
  select ${FOUND} from (
    select value ->> 0 as message, value ->> 1 as context from json_each(?)
  ) as wanted
  cross join translations as t
    on t.message = wanted.message and t.pair = ? and t.project = ? and t.context = wanted.context`;

/** The best translation of each message. */
export function findExact(
  messages: readonly MemoryMessage[],
  pair: LanguagePair,
  lookup: MemoryLookup,
): readonly (MemoryTranslation | undefined)[] {
  const pairId = lookup.ids.findPair(pair);
  if (pairId === undefined) return messages.map(() => undefined);
  const keys = messages.map((message) => new MessageKey(message, pair.source));
  const isWanted = lookup.messages.chooseTranslated(keys, pair.source, pairId);
  const wanted = keys.flatMap((key, i) =>
    isWanted[i] === true ? [{ key, context: messages[i]?.context ?? '' }] : [],
  );
  const found = wanted.length === 0 ? [] : findWanted(wanted, { ...pair, pairId }, lookup);
  let next = 0;
  return isWanted.map((is) => (is ? found[next++] : undefined));
}

interface WantedMessage {
  readonly key: MessageKey;
  readonly context: string;
}

function findWanted(
  wanted: readonly WantedMessage[],
  pair: LanguagePair & { readonly pairId: number },
  { file, ids, uses, projects }: MemoryLookup,
): readonly (MemoryTranslation | undefined)[] {
  const { pairId } = pair;
  const keys = wanted.map(({ key }) => key);
  const contexts = wanted.map(({ context }) => context);
  const byProject = projects.map((project) =>
    findInProject(keys, contexts, { file, source: pair.source, pair: pairId, project }),
  );
  return contexts.map((context, i) => {
    const found = byProject.reduce<FoundTranslation | undefined>(
      (best, all) => better(all[i], best, context),
      undefined,
    );
    if (!found) return undefined;
    uses.note(found, pairId);
    return {
      translations: splitSegments(found.translation),
      origin: found.isHuman ? 'human' : 'machine',
      ...(found.engine !== null && { engine: ids.engineName(found.engine) }),
    };
  });
}

/** The language pair and projects of a lookup. */
interface Scope {
  readonly file: MemoryFile;
  readonly source: string;
  readonly pair: number;
  readonly project: number;
}

function findInProject(
  keys: readonly MessageKey[],
  contexts: readonly string[],
  scope: Scope,
): readonly (FoundTranslation | undefined)[] {
  const bestByName = findBest(keys, scope);
  const best = keys.map(({ name }) => bestByName.get(name));
  // Only a translation in the same context can outrank the best one of all contexts, so no others need to be read.
  const others = best.flatMap((found, i): MessageInContext[] => {
    const context = contexts[i] ?? '';
    return found && found.context !== context ? [[found.message, context]] : [];
  });
  const inContext = findInContext(others, scope);
  return best.map((found, i) => {
    const context = contexts[i] ?? '';
    return found && better(inContext.get(placeName([found.message, context])), found, context);
  });
}

function better(
  a: FoundTranslation | undefined,
  b: FoundTranslation | undefined,
  context: string,
): FoundTranslation | undefined {
  return a && (!b || isBetterMatch(a, b, context)) ? a : b;
}

/** The best translation of each message in all contexts. */
function findBest(
  keys: readonly MessageKey[],
  { file, source, pair, project }: Scope,
): ReadonlyMap<string, FoundTranslation> {
  const [only] = keys;
  const wanted = keys.length === 1 && only ? only.hash : JSON.stringify(keys.map(({ hash }) => hash));
  const rows = file.rows(
    typeof wanted === 'number' ? BY_HASH : BY_HASHES,
    [...FOUND_SHAPE, 'text'],
    [wanted, source, pair, project, pair, project],
  );
  const best = new Map<string, FoundTranslation>();
  for (const row of rows) {
    const [message, context, translation, isHuman, engine, changed, used, name] = row;
    best.set(name, foundOf([message, context, translation, isHuman, engine, changed, used], project));
  }
  return best;
}

type MessageInContext = readonly [message: number, context: string];

function placeName([message, context]: MessageInContext): string {
  return `${message} ${context}`;
}

function findInContext(
  places: readonly MessageInContext[],
  { file, pair, project }: Scope,
): ReadonlyMap<string, FoundTranslation> {
  if (places.length === 0) return new Map();
  const rows = file.rows(IN_CONTEXT, FOUND_SHAPE, [JSON.stringify(places), pair, project]);
  return new Map(rows.map((row) => [placeName([row[0], row[1]]), foundOf(row, project)]));
}

/** Only this many of the most promising texts are compared: enough unless thousands of texts are nearly equal. */
const MOST_CANDIDATES = 2_000;
const AT_ONCE = 50;

const BY_ID = `
  select ${FOUND}, m.segments, ${NAME} from json_each(?) as wanted
  cross join messages as m on m.id = wanted.value
  join translations as t
    on t.message = m.id and t.pair = ? and t.project = ? and t.context = (${BEST_CONTEXT})`;

/** The translations of the texts most similar to a message. */
export function findAlike(
  message: MemoryMessage,
  pair: LanguagePair,
  most: number,
  { file, ids, index, uses, projects }: MemoryLookup & { readonly index: SimilarIndex },
): readonly SimilarTranslation[] {
  const pairId = ids.findPair(pair);
  const [only, ...others] = message.segments;
  if (only === undefined || others.length > 0 || !areStorable(message.segments)) return [];
  if (pairId === undefined || most <= 0) return [];
  const key = new MessageKey(message, pair.source);
  const text = comparableOf(key.segments);
  const candidates = index.candidates(text, pair.source, MOST_CANDIDATES);
  let best: readonly Alike[] = [];
  for (let i = 0; i < candidates.length; i += AT_ONCE) {
    const some = candidates.slice(i, i + AT_ONCE);
    const worst = best.length < most ? 0 : (best.at(-1)?.similarity ?? 0);
    // Candidates are sorted by their highest possible similarity.
    if ((some[0]?.mostSimilarity ?? 0) < worst) break;
    const wanted = JSON.stringify(some.map((candidate) => candidate.message));
    const alike = projects.flatMap((project) => {
      const parameters = [wanted, pairId, project, pairId, project];
      return file.rows(BY_ID, [...FOUND_SHAPE, 'text', 'text'], parameters).flatMap((row): Alike[] => {
        const [id, context, translation, isHuman, engine, changed, used, source, name] = row;
        if (name === key.name) return [];
        const similarity = Math.min(MOST_SIMILARITY, compare(text, comparableOf(source)));
        if (similarity < LEAST_SIMILARITY) return [];
        const found = foundOf([id, context, translation, isHuman, engine, changed, used], project);
        return [{ found, source, similarity }];
      });
    });
    best = bestOf([...best, ...alike], message.context).slice(0, most);
  }
  return best.map(({ found, source, similarity }) => {
    uses.note(found, pairId);
    return { source, translation: found.translation, similarity };
  });
}

interface Alike {
  readonly found: FoundTranslation;
  readonly source: string;
  readonly similarity: number;
}

/** The best translation of each text, the most similar text first; the order is deterministic. */
function bestOf(alike: readonly Alike[], context: string): readonly Alike[] {
  const bySource = new Map<string, Alike>();
  for (const one of alike) {
    const known = bySource.get(one.source);
    if (!known || isBetterMatch(one.found, known.found, context)) bySource.set(one.source, one);
  }
  return [...bySource.values()].sort(
    (a, b) => b.similarity - a.similarity || a.found.message - b.found.message,
  );
}
