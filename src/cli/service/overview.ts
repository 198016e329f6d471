import { configurableEngines, CONFIGURED_CHAIN, enginesIn, SERVICE_ENGINE } from '../../engines/registry.ts';
import type { Terminal } from '../terminal.ts';
import { findKey } from './key.ts';
import type { ServiceFlags } from './options.ts';
import { findService, type ExecutionTarget } from './execution-target.ts';
import { settingsOf, type Origin } from './setting.ts';
import type { SettingsFiles } from './settings-files.ts';
import type { RemoteSettings } from './settings.ts';
import { certificatesFor, mayReceive } from './trust.ts';

/** A setting that holds, for people and programs. Keys never have their value in it. */
export interface SettingLine {
  readonly name: string;
  readonly value: unknown;
  readonly origin: Origin;
}

const DEFAULT: Origin = { kind: 'default' };

/** What says how the service that was chosen is reached. */
export async function remoteLines(
  remote: RemoteSettings,
  flags: ServiceFlags,
  files: SettingsFiles,
  terminal: Terminal,
): Promise<readonly SettingLine[]> {
  const { baseUrl, profile, api, caFile, timeout, concurrency } = remote;
  const key = await findKey(flags, remote, files, terminal);
  const shownKey = key && (mayReceive(remote, key) ? HIDDEN : NOT_SENT);
  const lines: SettingLine[] = [{ name: 'baseUrl', ...baseUrl }];
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
const NOT_SENT = '(not sent: only the project names this address)';

/** What says which engine works here, and how the service is reached where that is one of several. */
export async function engineLines(
  { engine }: Extract<ExecutionTarget, { kind: 'local' }>,
  flags: ServiceFlags,
  files: SettingsFiles,
  terminal: Terminal,
): Promise<readonly SettingLine[]> {
  const { env } = terminal;
  const { timeout, concurrency } = flags;
  const configured = await settingsOf(files, [
    'engine',
    'engines',
    'engineCommand',
    ...configurableEngines,
    'formality',
    'concurrency',
  ]);
  const command = engine.options.execCommand;
  const originOf = (flag: string | undefined, option: string, variable: string, name: string): Origin => {
    if (flag !== undefined) return { kind: 'flag', name: option };
    if (env[variable]) return { kind: 'environment', name: variable };
    return configured.find((setting) => setting.name === name)?.origin ?? DEFAULT;
  };
  const chosen = originOf(flags.engine, '--engine', 'DRAGOMAN_ENGINE', 'engine');
  // A command alone chooses the engine that runs it.
  const byCommand =
    flags.engine === undefined && flags.engineCommand !== undefined && !env['DRAGOMAN_ENGINE'];
  const chain =
    engine.id === CONFIGURED_CHAIN ? configured.find(({ name }) => name === 'engines') : undefined;
  const lines: SettingLine[] = [
    chain ?? {
      name: 'engine',
      value: engine.id,
      origin: byCommand ? { kind: 'flag', name: '--engine-command' } : chosen,
    },
    ...configured.filter(({ name }) => name === 'formality' || configurableEngines.some((id) => id === name)),
  ];
  if (command !== undefined) {
    const origin = originOf(
      flags.engineCommand,
      '--engine-command',
      'DRAGOMAN_ENGINE_COMMAND',
      'engineCommand',
    );
    lines.push({ name: 'engineCommand', value: command, origin });
  }
  if (timeout !== undefined) {
    lines.push({ name: 'timeout', value: timeout, origin: { kind: 'flag', name: '--timeout' } });
  }
  const limit = configured.find(({ name }) => name === 'concurrency');
  if (concurrency !== undefined) {
    lines.push({ name: 'concurrency', value: concurrency, origin: { kind: 'flag', name: '--concurrency' } });
  } else if (limit) lines.push(limit);
  if (!enginesIn(engine.id, engine.options).includes(SERVICE_ENGINE)) return lines;
  const remote = await findService(flags, terminal, files);
  const there = remote ? await remoteLines(remote, flags, files, terminal) : [];
  return [...lines, ...there.filter(({ name }) => !lines.some((line) => line.name === name))];
}

/** What the project's configuration says of the files to translate. */
export function projectLines(files: SettingsFiles): Promise<readonly SettingLine[]> {
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
