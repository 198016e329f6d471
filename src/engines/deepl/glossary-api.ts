import type { Clock } from '../../base/clock.ts';
import { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import { fieldOf, textOf } from '../../base/json.ts';
import type { LanguagePair } from '../engine.ts';
import { readOffer } from './languages.ts';
import { listOf } from '../hosted/provider.ts';
import type { HostedConnection } from '../hosted/connection.ts';

/** Source phrases with their translations. */
export type Entries = ReadonlyMap<string, string>;

/** The properties of the account's glossaries that we use. */
export interface ListedGlossary {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
}

const PATH = '/v2/glossaries';
/** A new glossary is ready immediately or soon. */
const MOST_LOOKS = 15;
const LOOK_AGAIN_MS = 1_000;

/** Immutable glossaries for a single pair each: version 2 of DeepL's API. */
export class GlossaryApi {
  readonly #connection: HostedConnection;
  readonly #clock: Clock;

  constructor(connection: HostedConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** The pairs that support glossaries, in languages without regions. */
  async pairs(signal: AbortSignal): Promise<readonly LanguagePair[]> {
    const { sources, targets } = await readOffer(this.#connection, 'glossary', signal);
    return sources.flatMap((source) =>
      targets.flatMap((target) =>
        source === target ? [] : [{ source: source.toLowerCase(), target: target.toLowerCase() }],
      ),
    );
  }

  async list(signal: AbortSignal): Promise<readonly ListedGlossary[]> {
    const answer = await this.#connection.send({ method: 'GET', path: PATH, signal });
    return listOf(this.#connection.provider, answer, 'glossaries').flatMap((item) => {
      const id = textOf(item, 'glossary_id');
      const created = Date.parse(textOf(item, 'creation_time') ?? '');
      const isKnown = id !== undefined && isId(id) && Number.isFinite(created);
      return isKnown ? [{ id, name: textOf(item, 'name') ?? '', created }] : [];
    });
  }

  /** Resolves to its id once it is usable. A glossary that does not become ready is removed. */
  async create(name: string, pair: LanguagePair, entries: Entries, signal: AbortSignal): Promise<string> {
    const body = {
      name,
      source_lang: pair.source,
      target_lang: pair.target,
      entries: [...entries].map((entry) => entry.join('\t')).join('\n'),
      entries_format: 'tsv',
    };
    let answer = await this.#connection.send({ method: 'POST', path: PATH, body, signal });
    const id = textOf(answer, 'glossary_id');
    if (id === undefined || !isId(id)) throw this.#broken('a glossary without an id');
    try {
      for (let looks = 0; fieldOf(answer, 'ready') !== true; looks++) {
        if (looks === MOST_LOOKS) throw this.#broken('a glossary that does not become ready');
        await this.#clock.wait(LOOK_AGAIN_MS, signal).catch(() => {
          throw interrupted();
        });
        answer = await this.#connection.send({ method: 'GET', path: `${PATH}/${id}`, signal });
      }
    } catch (error) {
      await this.remove(id, signal);
      throw error;
    }
    return id;
  }

  /** Ignores failures, because a later run removes the glossary. */
  async remove(id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#connection.send({ method: 'DELETE', path: `${PATH}/${id}`, signal });
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
    }
  }

  #broken(what: string): DragomanError {
    return new DragomanError('contract_violation', `${this.#connection.provider.name} answered ${what}`);
  }
}

/** Ids become part of addresses. */
function isId(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text);
}
