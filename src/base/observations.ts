import { digestOf, type Digest } from './digest.ts';

/** What is asked of a path: see `base/file-facts`, `base/bounded-read` and `base/file-head`. */
export type Question =
  | 'type'
  | 'entry'
  | 'exposure'
  | 'real'
  | 'list'
  | 'bytes'
  /** Of a file that is no symbolic link. */
  | 'own'
  /** The beginning of a file, of so many bytes. */
  | `head ${number}`;

/** A question to the file system: what is asked, and of which absolute path. */
export type Asked = readonly [question: Question, path: string];

/** In place of an answer: there is nothing that could be asked. */
export const ABSENT = 'absent';
/** In place of an answer about a file's own content: it is a symbolic link. */
export const LINK = 'link';

/**
 * What a run asked the file system, with the answers. While the answers are the same, a run that did nothing but ask
 * would do nothing again.
 */
export class Observations {
  readonly #answers = new Map<string, { readonly asked: Asked; readonly answer: string }>();
  readonly #earlier: Observations | undefined;
  #isExact = true;
  #isIdle = false;

  /** @param earlier of this process, a moment ago: digests of files that need not be read again */
  constructor(earlier?: Observations) {
    this.#earlier = earlier;
  }

  /** Whether every answer could be noted. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Whether the answers are all that decided the run, and the run did nothing. */
  get isIdle(): boolean {
    return this.#isIdle && this.#isExact;
  }

  /** The run has done nothing but ask, and will do nothing else. */
  declareIdle(): void {
    this.#isIdle = true;
  }

  /** The run does something, or an answer cannot be noted: it must not be remembered, and nothing more is noted. */
  spoil(): void {
    this.#isExact = false;
    this.#answers.clear();
  }

  note(question: Question, path: string, answer: string): void {
    const id = `${question}\n${path}`;
    const before = this.#answers.get(id)?.answer;
    if (before === undefined) this.#answers.set(id, { asked: [question, path], answer });
    // Somebody changed it meanwhile.
    else if (before !== answer) this.spoil();
  }

  /** The digest of a file's content that was taken a moment ago. */
  recentDigest(question: 'bytes' | 'own', path: string): Digest | undefined {
    const answer = this.#earlier?.noted(question, path);
    return answer === ABSENT || answer === LINK ? undefined : answer;
  }

  noted(question: Question, path: string): string | undefined {
    return this.#answers.get(`${question}\n${path}`)?.answer;
  }

  /** The questions, in the order in which they were asked. */
  questions(): readonly Asked[] {
    return [...this.#answers.values()].map(({ asked }) => asked);
  }

  /** Of all questions and answers. */
  digest(): Digest {
    const parts: string[] = [];
    for (const [id, { answer }] of this.#answers) parts.push(id, answer);
    return digestOf(parts.join('\0'));
  }
}

let current: Observations | undefined;

/** Where answers are noted now; undefined: nobody wants to know, or not any more. */
export function observing(): Observations | undefined {
  return current?.isExact === true ? current : undefined;
}

/** The digest of a file's content, if it was taken a moment ago. */
export function recentDigest(question: 'bytes' | 'own', path: string): Digest | undefined {
  return current?.recentDigest(question, path);
}

/**
 * Notes in `observations` what is asked until `work` is done. The whole process is observed: this is for launchers,
 * which do one thing at a time.
 */
export async function observe<T>(observations: Observations, work: () => T | Promise<T>): Promise<T> {
  current = observations;
  try {
    return await work();
  } finally {
    current = undefined;
  }
}
