import { DragomanError } from '../../base/errors.ts';
import type { Budget } from '../../client/budget.ts';
import type { RemoteService } from '../../client/connect.ts';
import { readChains } from '../../engines/chain-rules.ts';
import type { Engine, LanguagePair } from '../../engines/engine.ts';
import type { FileTranslator } from '../../engines/file-translator.ts';
import { costOf, Spending, type Amount, type Money, type Price } from '../../engines/price.ts';
import {
  AUTO_ENGINE,
  createEngine,
  enginesIn,
  rulesOf,
  SERVICE_ENGINE,
  isLocalEngine,
} from '../../engines/registry.ts';
import { sameLanguage } from '../../languages/locale.ts';
import type { Pricing } from '../../project/plan/pricing.ts';
import type { Project } from '../../project/state/project.ts';
import { refuseResources, type ResourceFlags } from './translation-resources.ts';
import type { CommandContext } from '../output/command.ts';
import type { EngineChoice } from './engine-choice.ts';
import { findPrices, requireCurrency, type PriceFlags, type Prices } from '../options/prices.ts';
import { addServiceEngine } from './service-engine.ts';
import type { ServiceFlags } from '../options/service.ts';
import { findExecutionTarget } from './execution-target.ts';
import { connectRemote } from './remote.ts';
import { SettingsFiles } from '../options/setting.ts';
import type { RemoteSettings } from '../options/service-settings.ts';

export interface SyncEngineFlags extends ServiceFlags, ResourceFlags, PriceFlags {
  readonly maxCredits?: number | undefined;
  readonly maxCost?: Amount | undefined;
  readonly via?: 'strings' | 'jobs';
}

/** The translator of a sync. The caller closes it. */
export interface SyncEngine {
  /** Opens the engine or connects to the service when the first text needs it. All projects share it. */
  open(): Promise<Engine>;
  /** Translates whole files, with `--via jobs`. */
  readonly files?: (() => Promise<FileTranslator>) | undefined;
  /** Undefined if translation is free. */
  readonly pricing?: Pricing | undefined;
  /** Concurrent batches, if the service's settings limit them. */
  readonly concurrency?: number | undefined;
  /** Why no local engine supports the pair; undefined if one does, or if hosted engines would have to be asked. */
  unavailable?(source: string, target: string, signal: AbortSignal): Promise<DragomanError | undefined>;
  /** The account's balance at the service; undefined if it does not report it. */
  creditsLeft?(): Promise<number | undefined>;
  /** Credits that were, or may have been, charged so far. */
  spent(): number;
  /** Money that was, or may have been, spent so far. */
  readonly spending: Spending;
  close(): Promise<void>;
}

/** @throws DragomanError like `findExecutionTarget`, and `usage` for a budget without a price or in another currency */
export async function chooseSyncEngine(
  flags: SyncEngineFlags,
  projects: readonly Project[],
  context: CommandContext,
): Promise<SyncEngine> {
  const files = await settingsOf(projects, context);
  const execution = await findExecutionTarget(flags, context.terminal, files);
  const { Budget } = await import('../../client/budget.ts');
  const budget = new Budget(flags.maxCredits);
  const prices = await findPrices(flags, files);
  const { maxCost } = flags;
  const currency = maxCost ? requireCurrency(maxCost, prices) : prices.currency;
  const spending = new Spending(currency, maxCost?.money);
  if (execution.kind === 'remote')
    return remoteEngine(execution.remote, { budget, prices, spending }, flags, context);
  const ids = enginesIn(execution.engine.id, execution.engine.options);
  refuseFlags(flags, ids);
  requirePrice(flags, prices, ids);
  const { id, options } = addServiceEngine(execution.engine, flags, context, { files, budget });
  let engine: Promise<Engine> | undefined;
  const open = (): Promise<Engine> => {
    context.terminal.heedSignals?.();
    return (engine ??= createEngine(id, { ...options, charge: prices.chargerOf(spending) }));
  };
  return {
    pricing: await localPricing(execution.engine, prices),
    open,
    ...(ids.every(isLocalEngine) && {
      unavailable: async (source, target, signal) => whyUnavailable(await open(), { source, target }, signal),
    }),
    spent: () => budget.spent,
    spending,
    close: async () => (await engine?.catch(() => undefined))?.close(),
  };
}

async function whyUnavailable(
  engine: Engine,
  { source, target }: LanguagePair,
  signal: AbortSignal,
): Promise<DragomanError | undefined> {
  // Between variants of one language, texts stay unchanged.
  if (sameLanguage(source, target) || (await engine.supports(source, target))) return undefined;
  try {
    await engine.translate({ source, target, texts: [] }, signal);
    return undefined;
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'engine_unavailable') return error;
    throw error;
  }
}

/** The prices of engines that cost something; undefined if none does. */
async function localPricing({ id, options }: EngineChoice, prices: Prices): Promise<Pricing | undefined> {
  const rules = rulesOf(id, options);
  const chains = rules && readChains(rules);
  const ids = enginesIn(id, options);
  const hasService = rules !== undefined && ids.includes(SERVICE_ENGINE);
  const hasPrice = ids.some((one) => prices.of(one));
  if (!hasService && !hasPrice) return undefined;
  const { creditsOfSegment } = await import('../../client/service-engine.ts');
  const asked = (source: string, target: string): readonly string[] =>
    chains?.enginesFor(source, target) ?? [id];
  return {
    via: 'strings',
    engine: chains?.name ?? id,
    ...(hasService && {
      creditsOf: (segment, source, target) =>
        asked(source, target).includes(SERVICE_ENGINE) ? creditsOfSegment(segment) : 0,
    }),
    ...(hasPrice && {
      costOf: (segment, source, target) =>
        asked(source, target).reduce((sum, one) => sum + segmentCost(prices.of(one), segment), 0n),
    }),
    isLimit: chains !== undefined || id === AUTO_ENGINE,
  };
}

function segmentCost(price: Price | undefined, segment: string): Money {
  return price ? costOf(price, [segment]) : 0n;
}

/** @throws DragomanError `usage` for a budget of money if nothing has a price */
function requirePrice({ maxCost }: SyncEngineFlags, prices: Prices, engines: readonly string[]): void {
  if (!maxCost) return;
  if (engines.some((id) => prices.of(id))) return;
  throw new DragomanError('usage', '--max-cost requires the price of an engine', {
    hint: 'Name it with --price 20/1M, or under `prices` in the configuration.',
  });
}

/** The budgets of a run. */
interface Means {
  readonly budget: Budget;
  readonly prices: Prices;
  readonly spending: Spending;
}

/** Refuses options that only work with a service. */
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
    ? new DragomanError('usage', '--via jobs requires a service alone: engines in a list get single texts', {
        hint: 'Leave it out, or name `service` as the only engine.',
      })
    : new DragomanError('usage', '--via jobs requires a service: local engines have no jobs', { hint });
}

/** Uses the project's own configuration in any current directory. */
async function settingsOf(
  [project]: readonly Project[],
  { terminal }: CommandContext,
): Promise<SettingsFiles> {
  if (project?.configurationPath === undefined) return new SettingsFiles(terminal);
  return new SettingsFiles({ ...terminal, cwd: project.root });
}

async function remoteEngine(
  remote: RemoteSettings,
  { budget, prices, spending }: Means,
  flags: SyncEngineFlags,
  context: CommandContext,
): Promise<SyncEngine> {
  const { createServiceEngine, creditsOfSegment } = await import('../../client/service-engine.ts');
  const { createJobTranslations, refusalOfJob } = await import('../../client/job-translations.ts');
  let connection: Promise<RemoteService> | undefined;
  const connect = (): Promise<RemoteService> => {
    context.terminal.heedSignals?.();
    return (connection ??= connectRemote(remote, flags, context));
  };
  const charge = prices.chargerOf(spending);
  const open = once(async () => charge(createServiceEngine((await connect()).service, { budget })));
  const files = once(async () => createJobTranslations(await connect(), { budget }));
  const isWhole = flags.via === 'jobs';
  if (isWhole && (flags.price ?? flags.maxCost)) {
    throw new DragomanError('usage', 'jobs are paid for in credits', {
      hint: 'Leave --price and --max-cost out; --max-credits stops a run with --via jobs.',
    });
  }
  const price = prices.of(SERVICE_ENGINE);
  if (!isWhole) requirePrice(flags, prices, [SERVICE_ENGINE]);
  if (isWhole)
    refuseResources(flags, 'Without --via jobs, the service gets single texts, and all options apply.');
  return {
    pricing: isWhole
      ? { via: 'jobs', refusal: refusalOfJob }
      : {
          via: 'strings',
          engine: SERVICE_ENGINE,
          creditsOf: creditsOfSegment,
          ...(price && { costOf: (segment) => costOf(price, [segment]) }),
        },
    files: isWhole ? files : undefined,
    creditsLeft: () => creditsLeft(connect, context.terminal.signal),
    concurrency: remote.concurrency?.value,
    open,
    spent: () => budget.spent,
    spending,
    close: async () => (await connection?.catch(() => undefined))?.close(),
  };
}

async function creditsLeft(
  connect: () => Promise<RemoteService>,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const { service } = await connect();
    return (await service.accountSummary({ signal })).credits_remaining;
  } catch (error) {
    // The balance is extra information, so its failure is not reported.
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
