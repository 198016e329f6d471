import type { Engine, EngineOutcome } from '../../engines/engine.ts';
import { reconcile } from '../../text/reconcile.ts';
import { tokenize, type TaggedText } from '../../text/tagged.ts';

/** What an engine answered by itself, before anything was repaired or asked again, and how long it took. */
export class EngineWatch {
  readonly #now: () => number;
  /** Of the texts with placeholders: whether the first answer had them as they were. */
  readonly #exact = new Map<TaggedText, boolean>();
  #words = 0;
  #busyMs = 0;
  #underWay = 0;
  #since = 0;

  /** @param now milliseconds; never goes back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The same engine, watched; so is what it has next. It is closed as the engine itself is. */
  watch(engine: Engine): Engine {
    const next = engine.next && this.watch(engine.next);
    return {
      id: engine.id,
      uses: engine.uses,
      isPseudo: engine.isPseudo,
      batch: engine.batch,
      ...(next && { next }),
      status: (signal) => engine.status(signal),
      // Asked for every pair: a text that is kept because the engine lacks the pair says nothing of the engine.
      supports: () => Promise.resolve(true),
      translate: async (request, signal) => {
        this.#begin();
        try {
          const outcomes = await engine.translate(request, signal);
          for (const [i, text] of request.texts.entries()) this.#add(text, outcomes[i]);
          return outcomes;
        } finally {
          this.#end();
        }
      },
      close: () => engine.close(),
    };
  }

  /** Whether the first answer to a text had its placeholders as they were. One without an answer had not. */
  isExact(text: TaggedText): boolean {
    return this.#exact.get(text) === true;
  }

  /** Of the texts that were answered, while at least one call was under way; undefined before there is any. */
  get wordsPerSecond(): number | undefined {
    return this.#words === 0 || this.#busyMs === 0 ? undefined : (this.#words / this.#busyMs) * 1000;
  }

  #begin(): void {
    if (this.#underWay++ === 0) this.#since = this.#now();
  }

  #end(): void {
    if (--this.#underWay === 0) this.#busyMs += this.#now() - this.#since;
  }

  #add(text: TaggedText, outcome: EngineOutcome | undefined): void {
    const translation = outcome && 'translation' in outcome ? outcome.translation : undefined;
    if (translation !== undefined) this.#words += countWords(text);
    if (!hasPlaceholders(text) || this.#exact.has(text)) return;
    const result = translation === undefined ? undefined : reconcile(text, translation);
    this.#exact.set(text, result?.ok === true && !result.repaired);
  }
}

/** Placeholders proper, and pairs of tags around words. */
export function hasPlaceholders(text: TaggedText): boolean {
  return text.includes('<x id="');
}

// Also of languages that put no space between words.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

function countWords(tagged: TaggedText): number {
  let count = 0;
  for (const token of tokenize(tagged) ?? []) {
    if (token.type !== 'words') continue;
    for (const { isWordLike } of segmenter.segment(token.text)) if (isWordLike) count++;
  }
  return count;
}
