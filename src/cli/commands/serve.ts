import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { parseBaseUrl } from '../../base/http/base-url.ts';
import { RATE_LIMIT } from '../../contract/limits.ts';
import { enginesIn, SERVICE_ENGINE } from '../../engines/registry.ts';
import type { StoredMemory } from '../../memory/stored-memory.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import type { Log, LogFormat, LogLevel } from '../../server/log/log.ts';
import type { ReadyMessage } from '../../server/processes/calls.ts';
import type { SiblingProcesses } from '../../server/processes/siblings.ts';
import type { ServerOptions } from '../../server/run-server.ts';
import type { StorePlace } from '../../store/open-store.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { type ExitCode, OK } from '../output/exit-code.ts';
import { chooseEngine, type EngineChoice } from '../execution/engine-choice.ts';
import { duration, wholeNumber, portNumber } from '../options/engine.ts';
import { markRare } from '../output/help.ts';
import { flagChoice, isChoice, nameOf, type RemoteSettings } from '../options/service-settings.ts';
import { addServiceEngine } from '../execution/service-engine.ts';
import { findService } from '../execution/execution-target.ts';
import { addRemoteOptions, type RemoteFlags, type ServiceFlags } from '../options/service.ts';
import { addStoreOptions, bucketOf, storePlaceOf, type StoreOptions } from '../options/store.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { listenerOptions, type ListenFlags, publicUrl } from './serve/listening.ts';
import { repeatable } from '../options/repeatable.ts';

interface ServeFlags extends StoreOptions, ListenFlags, RemoteFlags {
  readonly files?: string;
  readonly engine?: string;
  readonly engineCommand?: string;
  readonly glossary?: string;
  readonly memory?: string;
  readonly processes: number;
  readonly rateLimit: number;
  readonly maxConcurrency: number;
  readonly keepJobs?: number;
  readonly jobWorkers?: number;
  readonly publicUrl?: string;
  readonly webhookAllowPrivate?: boolean;
  readonly anyCaseKeyHeader?: boolean;
  readonly sdkPaths?: boolean;
  readonly metrics?: boolean;
  readonly fault?: readonly string[];
  readonly logLevel: LogLevel;
  readonly logFormat?: LogFormat;
}

export const serve: CommandModule<ServeFlags> = {
  variables: 'DRAGOMAN_SERVE_',
  examples: [
    [
      'dragoman serve --data-dir ./data --engine pseudo',
      'the whole service on this machine, to build against',
    ],
    ['dragoman serve --port 0 --rate-limit 0', 'on a free port, without a request limit'],
    [
      'dragoman serve --base-url https://translate.example.com --api-key-file key',
      'in front of another service, with its own accounts',
    ],
    ['dragoman serve --fault 429:3 --fault slow:500', 'to test a client against failures'],
  ],
  details: `Each option can also be set by a variable, which suits containers: DRAGOMAN_SERVE_ and its name, such as
DRAGOMAN_SERVE_RATE_LIMIT=0, DRAGOMAN_SERVE_METRICS=true, DRAGOMAN_SERVE_FAULT=429:3,slow:500.`,
  configure(command) {
    addStoreOptions(command);
    command
      .option('--files <url>', 'bucket for job files, s3://…; default: the store itself')
      .option('--host <address>', 'the address to listen on', '127.0.0.1')
      .option('--port <n>', 'the port to listen on; 0 picks a free one', portNumber, 8787)
      .option('--engine <name>', 'engine to use; default: the first that supports the language pair')
      .option('--engine-command <command>', 'the program that the exec engine runs')
      .option('--glossary <file>', 'terms with translations, for all accounts')
      .option('--memory <file>', 'a translation memory to read for all accounts')
      .option('--processes <n>', 'processes that share the port; `auto`: one per processor', processCount, 1)
      .option('--rate-limit <n>', 'requests per key and minute; 0: unlimited', requestCount, RATE_LIMIT)
      .option('--max-concurrency <n>', 'maximum concurrent requests per key', wholeNumber, 64)
      .option(
        '--keep-jobs <time>',
        'remove finished jobs after this time, such as 30d or 12h; default: keep them',
        duration,
      )
      .option(
        '--job-workers <n>',
        'files translated at once; default: the number of processors minus one',
        wholeNumber,
      )
      .option('--public-url <url>', 'the base URL that clients use; default: the address listened on')
      .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM)')
      .option('--tls-key <file>', 'the key of the certificate (PEM)')
      .option('--insecure-http', 'allow HTTP on addresses that other machines can reach')
      .option('--webhook-allow-private', 'allow webhooks to private addresses and to this machine')
      .option('--any-case-key-header', 'accept the X-API-KEY header in any case, for proxies that change it')
      .option('--sdk-paths', "also answer at the paths that the hosted service's SDKs use")
      .option('--metrics', 'answer GET /metrics, for Prometheus')
      .option(
        '--fault <kind:value>',
        'simulate a failure: 429:N, 500:N, 503:N, drop:N, slow:MS, job-fail:CODE',
        repeatable,
      )
      .addOption(
        new Option('--log-level <level>', 'the least important messages to log')
          .choices(['debug', 'info', 'warn', 'error', 'silent'])
          .default('info'),
      )
      .addOption(
        new Option('--log-format <format>', 'default: text on a terminal, json elsewhere').choices([
          'json',
          'text',
        ]),
      );
    markRare(
      command,
      '--files',
      '--engine-command',
      '--rate-limit',
      '--max-concurrency',
      '--any-case-key-header',
    );
    markRare(command, '--metrics', '--fault', '--log-level', '--log-format', '--insecure-http');
    addRemoteOptions(command, 'the service that the engine `service` uses');
  },

  async run(_args, flags, context) {
    const { terminal } = context;
    const { choice, upstream } = await chooseServerEngine(flags, terminal);
    const options = await readOptions(flags, terminal);
    const serving: Serving = { flags, context, choice, upstream, options };
    if (flags.processes === 1) return serveInProcess(serving);
    const { joinServer, leaveServer } = await import('../../server/processes/primary.ts');
    const siblings = await joinServer();
    if (!siblings) return serveByProcesses(serving);
    try {
      return await serveInProcess(serving, siblings);
    } catch (error) {
      // The primary process reports the error once for all processes.
      siblings.fail(error);
      return 1;
    } finally {
      leaveServer();
    }
  },
};

interface Serving extends ServerEngine {
  readonly flags: ServeFlags;
  readonly context: CommandContext;
  readonly options: ServeOptions;
}

/** Serves in this process, as the whole server or as one of several processes. */
async function serveInProcess(serving: Serving, siblings?: SiblingProcesses): Promise<ExitCode> {
  const { flags, context, choice, upstream, options } = serving;
  const { terminal } = context;
  const [{ runServer }, log] = await Promise.all([
    import('../../server/run-server.ts'),
    openLog(serving, siblings !== undefined),
  ]);
  const warnings: string[] = [];
  const engine = addServiceEngine(choice, flags, context, {
    // A lost request of one client must not affect the others.
    resends: true,
    onWait: (_, ms) => log.warn({ ms }, 'waiting until the service accepts requests again'),
    onWarning: (warning) => void warnings.push(warning),
  });
  const memory = await openMemory(flags, terminal);
  try {
    const server = await runServer({ ...options, memory, engine, log, siblings });
    try {
      const { url, hasAccounts } = server;
      refuseOwnAddress(upstream, [url, ...(options.publicUrl === undefined ? [] : [options.publicUrl])]);
      const announced = { url, hasAccounts, warnings: [...warnings, ...server.warnings] };
      if (siblings) siblings.ready(announced);
      else await announce(announced, serving, log);
      await aborted(siblings ? AbortSignal.any([terminal.signal, siblings.stop]) : terminal.signal);
      if (!siblings) log.info({ url }, 'finishing requests in flight');
    } finally {
      await server.close();
    }
  } finally {
    await memory?.close();
    await log.close();
  }
  return OK;
}

/** Starts the server processes, and ends when they have ended. */
async function serveByProcesses(serving: Serving): Promise<ExitCode> {
  const { flags, context } = serving;
  const { signal } = context.terminal;
  const [{ startProcesses }, log] = await Promise.all([
    import('../../server/processes/primary.ts'),
    openLog(serving, true),
  ]);
  try {
    const { listener } = serving.options;
    const processes = await startProcesses({ count: flags.processes, listener, signal, log });
    try {
      const { server } = processes;
      if (!server) return OK;
      await announce(server, serving, log);
      await Promise.race([processes.failed, aborted(signal)]);
      log.info({ url: server.url }, 'finishing requests in flight');
    } finally {
      await processes.close();
    }
  } finally {
    await log.close();
  }
  return OK;
}

async function openLog({ flags, context }: Serving, isShared: boolean): Promise<Log> {
  const { createLog } = await import('../../server/log/log.ts');
  return createLog({
    level: flags.logLevel,
    stream: context.terminal.stderr,
    format: flags.logFormat,
    isShared,
  });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

async function readOptions(flags: ServeFlags, terminal: Terminal): Promise<ServeOptions> {
  const store = requireSharable(storePlaceOf(flags, terminal), flags);
  return {
    store,
    files: await bucketOf('--files', flags.files, store, terminal),
    listener: await listenerOptions(flags, terminal),
    glossary: await glossaryOf(flags, terminal),
    rateLimit: flags.rateLimit,
    maxConcurrency: flags.maxConcurrency,
    keepMs: flags.keepJobs,
    jobWorkers: flags.jobWorkers,
    publicUrl: publicUrl(flags.publicUrl),
    anyCaseKeyHeader: flags.anyCaseKeyHeader ?? false,
    sdkPaths: flags.sdkPaths ?? false,
    webhookAllowPrivate: flags.webhookAllowPrivate ?? false,
    metrics: flags.metrics ?? false,
    faults: flags.fault ?? [],
  };
}

/**
 * The named memory, which must exist, because a server does not create one.
 *
 * @throws DragomanError `not_found`, and the errors of `openTranslationMemory`
 */
async function openMemory({ memory }: ServeFlags, { cwd }: Terminal): Promise<StoredMemory | undefined> {
  if (memory === undefined) return undefined;
  const path = resolve(cwd, memory);
  if (typeAt(path) === undefined)
    throw new DragomanError('not_found', `there is no translation memory ${path}`);
  const { openTranslationMemory } = await import('../../memory/translation-memory.ts');
  return openTranslationMemory(path, { isReading: true });
}

/** The named glossary only: one found next to a project does not belong to a server. @throws like `loadGlossary` */
async function glossaryOf({ glossary }: ServeFlags, { cwd }: Terminal): Promise<Glossary | undefined> {
  if (glossary === undefined) return undefined;
  const { loadGlossary } = await import('../../project/glossary/glossary.ts');
  return loadGlossary(resolve(cwd, glossary));
}

/** @throws DragomanError `usage` for options that do not work with several servers on one store */
function requireSharable(place: StorePlace, { publicUrl, fault, processes }: ServeFlags): StorePlace {
  if (fault !== undefined && processes > 1) {
    throw new DragomanError('usage', '--fault simulates failures of one process', {
      hint: 'Use --processes 1 with --fault.',
    });
  }
  if ('directory' in place) return place;
  if (publicUrl === undefined) {
    throw new DragomanError('usage', '--public-url is required with a shared store', {
      hint: 'Name the address that clients use with --public-url.',
    });
  }
  if (fault === undefined) return place;
  throw new DragomanError('usage', '--fault simulates failures of one server, and the store is shared', {
    hint: 'Use --data-dir with --fault.',
  });
}

/** A description without the password. */
async function describeStore({ store }: ServeOptions): Promise<string> {
  if ('directory' in store) return store.directory;
  const { describePlace } = await import('../../store/postgres/place.ts');
  return describePlace(store);
}

type ServeOptions = Omit<ServerOptions, 'engine' | 'log' | 'siblings'>;

/** Scripts wait for this line, so it comes first, and --quiet does not suppress it. */
async function announce(server: ReadyMessage, serving: Serving, log: Log): Promise<void> {
  const { url, hasAccounts, warnings } = server;
  const { choice, options, context } = serving;
  const lines = [`dragoman listening on ${url}`];
  if (!hasAccounts) {
    lines.push(`Documentation: ${url}/docs`);
    const store = 'directory' in options.store ? `--data-dir '${options.store.directory}' ` : '';
    const account = `${store}--email you@example.org --name You --credits 1000`;
    lines.push(`There are no keys yet. Create one: dragoman keys create ${account}`);
  }
  const isEverywhere = /^(?:0\.0\.0\.0|::|\[::\])$/.test(options.listener.host);
  if (isEverywhere && options.publicUrl === undefined) {
    lines.push(`URLs of files begin with ${url}, which other machines cannot reach: set --public-url.`);
  }
  context.terminal.stderr.write(`${lines.join('\n')}\n`);
  log.info({ url, engine: choice.id, store: await describeStore(options) }, 'listening');
  for (const warning of warnings) context.output.warning(warning);
}

function processCount(text: string): number {
  return text === 'auto' ? availableParallelism() : wholeNumber(text);
}

function requestCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number.');
}

/** The engine that translates for a server's clients. */
interface ServerEngine {
  readonly choice: EngineChoice;
  /** The service that the engine calls, alone or as one of several engines. */
  readonly upstream: RemoteSettings | undefined;
}

/**
 * Clients' texts are sent to a service only if it is named explicitly, because the service that the environment or a
 * configuration names for other commands is often this server.
 *
 * @throws DragomanError `usage` for flags of a service that the engine does not use, and like `chooseEngine`
 */
async function chooseServerEngine(flags: ServiceFlags, terminal: Terminal): Promise<ServerEngine> {
  const service = flagChoice(flags);
  const isNamed =
    (flags.engine ?? flags.engineCommand ?? (terminal.env['DRAGOMAN_ENGINE'] || undefined)) !== undefined;
  const choice = await chooseEngine(
    isChoice(service) && !isNamed ? { ...flags, engine: SERVICE_ENGINE } : flags,
    terminal,
  );
  if (enginesIn(choice.id, choice.options).includes(SERVICE_ENGINE)) {
    return { choice, upstream: await findService(flags, terminal) };
  }
  if (!isChoice(service)) return { choice, upstream: undefined };
  throw new DragomanError(
    'usage',
    `${nameOf(service)} names a service, which the engine ${choice.id} does not use`,
    {
      hint: 'Leave out --engine, or add `service` to it: --engine service,apertium',
    },
  );
}

/** @throws DragomanError `configuration` if the server is its own service, because requests would loop forever */
export function refuseOwnAddress(upstream: RemoteSettings | undefined, addresses: readonly string[]): void {
  const { value } = upstream?.baseUrl ?? {};
  if (value === undefined || !addresses.some((address) => isSame(address, value))) return;
  throw new DragomanError('configuration', `the server at ${value} would use itself for translations`, {
    hint: 'Name another service with --base-url, or another engine with --engine.',
  });
}

function isSame(address: string, baseUrl: string): boolean {
  const [own, asked] = [parseBaseUrl(address), parseBaseUrl(baseUrl)];
  if (own.origin === asked.origin) return own.prefix === asked.prefix;
  // All loopback names refer to the same machine.
  const isLoopback = own.loopback || /^(?:0\.0\.0\.0|\[::\])(?=:|$)/.test(own.host);
  return isLoopback && asked.loopback && portOf(own.origin) === portOf(asked.origin);
}

function portOf(origin: string): string {
  const { port, protocol } = new URL(origin);
  return port || (protocol === 'https:' ? '443' : '80');
}
