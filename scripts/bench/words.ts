const SUBJECTS = [
  'The file',
  'Your account',
  'This project',
  'The server',
  'A new version',
  'The selected image',
];
const VERBS = ['could not open', 'will replace', 'has changed', 'is waiting for', 'needs', 'shows'];
const OBJECTS = [
  'the old settings',
  'your password',
  'three messages',
  'the main window',
  'every document',
  'a name',
];
const ENDS = [
  'on this computer',
  'before the next start',
  'again',
  'in the list below',
  'without a connection',
  'now',
];
const NAMES = [
  'Madrid',
  'the blue house',
  'my sister',
  'the second page',
  'a green button',
  'the garden',
  'Peter',
];

/** Sentences like those in programs, the same in every run. No two are equal. */
export class Sentences {
  #state = 20_260_101;
  #count = 0;

  next(): string {
    this.#count++;
    const parts = [this.#pick(SUBJECTS), this.#pick(VERBS), this.#pick(OBJECTS), this.#pick(ENDS)];
    return `${parts.join(' ')} for ${this.#pick(NAMES)}, number ${this.#count}.`;
  }

  #pick(words: readonly string[]): string {
    // A linear congruential generator is random enough for words.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor((this.#state / 2 ** 32) * words.length)] ?? '';
  }
}
