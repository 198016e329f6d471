import { stat } from 'node:fs/promises';
import { engines as supported } from '../../../package.json';
import { DragomanError, describe } from '../../base/errors.ts';
import { throwIfAborted, unlessAborted } from '../../base/interruption.ts';
import { VERSION } from '../../base/version.ts';
import { HEALTHY } from '../../contract/account.ts';
import { readInstalled } from '../../engines/firefox/installed.ts';
import { engineVersions, installHints } from '../../engines/registry.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { type ExitCode, OK } from '../output/exit-code.ts';
import { modelsDirectoryOf, withEngine } from '../execution/engine-choice.ts';
import { addMemoryFileOption, type MemoryFlags, memoryPathOf } from '../options/memory.ts';
import { describeFrameworks } from '../project/framework-list.ts';
import { openSelected } from '../options/project.ts';
import { addServiceEngine } from '../execution/service-engine.ts';
import { chooseExecutionTarget, findService } from '../execution/execution-target.ts';
import { findKey, mayReceive } from '../options/service-key.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import { connectRemote } from '../execution/remote.ts';
import { SettingsFiles } from '../options/setting.ts';
import { pluralize, digits, sizeOf } from '../terminal/table.ts';
import { countOf, withKnownMemory } from '../execution/open-memory.ts';

type Verdict = 'ok' | 'warning' | 'problem';

/** A finding about one part of the installation. */
interface Diagnosis {
  readonly verdict: Verdict;
  /** One line, without the part's name. */
  readonly message: string;
  /** A suggestion for the user. */
  readonly hint?: string | undefined;
}

type DoctorFlags = ServiceFlags & MemoryFlags;

interface DiagnosisContext {
  readonly flags: DoctorFlags;
  readonly context: CommandContext;
  readonly files: SettingsFiles;
  /** Aborts when the check's time limit is reached. */
  readonly signal: AbortSignal;
}

/** Longer than any check takes, unless it hangs. */
const LIMIT_SECONDS = 20;

const UNWELL: ExitCode = 2;

const CHECKS: Readonly<Record<string, (circumstances: DiagnosisContext) => Promise<readonly Diagnosis[]>>> = {
  versions: checkVersions,
  configuration: checkConfiguration,
  project: checkCurrentProject,
  engine: checkEngine,
  service: checkService,
  models: checkModels,
  memory: checkMemory,
};

export const doctor: CommandModule<DoctorFlags> = {
  examples: [
    ['dragoman doctor', 'whether dragoman can work in this directory, and what to do if not'],
    ['dragoman doctor --json', 'the same as JSON, for a bug report or a script'],
  ],
  details: `Checks versions, configuration, engine or service, models and translation memory. Each check may take up to
${LIMIT_SECONDS} seconds (change this with --timeout). It uses the network only if a service or a hosted engine is configured. The exit code is 2 if there is a problem; warnings do not change it.`,
  configure(command) {
    addServiceOptions(command);
    addMemoryFileOption(command);
  },

  async run(_args, flags, context) {
    const { terminal, output } = context;
    const files = new SettingsFiles(terminal);
    const results = await Promise.all(
      Object.entries(CHECKS).map(async ([name, check]) => {
        const seconds = flags.timeout ?? LIMIT_SECONDS;
        const limit = AbortSignal.timeout(seconds * 1000);
        const signal = AbortSignal.any([terminal.signal, limit]);
        try {
          return { name, findings: await unlessAborted(check({ flags, context, files, signal }), signal) };
        } catch (error) {
          throwIfAborted(terminal.signal, 'the check was interrupted');
          return { name, findings: [limit.aborted ? tooLate(seconds) : problemOf(error)] };
        }
      }),
    );
    const checks = withoutEchoes(
      results.flatMap(({ name, findings }) => findings.map((one) => ({ name, ...one }))),
    );
    const isWell = checks.every(({ verdict }) => verdict !== 'problem');
    if (output.json) {
      output.document({
        healthy: isWell,
        checks: checks.map(({ name, verdict, message, hint }) => ({
          name,
          status: verdict,
          message: output.redact(message),
          hint: hint ?? null,
        })),
      });
    } else {
      for (const { name, verdict, message, hint } of checks) {
        output.verdict(verdict, `${name}: ${message}`);
        if (hint !== undefined) output.sentence(`  ${hint}`);
      }
    }
    return isWell ? OK : UNWELL;
  },
};

function problemOf(error: unknown): Diagnosis {
  if (!(error instanceof DragomanError)) throw error;
  return { verdict: 'problem', message: describe(error), hint: error.hint };
}

function tooLate(seconds: number): Diagnosis {
  const hint = 'Give it more time with --timeout SECONDS.';
  return { verdict: 'problem', message: `no answer within ${digits(seconds)} s`, hint };
}

/** A mistake in a configuration blocks several checks, but is reported once. */
function withoutEchoes<T extends Diagnosis>(findings: readonly T[]): readonly T[] {
  return findings.filter(
    ({ verdict, message }, i) =>
      verdict === 'ok' || findings.findIndex((earlier) => earlier.message === message) === i,
  );
}

async function checkVersions(): Promise<readonly Diagnosis[]> {
  const {
    platform,
    arch,
    versions: { node },
  } = process;
  const engines = (await engineVersions()).map(({ version }) => version);
  const message = [`dragoman ${VERSION}`, `Node ${node}`, `${platform} ${arch}`, ...engines].join(', ');
  const least = supported.node.replace('>=', '');
  const isOld = node.localeCompare(least, 'en', { numeric: true }) < 0;
  return [
    isOld
      ? { verdict: 'problem', message, hint: `dragoman needs Node ${least} or newer. Install it.` }
      : { verdict: 'ok', message },
  ];
}

async function checkConfiguration({ files, context }: DiagnosisContext): Promise<readonly Diagnosis[]> {
  const [project, user] = [await files.project(), await files.user()];
  await files.credentials();
  const paths = [project, user].flatMap((loaded) => (loaded ? context.output.shown(loaded.file.path) : []));
  if (project) return [{ verdict: 'ok', message: paths.join(', ') }];
  const message = ['this directory has no dragoman.config.yaml', ...paths].join('; ');
  return [{ verdict: 'ok', message, hint: 'dragoman init writes one for the localization files here.' }];
}

/** The frameworks of the localization files here. `status` explains why they are missing or unreadable. */
async function checkCurrentProject({ context }: DiagnosisContext): Promise<readonly Diagnosis[]> {
  try {
    const projects = await openSelected([], {}, context);
    const message = projects.flatMap(describeFrameworks).join(', ');
    return message === '' ? [] : [{ verdict: 'ok', message }];
  } catch (error) {
    if (error instanceof DragomanError) return [];
    throw error;
  }
}

async function checkEngine({
  flags,
  context,
  files,
  signal,
}: DiagnosisContext): Promise<readonly Diagnosis[]> {
  const execution = await chooseExecutionTarget(flags, context.terminal, files);
  if (execution.kind === 'remote') return [{ verdict: 'ok', message: 'the service translates' }];
  const { id, options } = addServiceEngine(execution.engine, flags, context, { files });
  return withEngine({ id, options }, async (engine) => {
    const { ready, detail, hint } = await engine.status(signal);
    if (!ready)
      return [
        {
          verdict: 'problem',
          message: `${id}: ${detail}`,
          hint: hint ?? 'dragoman engines lists the available engines.',
        },
      ];
    const { source, targets = [] } = (await files.project())?.configuration ?? {};
    const found: Diagnosis[] = [{ verdict: 'ok', message: `${id}: ${detail}` }];
    for (const target of source === undefined ? [] : targets) {
      if (source === undefined || (await engine.supports(source, target))) continue;
      const hints = await installHints(source, target);
      found.push({
        verdict: 'warning',
        message: `${id} does not translate ${source} to ${target}`,
        hint:
          hints.length === 0
            ? 'dragoman engines lists engines that do.'
            : `To add it: ${hints.join(', or ')}.`,
      });
    }
    return found;
  });
}

/** The configured service, if any: whether it accepts the key, and the account's remaining credits. */
async function checkService(circumstances: DiagnosisContext): Promise<readonly Diagnosis[]> {
  const { flags, context, files, signal } = circumstances;
  const remote = await findService(flags, context.terminal, files);
  if (!remote) return [];
  const { value: url } = remote.baseUrl;
  const found: Diagnosis[] = [];
  const onWarning = (message: string): number => found.push({ verdict: 'warning', message });
  const connection = await connectRemote(remote, flags, context, { key: false, onWarning });
  const { service } = connection;
  try {
    const { status, detail } = await service.health({ signal });
    const isHealthy = status === HEALTHY;
    found.unshift({
      verdict: isHealthy ? 'ok' : 'problem',
      message: [url, status, ...(detail === undefined ? [] : [detail])].join(': '),
    });
    const key = await findKey(flags, remote, files, context.terminal);
    if (!key || !mayReceive(remote, key)) {
      const hint = `Store one with dragoman login --base-url ${url}, or set DRAGOMAN_API_KEY.`;
      return [...found, { verdict: 'warning', message: `there is no key for ${url}`, hint }];
    }
    const { total_credits: total, credits_remaining: left } = await service.accountSummary({ signal });
    if (total === 0) return [...found, { verdict: 'ok', message: 'the key is accepted' }];
    const message = `the key is accepted; ${pluralize(left, 'credit')} left`;
    return [
      ...found,
      left > 0
        ? { verdict: 'ok', message }
        : { verdict: 'warning', message, hint: 'Translating requires credits: buy some.' },
    ];
  } catch (error) {
    return [...found, problemOf(error)];
  } finally {
    await connection.close();
  }
}

/** Checks the sizes of the firefox engine's model files. */
async function checkModels({
  context: { terminal, output },
}: DiagnosisContext): Promise<readonly Diagnosis[]> {
  const directory = modelsDirectoryOf(terminal);
  if (directory === undefined) {
    const hint = 'Name a directory with DRAGOMAN_FIREFOX_MODELS_DIR.';
    return [{ verdict: 'warning', message: 'there is no directory for translation models', hint }];
  }
  const models = await readInstalled(directory);
  const found: Diagnosis[] = [];
  for (const { name, files } of models) {
    const all = [files.model, ...(files.shortlist ? [files.shortlist] : []), ...files.vocabularies];
    const sizes = await Promise.all(
      all.map(({ path }) =>
        stat(path).then(
          ({ size }) => size,
          () => undefined,
        ),
      ),
    );
    if (all.every(({ bytes }, i) => bytes === sizes[i])) continue;
    const hint = `dragoman engines install ${name} downloads the missing files.`;
    found.push({ verdict: 'problem', message: `files of the model ${name} are missing or damaged`, hint });
  }
  if (found.length > 0) return found;
  const bytes = models.reduce((sum, model) => sum + model.bytes, 0);
  const message =
    models.length === 0
      ? `none installed in ${output.shown(directory)}`
      : `${models.map(({ name }) => name).join(', ')} (${sizeOf(bytes)} in ${output.shown(directory)})`;
  return [{ verdict: 'ok', message }];
}

async function checkMemory({ flags, context }: DiagnosisContext): Promise<readonly Diagnosis[]> {
  const { terminal, output } = context;
  const path = await memoryPathOf(flags, terminal);
  if (path === undefined) return [{ verdict: 'ok', message: 'off' }];
  const stats = await withKnownMemory(flags, terminal, (memory) => memory.stats());
  const shown = output.shown(path);
  if (!stats)
    return [{ verdict: 'ok', message: `${shown}: not created yet; the first translation creates it` }];
  return [{ verdict: 'ok', message: `${shown}: ${countOf(stats.entries)}, ${sizeOf(stats.bytes)}` }];
}
