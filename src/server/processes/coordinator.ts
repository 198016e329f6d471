import type { ProcessCalls, ProcessIdentity, PrimaryCalls } from './calls.ts';
import { ProcessChannel, type LineEnd, answerWithin } from './process-channel.ts';

/** A server process, as the primary sees it. */
export interface ServerProcess {
  readonly line: ProcessChannel<ProcessCalls>;
}

type OfOne = Pick<PrimaryCalls, 'ready' | 'accepted' | 'failed'> & {
  readonly place: () => Omit<ProcessIdentity, 'sharedKeys'>;
};

/** A key with so many requests in one process that all its requests must be counted centrally. */
interface SharedKey {
  /**
   * By process. May be below zero until a process has reported its count, because one of its requests may end first.
   */
  readonly counts: Map<ServerProcess, number>;
  readonly gathered: Promise<unknown>;
  /** How many callers wait for {@link gathered}. */
  asking: number;
}

/** A process that has not reported its count within this time is busy or has ended. */
const GATHER_MS = 2_000;
/** How often to look for keys without requests in progress. */
const UNSHARE_MS = 1_000;
const METRICS_MS = 2_000;

/**
 * The state that the processes of a server share besides the store. A process counts a key's requests itself while they
 * are within its share of the limit. Beyond that the key is shared: the primary counts it until none of its requests is
 * in progress.
 */
export class Coordinator {
  readonly #members = new Set<ServerProcess>();
  readonly #shared = new Map<string, SharedKey>();
  readonly #look = setInterval(() => this.#unshare(), UNSHARE_MS).unref();

  connect(end: LineEnd, { place, ...own }: OfOne): ServerProcess {
    const calls: PrimaryCalls = {
      join: () => {
        this.#members.add(member);
        return { ...place(), sharedKeys: [...this.#shared.keys()] };
      },
      ...own,
      enter: ({ key, limit }) => this.#enter(member, key, limit),
      leave: (key) => this.#add(key, member, -1),
      inWork: (key) => this.#inWork(key),
      metrics: () =>
        Promise.all(
          [...this.#members].map(({ line }) => answerWithin(line.ask('metrics', undefined), METRICS_MS, [])),
        ),
      inspected: (inspected) => {
        for (const { line } of this.#othersThan(member)) line.tell('inspected', inspected);
      },
      announce: (news) => {
        for (const { line } of this.#othersThan(member)) line.tell('news', news);
      },
    };
    const member: ServerProcess = { line: new ProcessChannel<ProcessCalls>(end, { ...calls }) };
    return member;
  }

  /** Forgets a process that has ended, with its requests. */
  drop(member: ServerProcess): void {
    this.#members.delete(member);
    for (const { counts } of this.#shared.values()) counts.delete(member);
    member.line.close();
  }

  close(): void {
    clearInterval(this.#look);
  }

  #othersThan(member: ServerProcess): readonly ServerProcess[] {
    return [...this.#members].filter((other) => other !== member);
  }

  async #enter(member: ServerProcess, key: string, limit: number): Promise<boolean> {
    const shared = this.#shared.get(key) ?? this.#share(key);
    shared.asking++;
    await shared.gathered;
    shared.asking--;
    if (totalOf(shared) >= limit || !this.#members.has(member)) return false;
    this.#add(key, member, 1);
    return true;
  }

  #share(key: string): SharedKey {
    const answers = [...this.#members].map(async (member) => {
      const asked = member.line.ask('share', key).then((count) => this.#add(key, member, count));
      await answerWithin(asked, GATHER_MS, undefined);
    });
    const shared: SharedKey = { counts: new Map(), gathered: Promise.all(answers), asking: 0 };
    this.#shared.set(key, shared);
    return shared;
  }

  #add(key: string, member: ServerProcess, count: number): void {
    const counts = this.#shared.get(key)?.counts;
    if (counts && this.#members.has(member)) counts.set(member, (counts.get(member) ?? 0) + count);
  }

  async #inWork(key: string): Promise<number> {
    const shared = this.#shared.get(key);
    if (shared) {
      await shared.gathered;
      return totalOf(shared);
    }
    const counts = [...this.#members].map(({ line }) => answerWithin(line.ask('inWork', key), GATHER_MS, 0));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  #unshare(): void {
    for (const [key, shared] of this.#shared) {
      if (shared.asking > 0 || [...shared.counts.values()].some((count) => count !== 0)) continue;
      this.#shared.delete(key);
      for (const { line } of this.#members) line.tell('unshare', key);
    }
  }
}

function totalOf({ counts }: SharedKey): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
