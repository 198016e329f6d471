import { DragomanError } from '../base/errors.ts';
import type { Budget } from '../client/budget.ts';
import { readChains } from '../engines/chain-rules.ts';
import type { Engine } from '../engines/engine.ts';
import type { FileTranslator } from '../engines/file-translator.ts';
import { createEngine, enginesIn, rulesOf, SERVICE_ENGINE } from '../engines/registry.ts';
import type { Pricing } from '../project/plan/pricing.ts';
import type { Project } from '../project/state/project.ts';
import { refuseResources, type ResourceFlags } from './translation-resources.ts';
import type { CommandContext } from './command.ts';
import type { EngineChoice } from './engine-choice.ts';
import { addServiceEngine } from './service/engine.ts';
import type { ServiceFlags } from './service/options.ts';
import { chooseExecutionTarget } from './service/execution-target.ts';
import { connectRemote, type OpenRemote } from './service/remote.ts';
import { SettingsFiles } from './service/setting.ts';
import type { RemoteSettings } from './service/settings.ts';

export interface SyncEngineFlags extends ServiceFlags, ResourceFlags {
  readonly maxCredits?: number | undefined;
  readonly via?: 'strings' | 'jobs';
}

/** What the texts of a sync are translated by. Whoever chose it closes it. */
export interface SyncEngine {
  /** Opens the engine, or connects to the service, when the first text needs it; the same one for all projects. */
  open(): Promise<Engine>;
  /** With `--via jobs`: what translates whole files instead. */
  readonly files?: (() => Promise<FileTranslator>) | undefined;
  /** Where it costs something. */
  readonly pricing?: Pricing | undefined;
  /** Batches at once, where a setting of the service says so. */
  readonly concurrency?: number | undefined;
  /** Credits that were or may have been charged so far. */
  spent(): number;
  close(): Promise<void>;
}

/** @throws DragomanError as `chooseExecutionTarget`, and `usage` for a budget where nothing costs anything. */
export async function chooseSyncEngine(
  flags: SyncEngineFlags,
  projects: readonly Project[],
  context: CommandContext,
): Promise<SyncEngine> {
  const files = await settingsOf(projects, context);
  const execution = await chooseExecutionTarget(flags, context.terminal, files);
  const { Budget } = await import('../client/budget.ts');
  const budget = new Budget(flags.maxCredits);
  if (execution.kind === 'remote') return remoteEngine(execution.remote, budget, flags, context);
  refuseFlags(flags, enginesIn(execution.engine.id, execution.engine.options));
  const { id, options } = addServiceEngine(execution.engine, flags, context, { files, budget });
  let engine: Promise<Engine> | undefined;
  return {
    pricing: await chainPricing(execution.engine),
    open: () => (engine ??= createEngine(id, options)),
    spent: () => budget.spent,
    close: async () => (await engine?.catch(() => undefined))?.close(),
  };
}

/** Of engines that have a service among them. */
async function chainPricing({ id, options }: EngineChoice): Promise<Pricing | undefined> {
  const rules = rulesOf(id, options);
  if (!rules || !enginesIn(id, options).includes(SERVICE_ENGINE)) return undefined;
  const { creditsOfSegment } = await import('../client/service-engine.ts');
  const chains = readChains(rules);
  return {
    via: 'strings',
    engine: chains.name,
    creditsOf: (segment, source, target) =>
      chains.enginesFor(source, target).includes(SERVICE_ENGINE) ? creditsOfSegment(segment) : 0,
    isLimit: true,
  };
}

/** What goes with a service only. */
function refuseFlags({ maxCredits, via }: SyncEngineFlags, engines: readonly string[]): void {
  const hasService = engines.includes(SERVICE_ENGINE);
  const hint = 'Name the service with --base-url, DRAGOMAN_BASE_URL or `service` in the configuration.';
  if (maxCredits !== undefined && !hasService) {
    throw new DragomanError('usage', '--max-credits requires a service: local engines cost nothing', {
      hint,
    });
  }
  if (via !== 'jobs') return;
  throw hasService
    ? new DragomanError('usage', '--via jobs requires a service alone: engines of a list get single texts', {
        hint: 'Leave it out, or name no engine but `service`.',
      })
    : new DragomanError('usage', '--via jobs requires a service: local engines have no jobs', { hint });
}

/** The project's own configuration decides, wherever the command was started. */
async function settingsOf(
  [project]: readonly Project[],
  { terminal }: CommandContext,
): Promise<SettingsFiles> {
  if (project?.configurationPath === undefined) return new SettingsFiles(terminal);
  return new SettingsFiles({ ...terminal, cwd: project.root });
}

async function remoteEngine(
  remote: RemoteSettings,
  budget: Budget,
  flags: SyncEngineFlags,
  context: CommandContext,
): Promise<SyncEngine> {
  const { createServiceEngine, creditsOfSegment } = await import('../client/service-engine.ts');
  const { createJobTranslations, refusalOfJob } = await import('../client/job-translations.ts');
  let connection: Promise<OpenRemote> | undefined;
  const connect = (): Promise<OpenRemote> => (connection ??= connectRemote(remote, flags, context));
  const open = once(async () => createServiceEngine((await connect()).service, { budget }));
  const files = once(async () => createJobTranslations(await connect(), { budget }));
  const isWhole = flags.via === 'jobs';
  if (isWhole)
    refuseResources(flags, 'Without --via jobs, the service gets single texts, and all options apply.');
  return {
    pricing: isWhole
      ? { via: 'jobs', refusal: refusalOfJob }
      : { via: 'strings', engine: SERVICE_ENGINE, creditsOf: creditsOfSegment },
    files: isWhole ? files : undefined,
    concurrency: remote.concurrency?.value,
    open,
    spent: () => budget.spent,
    close: async () => (await connection?.catch(() => undefined))?.close(),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
