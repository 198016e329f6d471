import { DragomanError } from '../base/errors.ts';
import { installHintFor as apertiumHintFor } from './apertium/packages.ts';
import { installHintFor as firefoxHintFor } from './firefox/languages.ts';
import type { Engine, EngineOutcome, EngineRequest, EngineStatus } from './engine.ts';
import { requestFor, usesOf } from './request-parts.ts';

/**
 * Chooses per language pair the first of the candidates that supports it, and says in each outcome which one it was.
 * A pair that none supports is an error that names what would get it; the source is never given back as its own
 * translation.
 */
export async function createAutoEngine<O>(
  options: O,
  createCandidates: (options: O) => Promise<readonly Engine[]>,
): Promise<Engine> {
  return new AutoEngine(await createCandidates(options));
}

class AutoEngine implements Engine {
  readonly id = 'auto';
  readonly uses: NonNullable<Engine['uses']>;
  readonly #candidates: readonly Engine[];

  constructor(candidates: readonly Engine[]) {
    this.#candidates = candidates;
    this.uses = usesOf(candidates);
  }

  async status(signal?: AbortSignal): Promise<EngineStatus> {
    const statuses = await Promise.all(this.#candidates.map((engine) => engine.status(signal)));
    const ready = statuses.filter((status) => status.ready);
    const detail =
      ready.length === 0 ? 'no engine is ready' : `chooses among ${ready.map((s) => s.id).join(', ')}`;
    const any = ready.some((status) => status.pairs === 'any');
    const pairs = ready.flatMap((status) => (status.pairs === 'any' ? [] : status.pairs));
    const hint = statuses.find((status) => status.hint !== undefined)?.hint;
    return { id: this.id, ready: ready.length > 0, detail, hint, pairs: any ? 'any' : pairs };
  }

  async supports(source: string, target: string): Promise<boolean> {
    return (await this.#choose(source, target)) !== undefined;
  }

  async translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    const engine = await this.#choose(request.source, request.target);
    if (!engine) throw unavailable(request.source, request.target);
    const outcomes = await engine.translate(requestFor(engine, request), signal);
    return outcomes.map((outcome) => nameEngine(outcome, engine.id));
  }

  async close(): Promise<void> {
    await Promise.all(this.#candidates.map((engine) => engine.close()));
  }

  async #choose(source: string, target: string): Promise<Engine | undefined> {
    for (const engine of this.#candidates) if (await engine.supports(source, target)) return engine;
    return undefined;
  }
}

function nameEngine(outcome: EngineOutcome, id: string): EngineOutcome {
  return 'failure' in outcome ? outcome : { engine: id, ...outcome };
}

function unavailable(source: string, target: string): DragomanError {
  const installs = [firefoxHintFor(source, target), apertiumHintFor(source, target)];
  const install = installs.filter((command) => command !== undefined).join(', or ');
  const own =
    'a program of yours with --engine exec --engine-command COMMAND, or --engine pseudo to try the layout';
  const hint = install === '' ? `What can: ${own}.` : `To get it: ${install}. Or ${own}.`;
  return new DragomanError('engine_unavailable', `no engine here translates ${source} to ${target}`, {
    hint,
  });
}
