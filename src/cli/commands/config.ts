import { configurableEngines, CONFIGURED_CHAIN, enginesIn, SERVICE_ENGINE } from '../../engines/registry.ts';
import type { CommandModule } from '../output/command.ts';
import { locateGlossary } from '../options/glossary.ts';
import { locateMemory } from '../options/memory.ts';
import { chooseExecutionTarget, type ExecutionTarget, findService } from '../execution/execution-target.ts';
import { certificatesFor, findKey, mayReceive } from '../options/service-key.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import {
  fromFlag,
  fromVariable,
  type NamedSetting,
  type SettingOrigin,
  SettingsFiles,
  settingsOf,
} from '../options/setting.ts';
import type { RemoteSettings } from '../options/service-settings.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';

export const config: CommandModule<ServiceFlags> = {
  examples: [
    ['dragoman config', 'every setting that applies in this directory, and where it comes from'],
    ['dragoman config --profile staging --json', 'the settings with a profile, as JSON'],
  ],
  configure: addServiceOptions,

  async run(_args, flags, { terminal, output }) {
    const files = new SettingsFiles(terminal);
    const execution = await chooseExecutionTarget(flags, terminal, files);
    const chosen =
      execution.kind === 'remote'
        ? await remoteLines(execution.remote, flags, files, terminal)
        : await engineLines(execution, flags, files, terminal);
    const glossary = await locateGlossary({}, terminal, files);
    const memory = await locateMemory({}, terminal, files);
    const settings = [
      ...chosen,
      ...(glossary ? [{ name: 'glossary', ...glossary }] : []),
      ...(memory ? [{ name: 'memory', ...memory }] : []),
      ...(await projectLines(files)),
    ];
    const read = await filesRead(files);
    const isRemote = execution.kind === 'remote';
    const works = isRemote ? 'there' : 'here';
    return output.answer({ works, settings: settings.map(describe), files: read }, () => {
      for (const [name, path] of Object.entries(read))
        output.message(`${FILE_NAMES[name] ?? name}: ${path ?? 'none'}`);
      output.message(isRemote ? 'a service translates' : 'a local engine translates');
      output.table(
        settings.map(({ name, value, origin }) => [name, textOf(value), `from ${originText(origin)}`]),
      );
    });
  },
};

const FILE_NAMES: Readonly<Record<string, string>> = {
  project: "the project's configuration",
  user: 'your own configuration',
  credentials: 'stored keys',
};

/** The path of each configuration file; null if it does not exist. */
async function filesRead(files: SettingsFiles): Promise<Readonly<Record<string, string | null>>> {
  const { file, entries } = await files.credentials();
  const user = (await files.user())?.file.path;
  return {
    project: (await files.project())?.file.path ?? null,
    user: user ?? null,
    credentials: entries.length > 0 && file !== undefined ? file : null,
  };
}

function textOf(value: unknown): string {
  if (value === null) return '(none)';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function originText(origin: SettingOrigin): string {
  if (origin.kind === 'configuration') return `${origin.at.file ?? ''}:${origin.at.line}`;
  if (origin.kind === 'credentials') return `dragoman login (${origin.file})`;
  return origin.kind === 'default' ? 'default' : origin.name;
}

function describe({ name, value, origin }: NamedSetting): object {
  return {
    name,
    value,
    origin: origin.kind === 'configuration' ? { kind: origin.kind, ...origin.at } : origin,
  };
}

const DEFAULT: SettingOrigin = { kind: 'default' };

/** Settings that determine how to reach the chosen service. */
async function remoteLines(
  remote: RemoteSettings,
  flags: ServiceFlags,
  files: SettingsFiles,
  terminal: Terminal,
): Promise<readonly NamedSetting[]> {
  const { baseUrl, profile, api, caFile, timeout, concurrency } = remote;
  const key = await findKey(flags, remote, files, terminal);
  const shownKey = key && (mayReceive(remote, key) ? HIDDEN : NOT_SENT);
  const lines: NamedSetting[] = [{ name: 'baseUrl', ...baseUrl }];
  if (profile) lines.push({ name: 'profile', ...profile });
  lines.push({ name: 'api', ...(api ?? { value: 'v2', origin: DEFAULT }) });
  lines.push({ name: 'key', value: shownKey ?? null, origin: key?.origin ?? DEFAULT });
  if (caFile && certificatesFor(remote, shownKey === HIDDEN).caFile !== undefined)
    lines.push({ name: 'caFile', ...caFile });
  lines.push({ name: 'timeout', ...(timeout ?? { value: 60, origin: DEFAULT }) });
  lines.push({ name: 'concurrency', ...(concurrency ?? { value: 4, origin: DEFAULT }) });
  return lines;
}

const HIDDEN = '(hidden)';
const NOT_SENT = '(not sent: only the project configures this address)';

/** Settings that are shown as written in the configuration. */
const SHOWN: ReadonlySet<string> = new Set(['formality', 'prices', ...configurableEngines]);

/** Settings that choose the local engine, and how to reach the service if it is one of several. */
async function engineLines(
  { engine }: Extract<ExecutionTarget, { kind: 'local' }>,
  flags: ServiceFlags,
  files: SettingsFiles,
  terminal: Terminal,
): Promise<readonly NamedSetting[]> {
  const { env } = terminal;
  const { timeout, concurrency } = flags;
  const configured = await settingsOf(files, [
    'engine',
    'engines',
    'engineCommand',
    ...configurableEngines,
    'formality',
    'prices',
    'concurrency',
  ]);
  const command = engine.options.execCommand;
  const inFiles = (name: string): NamedSetting | undefined =>
    configured.find((setting) => setting.name === name);
  const originOf = (
    option: '--engine' | '--engine-command',
    name: 'engine' | 'engineCommand',
  ): SettingOrigin => {
    const variable = `DRAGOMAN_${option.slice(2).toUpperCase().replace('-', '_')}`;
    const found = fromFlag(flags[name], option) ?? fromVariable(variable, env) ?? inFiles(name);
    return found?.origin ?? DEFAULT;
  };
  const chosen = originOf('--engine', 'engine');
  // --engine-command without an engine selects the engine `exec`.
  const byCommand =
    flags.engine === undefined && flags.engineCommand !== undefined && !env['DRAGOMAN_ENGINE'];
  const chain = engine.id === CONFIGURED_CHAIN ? inFiles('engines') : undefined;
  const lines: NamedSetting[] = [
    chain ?? {
      name: 'engine',
      value: engine.id,
      origin: byCommand ? { kind: 'flag', name: '--engine-command' } : chosen,
    },
    ...configured.filter(({ name }) => SHOWN.has(name)),
  ];
  if (command !== undefined) {
    const origin = originOf('--engine-command', 'engineCommand');
    lines.push({ name: 'engineCommand', value: command, origin });
  }
  const wait = fromFlag(timeout, '--timeout');
  if (wait) lines.push({ name: 'timeout', ...wait });
  const limit = fromFlag(concurrency, '--concurrency') ?? inFiles('concurrency');
  if (limit) lines.push({ ...limit, name: 'concurrency' });
  if (!enginesIn(engine.id, engine.options).includes(SERVICE_ENGINE)) return lines;
  const remote = await findService(flags, terminal, files);
  const there = remote ? await remoteLines(remote, flags, files, terminal) : [];
  return [...lines, ...there.filter(({ name }) => !lines.some((line) => line.name === name))];
}

/** The project's settings for the files to translate. */
function projectLines(files: SettingsFiles): Promise<readonly NamedSetting[]> {
  return settingsOf(files, [
    'source',
    'targets',
    'files',
    'include',
    'exclude',
    'localeStyle',
    'locales',
    'profiles',
  ]);
}
