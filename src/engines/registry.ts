import { DragomanError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { Engine, EngineStatus } from './engine.ts';

export interface EngineOptions {
  /** The command line of the `exec` engine. */
  readonly execCommand?: string | undefined;
  /** Where the models of the `firefox` engine are installed. */
  readonly modelsDirectory?: string | undefined;
  /** Longest time without an answer while one is due. Each engine has its own default. */
  readonly timeoutMs?: number | undefined;
}

type Creator = (options: EngineOptions) => Promise<Engine>;

/** One line per engine. Each is loaded only when it is used. */
const creators = {
  exec: async (options) => (await import('./exec/exec.ts')).createExecEngine(options),
  firefox: async (options) => (await import('./firefox/firefox.ts')).createFirefoxEngine(options),
  apertium: async (options) => (await import('./apertium/apertium.ts')).createApertiumEngine(options),
  pseudo: async () => (await import('./pseudo.ts')).createPseudoEngine(),
  auto: async (options) => (await import('./auto.ts')).createAutoEngine(options, createCandidates),
} satisfies Readonly<Record<string, Creator>>;

type EngineId = keyof typeof creators;

/** What `--engine` takes. */
export const engineIds: readonly EngineId[] = ['auto', 'exec', 'firefox', 'apertium', 'pseudo'];

/**
 * The engine of that id. Whoever creates it closes it.
 *
 * @throws DragomanError `usage` for an unknown id, `configuration` when the engine lacks a setting.
 */
export async function createEngine(id: string, options: EngineOptions): Promise<Engine> {
  const known = engineIds.find((engineId) => engineId === id);
  if (known) return creators[known](options);
  const meant = nearest(id, engineIds);
  throw new DragomanError('usage', `there is no engine "${id}"`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Engines: ${engineIds.join(', ')}.`,
  });
}

/** What `auto` may choose from: what is set up, the preferred first. Never an engine that only pretends. */
async function createCandidates(options: EngineOptions): Promise<readonly Engine[]> {
  const own = [await creators.firefox(options), await creators.apertium(options)];
  return options.execCommand === undefined ? own : [await creators.exec(options), ...own];
}

/** What each engine can do here and now. Everything opened for it is closed again. */
export async function engineStatuses(
  options: EngineOptions,
  signal?: AbortSignal,
): Promise<readonly EngineStatus[]> {
  return Promise.all(engineIds.filter((id) => id !== 'auto').map((id) => statusOf(id, options, signal)));
}

async function statusOf(id: EngineId, options: EngineOptions, signal?: AbortSignal): Promise<EngineStatus> {
  let engine: Engine | undefined;
  try {
    engine = await createEngine(id, options);
    return await engine.status(signal);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'configuration') throw error;
    return { id, ready: false, detail: error.message, hint: error.hint, pairs: [] };
  } finally {
    await engine?.close();
  }
}
