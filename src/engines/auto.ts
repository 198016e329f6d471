import { DragomanError } from '../base/errors.ts';
import {
  type Engine,
  type EngineOutcome,
  type EngineRequest,
  type EngineStatus,
  type LanguagePair,
  pairsOfReady,
  requestFor,
  usesOf,
} from './engine.ts';

type InstallHints = (source: string, target: string) => Promise<readonly string[]>;

/**
 * Chooses for each language pair the first candidate that supports it, and names it in each outcome. An unsupported
 * pair is an error with an installation hint; the source is never returned as its own translation.
 */
export function createAutoEngine(candidates: readonly Engine[], installHints: InstallHints): Engine {
  return new AutoEngine(candidates, installHints);
}

class AutoEngine implements Engine {
  readonly id = 'auto';
  readonly uses: NonNullable<Engine['uses']>;
  readonly #candidates: readonly Engine[];
  readonly #installHints: InstallHints;

  constructor(candidates: readonly Engine[], installHints: InstallHints) {
    this.#candidates = candidates;
    this.#installHints = installHints;
    this.uses = usesOf(candidates);
  }

  async status(signal?: AbortSignal): Promise<EngineStatus> {
    const statuses = await Promise.all(this.#candidates.map((engine) => engine.status(signal)));
    const ready = statuses.filter((status) => status.ready);
    const detail =
      ready.length === 0 ? 'no engine is ready' : `available: ${ready.map((s) => s.id).join(', ')}`;
    const hint = statuses.find((status) => status.hint !== undefined)?.hint;
    return { id: this.id, ready: ready.length > 0, detail, hint, pairs: pairsOfReady(statuses) };
  }

  async supports(source: string, target: string): Promise<boolean> {
    return (await this.#choose(source, target)) !== undefined;
  }

  async translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    const engine = await this.#choose(request.source, request.target);
    if (!engine) throw await this.#unavailable(request);
    const outcomes = await engine.translate(requestFor(engine, request), signal);
    return outcomes.map((outcome) => nameEngine(outcome, engine.id));
  }

  async modelFor(engine: string, pair: LanguagePair): Promise<string | undefined> {
    return this.#candidates.find(({ id }) => id === engine)?.modelFor?.(engine, pair);
  }

  async close(): Promise<void> {
    await Promise.all(this.#candidates.map((engine) => engine.close()));
  }

  async #choose(source: string, target: string): Promise<Engine | undefined> {
    for (const engine of this.#candidates) if (await engine.supports(source, target)) return engine;
    return undefined;
  }

  async #unavailable({ source, target }: EngineRequest): Promise<DragomanError> {
    const install = (await this.#installHints(source, target)).join(', or ');
    const own =
      'your own program with --engine exec --engine-command COMMAND, or --engine pseudo to try the layout';
    const hint = install === '' ? `Use ${own}.` : `To add it: ${install}. Or use ${own}.`;
    return new DragomanError('engine_unavailable', `no engine here translates ${source} to ${target}`, {
      hint,
    });
  }
}

function nameEngine(outcome: EngineOutcome, id: string): EngineOutcome {
  return 'failure' in outcome ? outcome : { engine: id, ...outcome };
}
