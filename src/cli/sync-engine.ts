import { DragomanError } from '../base/errors.ts';
import type { Engine } from '../engines/engine.ts';
import type { FileTranslator } from '../engines/file-translator.ts';
import { createEngine, SERVICE_ENGINE } from '../engines/registry.ts';
import type { Pricing } from '../project/pricing.ts';
import type { Project } from '../project/project.ts';
import type { CommandContext } from './command.ts';
import type { ServiceFlags } from './service/options.ts';
import { choosePlace } from './service/place.ts';
import { withRemote, type Connection } from './service/remote.ts';
import { SettingsFiles } from './service/settings-files.ts';
import type { RemoteSettings } from './service/settings.ts';

export interface SyncFlags extends ServiceFlags {
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

/** @throws DragomanError as `choosePlace`, and `usage` for a budget where nothing costs anything. */
export async function chooseSyncEngine(
  flags: SyncFlags,
  projects: readonly Project[],
  context: CommandContext,
): Promise<SyncEngine> {
  const place = await choosePlace(flags, context.terminal, await settingsOf(projects, context));
  if (place.kind === 'there') return remoteEngine(place.remote, flags, context);
  const hint = 'Name the service with --base-url, DRAGOMAN_BASE_URL or `service` in the configuration.';
  if (flags.maxCredits !== undefined) {
    throw new DragomanError('usage', '--max-credits is for a service: an engine here costs nothing', {
      hint,
    });
  }
  if (flags.via === 'jobs') {
    throw new DragomanError('usage', '--via jobs is for a service: there are no jobs here', { hint });
  }
  const { id, options } = place.engine;
  let engine: Promise<Engine> | undefined;
  return {
    open: () => (engine ??= createEngine(id, options)),
    spent: () => 0,
    close: async () => (await engine?.catch(() => undefined))?.close(),
  };
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
  flags: SyncFlags,
  context: CommandContext,
): Promise<SyncEngine> {
  const { createServiceEngine, creditsOfSegment } = await import('../client/service-engine.ts');
  const { createJobTranslations, refusalOfJob } = await import('../client/job-translations.ts');
  const { Budget } = await import('../client/budget.ts');
  const budget = new Budget(flags.maxCredits);
  const session = new Session(remote, flags, context);
  const open = once(async () => createServiceEngine((await session.connect()).service, { budget }));
  const files = once(async () => createJobTranslations(await session.connect(), { budget }));
  const isWhole = flags.via === 'jobs';
  return {
    pricing: isWhole
      ? { via: 'jobs', refusal: refusalOfJob }
      : { via: 'strings', engine: SERVICE_ENGINE, creditsOf: creditsOfSegment },
    files: isWhole ? files : undefined,
    concurrency: remote.concurrency?.value,
    open,
    spent: () => budget.spent,
    close: () => session.close(),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** A connection that lives until it is closed, where {@link withRemote} has one that lives as long as a function. */
class Session {
  readonly #begin: () => Promise<Connection>;
  #running: Promise<void> | undefined;
  #end: () => void = () => undefined;

  constructor(remote: RemoteSettings, flags: SyncFlags, context: CommandContext) {
    this.#begin = () =>
      new Promise<Connection>((resolve, reject) => {
        const ended = new Promise<void>((end) => (this.#end = end));
        this.#running = withRemote(remote, flags, context, (connection) => {
          resolve(connection);
          return ended;
        }).catch(reject);
      });
  }

  connect(): Promise<Connection> {
    return this.#begin();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#running;
  }
}
