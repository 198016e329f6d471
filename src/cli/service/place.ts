import { DragomanError } from '../../base/errors.ts';
import { namesEngine } from '../../project/configuration.ts';
import { chooseEngine, type EngineChoice } from '../engine-options.ts';
import type { Terminal } from '../terminal.ts';
import {
  configurationChoice,
  environmentChoice,
  flagChoice,
  isChoice,
  nameOf,
  type Choice,
} from './choice.ts';
import type { ServiceFlags } from './options.ts';
import { SettingsFiles } from './settings-files.ts';
import { completeChoice, type RemoteSettings } from './settings.ts';

/** Where the work is done: in this process with an engine, or by a service. */
export type Place =
  | { readonly kind: 'here'; readonly engine: EngineChoice }
  | { readonly kind: 'there'; readonly remote: RemoteSettings };

/**
 * Decides where the work is done. What flags and environment name goes before the configuration, the project's before
 * the user's; a configuration that has both a service and an engine means the service.
 *
 * @throws DragomanError `usage` when flags and environment name both, `configuration`.
 */
export async function choosePlace(
  flags: ServiceFlags,
  terminal: Terminal,
  files = new SettingsFiles(terminal),
): Promise<Place> {
  const service = serviceNamed(flags, terminal);
  const engine = engineNamed(flags, terminal);
  if (service && engine !== undefined) {
    throw new DragomanError(
      'usage',
      `${engine} means an engine here, ${nameOf(service)} a service: name one of them`,
      { hint: 'An empty value takes a variable back: DRAGOMAN_BASE_URL= dragoman …' },
    );
  }
  const choice = service ?? (engine === undefined ? await configuredService(files, true) : undefined);
  return choice
    ? { kind: 'there', remote: await completeChoice(choice, flags, files, terminal) }
    : { kind: 'here', engine: await chooseEngine(flags, terminal, files) };
}

/**
 * The service for what no engine can do, whatever engine is named beside it.
 *
 * @param why a service is needed
 * @throws DragomanError `usage` when none is named
 */
export async function requireService(
  flags: ServiceFlags,
  terminal: Terminal,
  why: string,
): Promise<RemoteSettings> {
  const files = new SettingsFiles(terminal);
  const choice = serviceNamed(flags, terminal) ?? (await configuredService(files, false));
  if (choice) return completeChoice(choice, flags, files, terminal);
  throw new DragomanError('usage', `no service is named: ${why}`, {
    hint: 'Name it with --base-url, DRAGOMAN_BASE_URL or `service` in the configuration; dragoman serve starts one on this machine.',
  });
}

/** @param besideEngines whether the engine of a nearer configuration goes before the service of another one */
async function configuredService(files: SettingsFiles, besideEngines: boolean): Promise<Choice | undefined> {
  for (const load of [() => files.project(), () => files.user()]) {
    const loaded = await load();
    const choice = configurationChoice(loaded);
    if (isChoice(choice)) return choice;
    if (besideEngines && loaded && namesEngine(loaded.configuration)) return undefined;
  }
  return undefined;
}

function serviceNamed(flags: ServiceFlags, terminal: Terminal): Choice | undefined {
  return [flagChoice(flags), environmentChoice(terminal)].find(isChoice);
}

/** What names an engine: a flag or a variable. */
function engineNamed({ engine, engineCommand }: ServiceFlags, { env }: Terminal): string | undefined {
  if (engine !== undefined) return '--engine';
  if (engineCommand !== undefined) return '--engine-command';
  return env['DRAGOMAN_ENGINE'] ? 'DRAGOMAN_ENGINE' : undefined;
}
