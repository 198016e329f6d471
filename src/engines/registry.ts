import { DragomanError, traitsOf } from '../base/errors.ts';
import type { Environment } from '../base/http/proxy.ts';
import { nearest } from '../base/nearest.ts';
import type { TroubleListener } from './chain.ts';
import type { ChainRules } from './chain-rules.ts';
import type { DeepLOptions } from './deepl/deepl.ts';
import type { Engine, EngineStatus } from './engine.ts';
import type { OpenAIOptions } from './openai/openai.ts';

export interface EngineOptions {
  /** The command line of the `exec` engine. */
  readonly execCommand?: string | undefined;
  /** Where the models of the `firefox` engine are installed. */
  readonly modelsDirectory?: string | undefined;
  /** Longest time without an answer while one is due. Each engine has its own default. */
  readonly timeoutMs?: number | undefined;
  /** Where hosted engines find keys and addresses. Default: the process's. */
  readonly env?: Environment | undefined;
  readonly openai?: Pick<OpenAIOptions, 'model' | 'window'> | undefined;
  /** What the engine {@link CONFIGURED_CHAIN} asks for each pair. */
  readonly engines?: ChainRules | undefined;
  /** Connects to the service that is configured, where one is: it is not known here how. The engine closes what it opens. */
  readonly service?: (() => Promise<Engine | undefined>) | undefined;
  /** Told of engines of a chain that are left out for a while. */
  readonly onTrouble?: TroubleListener | undefined;
  /** Told of engines that do not get the terms of the glossary, and why. */
  readonly onWithoutTerms?: TroubleListener | undefined;
}

/** The id of the chain that a configuration has in `engines`. */
export const CONFIGURED_CHAIN = 'engines';

/** The id of the engine that is another server of the specification. */
export const SERVICE_ENGINE = 'service';

/** What to do where no service is named. */
export const NO_SERVICE_HINT =
  'Name it with --base-url, DRAGOMAN_BASE_URL or `service` in the configuration; dragoman serve starts one on this machine.';

type Creator = (options: EngineOptions) => Promise<Engine>;

/** One line per engine. Each is loaded only when it is used. */
const creators = {
  exec: async (options) => (await import('./exec/exec.ts')).createExecEngine(options),
  firefox: async (options) => (await import('./firefox/firefox.ts')).createFirefoxEngine(options),
  apertium: async (options) => (await import('./apertium/apertium.ts')).createApertiumEngine(options),
  openai: async (options) => {
    const { createOpenAIEngine } = await import('./openai/openai.ts');
    return createOpenAIEngine({ ...options.openai, ...accessOf(options) });
  },
  deepl: async (options) => {
    const { createDeepLEngine } = await import('./deepl/deepl.ts');
    const { onWithoutTerms } = options;
    return createDeepLEngine({
      ...accessOf(options),
      onWithoutTerms: (error) => onWithoutTerms?.('deepl', error),
    });
  },
  libretranslate: async (options) =>
    (await import('./libretranslate/libretranslate.ts')).createLibreTranslateEngine(accessOf(options)),
  google: async (options) => (await import('./google/google.ts')).createGoogleEngine(accessOf(options)),
  service: async ({ service }) => {
    const engine = await service?.();
    if (engine) return engine;
    throw new DragomanError('configuration', 'no service is named', { hint: NO_SERVICE_HINT });
  },
  pseudo: async () => (await import('./pseudo/pseudo.ts')).createPseudoEngine(),
  auto: async (options) => (await import('./auto.ts')).createAutoEngine(options, createCandidates),
} satisfies Readonly<Record<string, Creator>>;

type EngineId = keyof typeof creators;

/** What `--engine` takes. */
export const engineIds: readonly EngineId[] = [
  'auto',
  'exec',
  'firefox',
  'apertium',
  'openai',
  'deepl',
  'libretranslate',
  'google',
  'service',
  'pseudo',
];

function accessOf({ timeoutMs, env = process.env }: EngineOptions): Pick<DeepLOptions, 'timeoutMs' | 'env'> {
  return { timeoutMs, env };
}

/**
 * The engine of that id, or of a list of ids with commas between, each of which is asked for what those before it could
 * not do. Whoever creates it closes it.
 *
 * @throws DragomanError `usage` for an unknown id, `configuration` when the engine lacks a setting.
 */
export async function createEngine(id: string, options: EngineOptions): Promise<Engine> {
  requireEngines(id, options);
  const rules = rulesOf(id, options);
  return rules ? createChain(rules, options) : creators[requireEngine(id)](options);
}

/** @throws DragomanError `usage` for a choice with an engine in it that there is not. Opens nothing. */
export function requireEngines(id: string, options: Pick<EngineOptions, 'engines'> = {}): void {
  enginesIn(id, options).forEach(requireEngine);
}

function requireEngine(id: string): EngineId {
  const known = engineIds.find((engineId) => engineId === id);
  if (known) return known;
  const meant = nearest(id, engineIds);
  throw new DragomanError('usage', `there is no engine "${id}"`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Engines: ${engineIds.join(', ')}.`,
  });
}

/** The rules of a choice that is a chain. */
export function rulesOf(id: string, { engines }: Pick<EngineOptions, 'engines'>): ChainRules | undefined {
  if (id === CONFIGURED_CHAIN) return engines;
  return id.includes(',') ? { '*': id.split(',').map((name) => name.trim()) } : undefined;
}

/** The ids that the choice of an engine has in it: one, or those of a chain. */
export function enginesIn(id: string, options: Pick<EngineOptions, 'engines'>): readonly string[] {
  const rules = rulesOf(id, options);
  return rules ? [...new Set(Object.values(rules).flat())] : [id];
}

async function createChain(rules: ChainRules, options: EngineOptions): Promise<Engine> {
  const { createChainEngine } = await import('./chain.ts');
  // A chain in a chain could be the chain itself.
  const { engines: _, ...rest } = options;
  return createChainEngine({ rules, open: (id) => createEngine(id, rest), onTrouble: options.onTrouble });
}

/**
 * What `auto` may choose from: what is set up, the preferred first. Never an engine that only pretends, and none that
 * sends texts to somebody: that is chosen by name.
 */
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

/** Whether something of an engine is not configured, or not as it should be. */
function isOfSetup(error: DragomanError): boolean {
  const { concerns } = traitsOf(error);
  return concerns === 'command' || error.code === 'unreadable_input' || error.code === 'unauthenticated';
}

async function statusOf(id: EngineId, options: EngineOptions, signal?: AbortSignal): Promise<EngineStatus> {
  let engine: Engine | undefined;
  try {
    engine = await createEngine(id, options);
    return await engine.status(signal);
  } catch (error) {
    if (!(error instanceof DragomanError) || !isOfSetup(error)) throw error;
    return { id, ready: false, detail: error.message, hint: error.hint, pairs: [] };
  } finally {
    await engine?.close();
  }
}
