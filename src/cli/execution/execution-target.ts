import { DragomanError } from '../../base/errors.ts';
import { enginesIn, SERVICE_ENGINE } from '../../engines/registry.ts';
import { NO_SERVICE_HINT } from '../../engines/service/description.ts';
import { chooseEngine, type EngineChoice } from './engine-choice.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  completeChoice,
  configuredChoice,
  namedChoice,
  nameOf,
  type RemoteSettings,
} from '../options/service-settings.ts';
import type { ServiceFlags } from '../options/service.ts';
import { SettingsFiles } from '../options/setting.ts';

/** Where to translate: in this process with an engine, or at a service. */
export type ExecutionTarget =
  | { readonly kind: 'local'; readonly engine: EngineChoice }
  | { readonly kind: 'remote'; readonly remote: RemoteSettings };

/**
 * Decides where to translate. Flags and environment precede the configuration, and the project's precedes the user's; a
 * configuration with both a service and an engine selects the service. The engine `service` alone is the service; in a
 * list it is one of several engines. Callers that translate immediately handle signals from here on.
 *
 * @throws DragomanError `usage` when flags and environment name both, `configuration`.
 */
export async function chooseExecutionTarget(
  flags: ServiceFlags,
  terminal: Terminal,
  files = new SettingsFiles(terminal),
): Promise<ExecutionTarget> {
  terminal.heedSignals?.();
  return findExecutionTarget(flags, terminal, files);
}

/** Like {@link chooseExecutionTarget}, for callers that first read a project. */
export async function findExecutionTarget(
  flags: ServiceFlags,
  terminal: Terminal,
  files: SettingsFiles,
): Promise<ExecutionTarget> {
  const service = namedChoice(flags, terminal);
  const named = engineNamed(flags, terminal);
  const choice = named === undefined ? (service ?? (await configuredChoice(files, true))) : undefined;
  if (choice) return { kind: 'remote', remote: await completeChoice(choice, flags, files, terminal) };
  const engine = await chooseEngine(flags, terminal, files);
  if (named !== undefined && service && !enginesIn(engine.id, engine.options).includes(SERVICE_ENGINE)) {
    throw new DragomanError(
      'usage',
      `${named} selects a local engine, ${nameOf(service)} a service: choose one`,
      { hint: 'To unset a variable for one command: DRAGOMAN_BASE_URL= dragoman …' },
    );
  }
  const remote = engine.id === SERVICE_ENGINE ? await findService(flags, terminal, files) : undefined;
  return remote ? { kind: 'remote', remote } : { kind: 'local', engine };
}

/**
 * The named or configured service, regardless of a named engine; undefined if there is neither.
 *
 * @throws DragomanError like `completeChoice`
 */
export async function findService(
  flags: ServiceFlags,
  terminal: Terminal,
  files = new SettingsFiles(terminal),
): Promise<RemoteSettings | undefined> {
  const choice = namedChoice(flags, terminal) ?? (await configuredChoice(files, false));
  return choice && completeChoice(choice, flags, files, terminal);
}

/**
 * The service, for operations that no engine supports.
 *
 * @param why why a service is needed
 * @throws DragomanError `usage` without a service
 */
export async function requireService(
  flags: ServiceFlags,
  terminal: Terminal,
  why: string,
): Promise<RemoteSettings> {
  const remote = await findService(flags, terminal);
  if (remote) return remote;
  throw new DragomanError('usage', `no service given: ${why}`, { hint: NO_SERVICE_HINT });
}

/** The flag or variable that names an engine. */
function engineNamed({ engine, engineCommand }: ServiceFlags, { env }: Terminal): string | undefined {
  if (engine !== undefined) return '--engine';
  if (engineCommand !== undefined) return '--engine-command';
  return env['DRAGOMAN_ENGINE'] ? 'DRAGOMAN_ENGINE' : undefined;
}
