const ONSETS = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'pr',
  'st',
  'tr',
  'con',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'io'];
const CODAS = ['', '', '', 'n', 'r', 's', 't', 'l', 'm', 'nt'];
const FORMS = ['', '', '', '', 's', 'ed', 'ing', 'er'];
const ENDS = ['', '', '', '.', '.', '!', '?', ':', '…'];
const VOCABULARY = 20_000;
const PROJECTS = ['app', 'web', 'admin', 'docs', 'mail', 'shop'];

/** An entry of a translation memory with typical program texts. */
export interface InterfaceString {
  readonly text: string;
  readonly translation: string;
  readonly placeholders: readonly string[];
  readonly context: string;
}

/**
 * Texts like those in programs, the same in every run: few words, some of them very frequent and most rare (Zipf),
 * placeholders, punctuation, and some near-duplicates.
 */
export class InterfaceStrings {
  #state = 20_261_122;
  #count = 0;
  readonly #words: readonly string[];
  readonly #earlier: (readonly string[])[] = [];

  constructor() {
    this.#words = Array.from({ length: VOCABULARY }, (_, rank) => this.#newWord(rank));
  }

  next(): InterfaceString {
    const words = this.#draw() < 0.15 && this.#earlier.length > 0 ? this.#variation() : this.#sentence();
    // Keeps enough sentences for variety; keeping all would dominate the measured memory.
    this.#earlier[this.#count % 10_000] = words;
    this.#count++;
    const text = `${words.join(' ')}${this.#pick(ENDS)}`;
    const ids = [...text.matchAll(/<x id="(\d+)"\/>/g)].map(([, id]) => id ?? '');
    return {
      text,
      translation: text.replaceAll(/[aeiou]/g, (vowel) => `${vowel}${vowel}`),
      placeholders: ids.map((id) => `name${id}`),
      context: `${this.#pick(PROJECTS)}\u001fpage${Math.floor(this.#draw() * 500)}\u001fkey${this.#count}`,
    };
  }

  /** The text with one word changed, added or omitted. */
  variationOf(text: string): string {
    return this.#vary(text.split(' ')).join(' ');
  }

  #sentence(): readonly string[] {
    // One to fourteen words, five and a half on average.
    const length = 1 + Math.floor(this.#draw() * 7 + this.#draw() * this.#draw() * 8);
    const words = Array.from({ length }, () => this.#word());
    if (this.#draw() < 0.25) words[Math.floor(this.#draw() * words.length)] = '<x id="1"/>';
    const [first = '', ...others] = words;
    return [first.startsWith('<') ? first : first.charAt(0).toUpperCase() + first.slice(1), ...others];
  }

  #variation(): readonly string[] {
    return this.#vary(this.#pick(this.#earlier));
  }

  #vary(words: readonly string[]): readonly string[] {
    const at = Math.floor(this.#draw() * words.length);
    const kind = this.#draw();
    if (kind < 0.2) return words.toSpliced(at, 0, this.#word());
    if (kind < 0.4 && words.length > 1) return words.toSpliced(at, 1);
    return words.toSpliced(at, 1, this.#word());
  }

  #word(): string {
    const rank = Math.floor(VOCABULARY ** this.#draw()) - 1;
    return `${this.#words[rank] ?? ''}${rank < 100 ? '' : this.#pick(FORMS)}`;
  }

  /** Frequent words are short. */
  #newWord(rank: number): string {
    let word = '';
    for (let left = 1 + Math.floor(Math.log10(rank + 1) * 0.8); left > 0; left--) {
      word += this.#pick(ONSETS) + this.#pick(VOWELS) + this.#pick(CODAS);
    }
    return word;
  }

  #pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.#draw() * list.length)];
    if (picked === undefined) throw new Error('nothing to choose from');
    return picked;
  }

  #draw(): number {
    // A linear congruential generator is random enough for words.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}
