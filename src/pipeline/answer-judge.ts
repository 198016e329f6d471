import type { Engine, LanguagePair } from '../engines/engine.ts';
import { isAccented } from '../engines/pseudo/pseudo.ts';
import { foreignLanguageOf } from '../languages/foreign-language.ts';
import { sameLanguage } from '../languages/locale.ts';
import { isPhrase, nonsenseIn, plainWords } from '../text/nonsense.ts';
import type { TaggedText } from '../text/tagged.ts';

/** So many different texts have one answer in no translation by people; this long, it is none that many may share. */
const MOST_SHARING = 6;
const LEAST_SHARED = 12;
/** So many phrases that came back as they were, and more than came back in other words, were not translated. */
const MOST_COPIED = 5;

/** What nobody would have answered to a text, seen in all answers of a call together. */
export class AnswerJudge {
  readonly #engine: Pick<Engine, 'isModel'>;
  readonly #target: string;
  readonly #isSame: boolean;
  /** By answer, the texts that have it. */
  readonly #sources = new Map<string, Set<string>>();
  readonly #copied = new Set<string>();
  readonly #translated = new Set<string>();

  /** @param engine who answers */
  constructor(engine: Pick<Engine, 'isModel'>, { source, target }: LanguagePair) {
    this.#engine = engine;
    this.#target = target;
    this.#isSame = sameLanguage(source, target);
  }

  /** Takes note of an answer, before any of the same request is judged. */
  note(text: TaggedText, answer: TaggedText): void {
    const [from, to] = [plainWords(text), plainWords(answer)];
    if (isPhrase(from)) (from === to ? this.#copied : this.#translated).add(from);
    if (to.length < LEAST_SHARED) return;
    const shared = to.toLowerCase();
    const sources = this.#sources.get(shared) ?? new Set();
    this.#sources.set(shared, sources.add(from.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')));
  }

  /** Why an answer is none; undefined: nothing shows that. */
  async problemOf(text: TaggedText, answer: TaggedText): Promise<string | undefined> {
    const { isModel = false } = this.#engine;
    const mayCopy = this.#isSame || !isModel;
    const problem = nonsenseIn(text, answer, { mayCopy });
    if (problem !== undefined) return problem;
    const words = plainWords(answer);
    const sharing = this.#sources.get(words.toLowerCase())?.size ?? 0;
    if (sharing >= MOST_SHARING) return 'the answer is that of many other texts';
    const areCopied = this.#copied.size >= MOST_COPIED && this.#copied.size > this.#translated.size;
    if (!mayCopy && areCopied && this.#copied.has(words) && words === plainWords(text))
      return 'the answer is the source, as are those of other texts';
    // A service may have the pseudo engine, whose letters show another language.
    if (mayCopy || isAccented(plainWords(text), words)) return undefined;
    const language = await foreignLanguageOf(words, this.#target);
    return language === undefined ? undefined : `the answer is in another language (${language})`;
  }
}
