import type { Engine } from '../../engines/engine.ts';
import { SERVICE_ENGINE } from '../../engines/registry.ts';
import type { CommandContext } from '../command.ts';
import { chooseEngine, withEngine, type EngineChoice } from '../engine-choice.ts';
import { addServiceEngine } from '../service/engine.ts';
import type { ServiceFlags } from '../service/options.ts';
import { chooseExecutionTarget } from '../service/execution-target.ts';

/** As others are, but of engines there may be several. */
export type EvaluationFlags = Omit<ServiceFlags, 'engine'> & { readonly engine?: readonly string[] };

/** An engine that is to be evaluated. */
export interface Candidate {
  /** As the user named it. */
  readonly id: string;
  /** Runs `work` with the engine and closes it, whatever happens. */
  run<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
}

/**
 * The engines that are named, each once; where none is, what other commands would translate with.
 *
 * @throws DragomanError for names and settings that make no sense, before the first engine is asked and paid for.
 */
export async function chooseCandidates(
  { engine: names = [], ...flags }: EvaluationFlags,
  context: CommandContext,
): Promise<readonly Candidate[]> {
  const choices =
    names.length === 0
      ? [await usualChoice(flags, context)]
      : await Promise.all(names.map((engine) => chooseEngine({ ...flags, engine }, context.terminal)));
  const candidates = new Map<string, Candidate>();
  for (const choice of choices) {
    if (candidates.has(choice.id)) continue;
    // Engines start nothing before their first text. What is to be said of a key is said when it is used.
    const silent = addServiceEngine(choice, flags, context, { onWarning: () => undefined });
    await withEngine(silent, () => Promise.resolve());
    const told = addServiceEngine(choice, flags, context);
    candidates.set(choice.id, { id: choice.id, run: (work) => withEngine(told, work) });
  }
  return [...candidates.values()];
}

async function usualChoice(flags: ServiceFlags, { terminal }: CommandContext): Promise<EngineChoice> {
  const execution = await chooseExecutionTarget(flags, terminal);
  return execution.kind === 'local'
    ? execution.engine
    : chooseEngine({ ...flags, engine: SERVICE_ENGINE }, terminal);
}
