import { once } from 'node:events';
import { InvalidArgumentError, Option } from 'commander';
import { RATE_LIMIT } from '../../contract/limits.ts';
import type { LogFormat, LogLevel } from '../../server/log/log.ts';
import type { RunningServer, ServerOptions } from '../../server/run-server.ts';
import type { CommandModule } from '../command.ts';
import { addDataDirectoryOption, dataDirectoryOf, type DataDirectoryOptions } from '../data-directory.ts';
import { wholeNumber } from '../engine-options.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { listenerOptions, publicUrl, type ListenFlags } from '../serve/listen-options.ts';
import { chooseServerEngine, refuseItself } from '../serve/server-engine.ts';
import { addServiceEngine } from '../service/engine.ts';
import { addRemoteOptions, type RemoteFlags } from '../service/options.ts';
import type { Terminal } from '../terminal.ts';

interface ServeFlags extends DataDirectoryOptions, ListenFlags, RemoteFlags {
  readonly engine?: string;
  readonly engineCommand?: string;
  readonly rateLimit: number;
  readonly maxConcurrency: number;
  readonly keepJobs?: number;
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
  configure(command) {
    addDataDirectoryOption(command);
    command
      .option('--host <address>', 'the address to listen on', '127.0.0.1')
      .addOption(portOption())
      .option('--engine <name>', 'what translates; default: the first engine that can')
      .option('--engine-command <command>', 'the program that the exec engine runs')
      .addOption(rateLimitOption())
      .addOption(
        new Option('--max-concurrency <n>', 'requests of one key in work at once')
          .argParser(wholeNumber)
          .default(64),
      )
      .addOption(
        new Option(
          '--keep-jobs <time>',
          'remove jobs so long after their end, as 30d or 12h; default: when they are deleted',
        ).argParser(duration),
      )
      .option('--public-url <url>', 'the base address that clients use; default: the one listened on')
      .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM)')
      .option('--tls-key <file>', 'the key of the certificate (PEM)')
      .option('--insecure-http', 'allow HTTP on addresses that other machines reach')
      .option('--webhook-allow-private', 'allow webhooks to private addresses and to this machine')
      .option('--any-case-key-header', 'accept the X-API-KEY header in any case, for proxies that change it')
      .option('--sdk-paths', "answer also at the paths of the hosted service's SDKs")
      .option('--metrics', 'answer GET /metrics, for Prometheus')
      .addOption(
        new Option(
          '--fault <kind:value>',
          'rehearse a failure: 429:N, 500:N, 503:N, drop:N, slow:MS, job-fail:CODE',
        ).argParser((value: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), value]),
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
    addRemoteOptions(command, 'the service that the engine `service` uses');
    addExamples(command, [
      [
        'dragoman serve --data-dir ./data --engine pseudo',
        'the whole service on this machine, to build against',
      ],
      ['dragoman serve --port 0 --rate-limit 0', 'on a free port, without a limit of requests'],
      [
        'dragoman serve --base-url https://translate.example.com --api-key-file key',
        'in front of another service, with accounts of its own',
      ],
      ['dragoman serve --fault 429:3 --fault slow:500', 'to test a client against failures'],
    ]);
  },

  async run(_args, flags, context) {
    const { terminal } = context;
    const { choice, upstream } = await chooseServerEngine(flags, terminal);
    const options = await readOptions(flags, terminal);
    const [{ runServer }, { createLog }] = await Promise.all([
      import('../../server/run-server.ts'),
      import('../../server/log/log.ts'),
    ]);
    const log = createLog({ level: flags.logLevel, stream: terminal.stderr, format: flags.logFormat });
    const warnings: string[] = [];
    const engine = addServiceEngine(choice, flags, context, {
      // What was lost of one client's request is no matter of another's.
      resends: true,
      onWait: (_, ms) => log.warn({ ms }, 'waiting until the service accepts requests again'),
      onWarning: (warning) => void warnings.push(warning),
    });
    try {
      const server = await runServer({ ...options, engine, log });
      try {
        refuseItself(upstream, [server.url, ...(options.publicUrl === undefined ? [] : [options.publicUrl])]);
        announce(server, options, terminal);
        log.info({ url: server.url, engine: engine.id, directory: options.directory }, 'listening');
        for (const warning of warnings) context.output.message(`warning: ${warning}`);
        if (!terminal.signal.aborted) await once(terminal.signal, 'abort');
        log.info({ url: server.url }, 'finishing what is in flight');
      } finally {
        await server.close();
      }
    } finally {
      await log.close();
    }
    return OK;
  },
};

async function readOptions(flags: ServeFlags, terminal: Terminal): Promise<Options> {
  return {
    directory: dataDirectoryOf(flags, terminal),
    listener: await listenerOptions(flags, terminal),
    rateLimit: flags.rateLimit,
    maxConcurrency: flags.maxConcurrency,
    keepMs: flags.keepJobs,
    publicUrl: publicUrl(flags.publicUrl),
    anyCaseKeyHeader: flags.anyCaseKeyHeader ?? false,
    sdkPaths: flags.sdkPaths ?? false,
    webhookAllowPrivate: flags.webhookAllowPrivate ?? false,
    metrics: flags.metrics ?? false,
    faults: flags.fault ?? [],
  };
}

type Options = Omit<ServerOptions, 'engine' | 'log'>;

/** The first line is what scripts wait for: nothing goes before it, and --quiet does not silence it. */
function announce({ url, hasAccounts }: RunningServer, options: Options, { stderr }: Terminal): void {
  const lines = [`dragoman listening on ${url}`];
  if (!hasAccounts) {
    const account = `--data-dir '${options.directory}' --email you@example.org --name You --credits 1000`;
    lines.push(`There are no keys yet. Create one: dragoman keys create ${account}`);
  }
  const isEverywhere = /^(?:0\.0\.0\.0|::|\[::\])$/.test(options.listener.host);
  if (isEverywhere && options.publicUrl === undefined) {
    lines.push(`URLs of files begin with ${url}, which other machines cannot reach: set --public-url.`);
  }
  stderr.write(`${lines.join('\n')}\n`);
}

const HOUR_MS = 3_600_000;

function duration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (unit === 'd' ? 24 : 1) * HOUR_MS;
  throw new InvalidArgumentError('It takes a number of days or hours, as 30d or 12h.');
}

function portOption(): Option {
  return new Option('--port <n>', 'the port to listen on; 0 picks a free one')
    .argParser((text) => {
      const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
      if (port <= 65_535) return port;
      throw new InvalidArgumentError('It takes a number from 0 to 65535.');
    })
    .default(8787);
}

function rateLimitOption(): Option {
  return new Option('--rate-limit <n>', 'requests of a key in a minute; 0 for any number')
    .argParser((text) => {
      if (/^\d{1,9}$/.test(text)) return Number(text);
      throw new InvalidArgumentError('It takes a whole number.');
    })
    .default(RATE_LIMIT);
}
