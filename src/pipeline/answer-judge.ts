import type { Engine, LanguagePair } from '../engines/engine.ts';
import { isAccented } from '../engines/pseudo/pseudo.ts';
import { foreignLanguageOf } from '../languages/foreign-language.ts';
import { sameLanguage } from '../languages/locale.ts';
import { isPhrase, nonsenseIn, plainWords } from '../text/nonsense.ts';
import type { TaggedText } from '../text/tagged.ts';

/**
 * If more than this many different texts get the same answer of at least this length, the answer is not a translation.
 */
const MOST_SHARING = 6;
const LEAST_SHARED = 12;
/**
 * If at least this many phrases are unchanged, and they outnumber the changed ones, every unchanged text is considered
 * untranslated.
 */
const MOST_COPIED = 5;

/** Detects answers that cannot be translations, from all answers of a call together. */
export class AnswerJudge {
  readonly #target: string;
  /** Whether an answer may repeat its text. */
  readonly #mayCopy: boolean;
  /** The text of each answer, or the bare letters of its texts if there are several. */
  readonly #sources = new Map<string, string | Set<string>>();
  readonly #copied = new Set<string>();
  readonly #translated = new Set<string>();

  /** @param engine the engine that answers */
  constructor(engine: Pick<Engine, 'isModel'>, { source, target }: LanguagePair) {
    this.#target = target;
    this.#mayCopy = sameLanguage(source, target) || engine.isModel !== true;
  }

  /** Records an answer. Record all answers of a request before judging any. */
  note(text: TaggedText, answer: TaggedText): void {
    const [from, to] = [plainWords(text), plainWords(answer)];
    if (!this.#mayCopy && isPhrase(from)) (from === to ? this.#copied : this.#translated).add(from);
    if (to.length < LEAST_SHARED) return;
    const shared = to.toLowerCase();
    const known = this.#sources.get(shared);
    // Few answers are shared, so the sets are created on demand.
    if (known === undefined) this.#sources.set(shared, from);
    else if (typeof known === 'object') known.add(lettersOf(from));
    else if (known !== from) this.#sources.set(shared, new Set([lettersOf(known), lettersOf(from)]));
  }

  /** Why an answer is not a translation; undefined if it may be one. */
  async problemOf(text: TaggedText, answer: TaggedText): Promise<string | undefined> {
    const mayCopy = this.#mayCopy;
    const problem = nonsenseIn(text, answer, { mayCopy });
    if (problem !== undefined) return problem;
    const words = plainWords(answer);
    const sharing = this.#sources.get(words.toLowerCase());
    if (typeof sharing === 'object' && sharing.size >= MOST_SHARING)
      return 'many other texts got the same answer';
    const areCopied = this.#copied.size >= MOST_COPIED && this.#copied.size > this.#translated.size;
    if (!mayCopy && areCopied && words === plainWords(text) && /\p{L}/u.test(words))
      return 'the answer repeats the source, as for other texts';
    // A service may use the pseudo engine, whose letters look like another language.
    if (mayCopy || isAccented(plainWords(text), words)) return undefined;
    const language = await foreignLanguageOf(words, this.#target);
    return language === undefined ? undefined : `the answer is in another language (${language})`;
  }
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
