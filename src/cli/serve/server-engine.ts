import { DragomanError } from '../../base/errors.ts';
import { parseBaseUrl } from '../../base/http/base-url.ts';
import { enginesIn, SERVICE_ENGINE } from '../../engines/registry.ts';
import { chooseEngine, type EngineChoice } from '../engine-choice.ts';
import { flagChoice, isChoice, nameOf } from '../service/choice.ts';
import type { ServiceFlags } from '../service/options.ts';
import { findService } from '../service/execution-target.ts';
import type { RemoteSettings } from '../service/settings.ts';
import type { Terminal } from '../terminal.ts';

/** What translates for the clients of a server. */
export interface ServerEngine {
  readonly choice: EngineChoice;
  /** The service that it asks, where the engine is that or has it among others. */
  readonly upstream: RemoteSettings | undefined;
}

/**
 * A service translates for a server's clients only where it is said so: what the environment or a configuration names
 * as the service of other commands often is this server.
 *
 * @throws DragomanError `usage` for flags that name a service beside an engine that asks none, and as `chooseEngine`.
 */
export async function chooseServerEngine(flags: ServiceFlags, terminal: Terminal): Promise<ServerEngine> {
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
      hint: 'Leave --engine out, or put `service` into its list: --engine service,apertium',
    },
  );
}

/** @throws DragomanError `configuration` for a server that is its own service: every request would go round for ever. */
export function refuseItself(upstream: RemoteSettings | undefined, addresses: readonly string[]): void {
  const { value } = upstream?.baseUrl ?? {};
  if (value === undefined || !addresses.some((address) => isSame(address, value))) return;
  throw new DragomanError('configuration', `the server at ${value} would use itself for translations`, {
    hint: 'Name another service with --base-url, or another engine with --engine.',
  });
}

function isSame(address: string, baseUrl: string): boolean {
  const [own, asked] = [parseBaseUrl(address), parseBaseUrl(baseUrl)];
  if (own.origin === asked.origin) return own.prefix === asked.prefix;
  // One machine has several names for itself.
  const isHere = own.loopback || /^(?:0\.0\.0\.0|\[::\])(?=:|$)/.test(own.host);
  return isHere && asked.loopback && portOf(own.origin) === portOf(asked.origin);
}

function portOf(origin: string): string {
  const { port, protocol } = new URL(origin);
  return port || (protocol === 'https:' ? '443' : '80');
}
