import { isDeepStrictEqual } from 'node:util';
import { Room, type Site } from './room.ts';

/** One attack, as a user of an untrusted checkout or a client of a server would encounter it. */
export interface AttackRow {
  readonly attack: string;
  /** The promise that the attack tries to break. */
  readonly expected: string;
  /** The reason why it cannot be tried on this machine. */
  readonly skipped?: string | undefined;
  /** Runs the attack, and resolves with a summary of the observations. All checks are made with the trial. */
  readonly run: (trial: Trial) => Promise<string>;
}

/** Rows that attack the same part of the program. */
export interface AttackArea {
  readonly name: string;
  readonly rows: readonly AttackRow[];
}

export interface Outcome {
  readonly seen: string;
  readonly checks: number;
  /** Everything that was not as expected; empty if the attack failed. */
  readonly faults: readonly string[];
}

/** The resources of a row: its own room, and a count of comparisons. */
export class Trial {
  readonly room: Room;
  readonly site: Site;
  readonly faults: string[] = [];
  checks = 0;

  constructor(room: Room, site: Site) {
    this.room = room;
    this.site = site;
  }

  /** @param what the statement that must be true, or a name with its expected value */
  holds(what: string, isSo: boolean, seen?: unknown): void {
    this.checks++;
    if (!isSo)
      this.faults.push(seen === undefined ? `failed: ${what}` : `failed: ${what}; seen: ${show(seen)}`);
  }

  equals(what: string, actual: unknown, expected: unknown): void {
    this.holds(`${what}: ${show(expected)}`, isDeepStrictEqual(actual, expected), actual);
  }

  matches(what: string, text: string, pattern: RegExp): void {
    this.holds(`${what}: ${String(pattern)}`, pattern.test(text), text);
  }

  lacks(what: string, text: string, part: string | RegExp): void {
    const at = typeof part === 'string' ? text.indexOf(part) : text.search(part);
    this.holds(`${what}: no ${String(part)}`, at < 0, text.slice(Math.max(0, at - AROUND), at + AROUND));
  }
}

/** The number of characters that a report shows on each side of a forbidden part. */
const AROUND = 80;

const MOST_SHOWN = 600;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** A row that checks nothing or cannot be completed counts as a fault. */
export async function tryRow(row: AttackRow, site: Site): Promise<Outcome> {
  const room = new Room();
  const trial = new Trial(room, site);
  let seen = '';
  try {
    seen = await row.run(trial);
    if (trial.checks === 0) trial.faults.push('nothing was checked');
  } catch (error) {
    trial.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await room.close();
  }
  return { seen, checks: trial.checks, faults: trial.faults };
}
