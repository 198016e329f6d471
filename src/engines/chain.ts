import { systemClock, type Clock } from '../base/clock.ts';
import { DragomanError, traitsOf } from '../base/errors.ts';
import { isInterrupted, throwIfAborted, unlessAborted } from '../base/interruption.ts';
import { reconcile } from '../text/reconcile.ts';
import type { TaggedText } from '../text/tagged.ts';
import { readChains, type Chains, type ChainRules } from './chain-rules.ts';
import {
  type BatchSize,
  type Engine,
  type EngineOutcome,
  type EngineRequest,
  type EngineStatus,
  type LanguagePair,
  pairsOfReady,
  requestFor,
  requestOf,
  usesOf,
} from './engine.ts';

export interface ChainOptions {
  readonly rules: ChainRules;
  /** Called once for each listed engine. */
  readonly open: (id: string) => Promise<Engine>;
  readonly clock?: Pick<Clock, 'now'> | undefined;
  readonly onTrouble?: TroubleListener | undefined;
}

/** Called with the reason when an engine is paused or continues with limits, which nothing else would report. */
export type TroubleListener = (engine: string, error: DragomanError) => void;

/** Pause for an engine that failed completely. */
const PAUSE_MS = 60_000;
/** An engine is paused after this many failed calls in a row. */
const MAX_FAILED_CALLS = 3;

/**
 * Tries the engines of a pair's list in order, each with the texts that the previous ones could not translate because
 * of an error, a time limit or a quota, or because a translation lost a placeholder. Each outcome names its engine.
 * Closing the chain closes them.
 *
 * @throws DragomanError `configuration` for invalid rules, and errors of opening an engine
 */
export async function createChainEngine({
  rules,
  open,
  clock = systemClock,
  onTrouble,
}: ChainOptions): Promise<Engine> {
  const chains = readChains(rules);
  const engines = new Map<string, Member>();
  try {
    for (const id of chains.engines) engines.set(id, new Member(await open(id), clock, onTrouble));
  } catch (error) {
    await Promise.all([...engines.values()].map(({ engine }) => engine.close()));
    throw error;
  }
  return new ChainEngine(chains, engines, true);
}

class ChainEngine implements Engine {
  readonly id: string;
  readonly uses: NonNullable<Engine['uses']>;
  readonly isPseudo: boolean;
  readonly isModel: boolean;
  readonly batch: BatchSize | undefined;
  readonly #chains: Chains;
  readonly #members: ReadonlyMap<string, Member>;
  readonly #isOwner: boolean;

  constructor(chains: Chains, members: ReadonlyMap<string, Member>, isOwner: boolean) {
    this.id = chains.name;
    this.#chains = chains;
    this.#members = members;
    this.#isOwner = isOwner;
    const asked = chains.engines.flatMap((id) => members.get(id)?.engine ?? []);
    this.uses = usesOf(asked);
    // If one engine is a pseudo engine, any outcome of the chain may be a pseudo-translation.
    this.isPseudo = asked.some(({ isPseudo }) => isPseudo === true);
    this.isModel = asked.some(({ isModel }) => isModel === true);
    this.batch = smallest([...members.values()].flatMap(({ engine }) => engine.batch ?? []));
  }

  /** The same engines without the first of each list. This chain owns and closes them. */
  get next(): Engine | undefined {
    const { rest } = this.#chains;
    if (!rest) return undefined;
    return new ChainEngine(rest, this.#members, false);
  }

  async status(signal?: AbortSignal): Promise<EngineStatus> {
    const members = [...this.#members.values()];
    const statuses = await Promise.all(members.map(({ engine }) => engine.status(signal)));
    const ready = statuses.filter((status) => status.ready);
    const detail =
      ready.length === 0 ? 'none of them is ready' : `ready: ${ready.map(({ id }) => id).join(', ')}`;
    const hint = statuses.find((status) => !status.ready)?.hint;
    return { id: this.id, ready: ready.length > 0, detail, hint, pairs: pairsOfReady(statuses) };
  }

  /** An engine that cannot answer now may answer later, and does not stop the others. */
  async supports(source: string, target: string): Promise<boolean> {
    let problem: unknown;
    for (const { engine } of this.#listFor(source, target)) {
      try {
        if (await engine.supports(source, target)) return true;
      } catch (error) {
        problem ??= error;
      }
    }
    if (problem !== undefined) throw problem;
    return false;
  }

  async translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    throwIfAborted(signal);
    const list = this.#listFor(request.source, request.target);
    const results = request.texts.map((text) => new ChainResult(text));
    const unable: DragomanError[] = [];
    for (const member of list) {
      const indices = [...results.keys()].filter((i) => !results[i]?.isDone);
      const open = indices.flatMap((i) => results[i] ?? []);
      if (open.length === 0 && results.length > 0) break;
      const rest = requestFor(member.engine, requestOf(request, indices));
      try {
        throwIfAborted(signal);
        const outcomes = await member.translate(rest, signal);
        if (outcomes instanceof DragomanError) unable.push(outcomes);
        else for (const [i, result] of open.entries()) result.add(member.engine.id, outcomes[i]);
      } catch (error) {
        if (!isInterrupted(error)) throw error;
        // Earlier engines' answers may have been paid for.
        if (!results.some((result) => result.isDone)) throw error;
        for (const result of open) result.interrupt(error);
        break;
      }
    }
    if (unable.length === list.length) throw unavailable(request, unable);
    return results.map((result) => result.outcome);
  }

  async modelFor(engine: string, pair: LanguagePair): Promise<string | undefined> {
    return this.#members.get(engine)?.engine.modelFor?.(engine, pair);
  }

  async close(): Promise<void> {
    if (!this.#isOwner) return;
    await Promise.all([...this.#members.values()].map(({ engine }) => engine.close()));
  }

  #listFor(source: string, target: string): readonly Member[] {
    return this.#chains.enginesFor(source, target).flatMap((id) => this.#members.get(id) ?? []);
  }
}

/** An engine of a chain and its state. */
class Member {
  readonly engine: Engine;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onTrouble: TroubleListener | undefined;
  #failedCalls = 0;
  #pause: { readonly until: number; readonly error: DragomanError } | undefined;

  constructor(engine: Engine, clock: Pick<Clock, 'now'>, onTrouble: TroubleListener | undefined) {
    this.engine = engine;
    this.#clock = clock;
    this.#onTrouble = onTrouble;
  }

  /** The error if the engine does not support the pair. @throws DragomanError `interrupted`, and defects */
  async translate(
    request: EngineRequest,
    signal: AbortSignal,
  ): Promise<readonly EngineOutcome[] | DragomanError> {
    const failAll = (error: DragomanError): readonly EngineOutcome[] =>
      request.texts.map(() => ({ failure: error.message, error }));
    if (this.#pause && this.#clock.now() < this.#pause.until) return failAll(this.#pause.error);
    try {
      const { source, target } = request;
      if (!(await unlessAborted(this.engine.supports(source, target), signal))) return unsupported(request);
      const outcomes = await this.engine.translate(request, signal);
      this.#watch(
        // An interruption does not count against the engine.
        outcomes.flatMap((o) => ('failure' in o && o.error && !isInterrupted(o.error) ? [o.error] : [])),
        outcomes.length,
      );
      return outcomes;
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code === 'interrupted') throw error;
      if (error.code === 'engine_unavailable') return error;
      this.#watch([error], 1);
      return failAll(error);
    }
  }

  #watch(errors: readonly DragomanError[], of: number): void {
    // The engine is paused at once.
    const stop = errors.find((error) => traitsOf(error).stops);
    const [first] = errors;
    this.#failedCalls = first && errors.length === of ? this.#failedCalls + 1 : 0;
    const error = stop ?? (this.#failedCalls >= MAX_FAILED_CALLS ? first : undefined);
    // Concurrent calls fail together; only the first one reports.
    if (error && !this.#pause) this.#onTrouble?.(this.engine.id, error);
    this.#pause = error && { until: this.#clock.now() + PAUSE_MS, error };
  }
}

/** The results for one text so far. */
class ChainResult {
  readonly text: TaggedText;
  #translation: EngineOutcome | undefined;
  #interruption: EngineOutcome | undefined;
  /** The first answer with lost placeholders, which the caller can repair. */
  #damaged: EngineOutcome | undefined;
  readonly #failures: { readonly id: string; readonly failure: string; readonly error?: DragomanError }[] =
    [];

  constructor(text: TaggedText) {
    this.text = text;
  }

  get isDone(): boolean {
    return this.#translation !== undefined;
  }

  add(id: string, outcome: EngineOutcome | undefined): void {
    if (!outcome) this.#failures.push({ id, failure: 'no answer' });
    else if ('failure' in outcome) {
      const { failure, error } = outcome;
      this.#failures.push({ id, failure, ...(error && { error }) });
    } else {
      const named = { engine: id, ...outcome };
      if (reconcile(this.text, outcome.translation).ok) this.#translation = named;
      else this.#damaged ??= named;
    }
  }

  /** There was no time for further engines. */
  interrupt(error: DragomanError): void {
    this.#interruption = { failure: error.message, error };
  }

  get outcome(): EngineOutcome {
    if (this.#interruption) return this.#interruption;
    const found = this.#translation ?? this.#damaged;
    if (found) return found;
    const failure = this.#failures.map(({ id, failure: why }) => `${id}: ${why}`).join('; ');
    // If any engine failed without an error, the text is the cause.
    const errors = this.#failures.flatMap(({ error }) => error ?? []);
    const [error] = errors;
    const isOfAll = error && errors.length === this.#failures.length;
    return {
      failure: failure || 'no engine gave an answer',
      ...(isOfAll && { error: gravest(errors, error) }),
    };
  }
}

/** Among the errors of all engines, preferably one that a retry may resolve. */
function gravest(errors: readonly DragomanError[], first: DragomanError): DragomanError {
  return errors.find((error) => !traitsOf(error).stops) ?? first;
}

function unsupported({ source, target }: EngineRequest): DragomanError {
  return new DragomanError('engine_unavailable', `it does not translate ${source} to ${target}`);
}

function unavailable({ source, target }: EngineRequest, errors: readonly DragomanError[]): DragomanError {
  const hint = errors.find((error) => error.hint !== undefined)?.hint;
  return new DragomanError(
    'engine_unavailable',
    errors.length === 0
      ? `no engine is configured for ${source} to ${target}`
      : `none of the engines configured for ${source} to ${target} supports this pair`,
    { hint: hint ?? 'Name one for this pair, or for all others with "*".' },
  );
}

/** A batch size that suits every engine. */
function smallest(sizes: readonly BatchSize[]): BatchSize | undefined {
  if (sizes.length === 0) return undefined;
  const least = sizes.flatMap((size) => size.least ?? []);
  return {
    texts: Math.min(...sizes.map(({ texts }) => texts)),
    characters: Math.min(...sizes.map(({ characters }) => characters)),
    ...(least.length > 0 && { least: Math.max(...least) }),
  };
}
