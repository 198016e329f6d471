import { closing } from '../../base/closing.ts';
import { DragomanError } from '../../base/errors.ts';
import type { RemoteService } from '../../client/connect.ts';
import type { CommandContext } from '../output/command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { certificatesFor, findKey, mayReceive, refusedKey } from '../options/service-key.ts';
import type { ServiceFlags } from '../options/service.ts';
import type { RemoteSettings } from '../options/service-settings.ts';
import { SettingsFiles } from '../options/setting.ts';

/** Shorter waits for the rate limit are not reported. */
const TOLD_MS = 2_000;

export interface RemoteNeeds {
  /** False: the work needs no key, for example a health report. A string: use exactly this key. Default: true. */
  readonly key?: boolean | string;
  /** Called before each longer wait, with the reason. Default: prints a line. */
  readonly onWait?: ((reason: string, ms: number) => void) | undefined;
  /** Receives warnings about the key. Default: prints a line. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/**
 * Connects to a service, runs `work` with it and closes the connections.
 *
 * @throws DragomanError like {@link connectRemote}, and errors of `work`
 */
export async function withRemote<T>(
  remote: RemoteSettings,
  flags: ServiceFlags,
  context: CommandContext,
  work: (connection: Omit<RemoteService, 'close'>) => Promise<T>,
  needs: RemoteNeeds = {},
): Promise<T> {
  return closing(await connectRemote(remote, flags, context, needs), work);
}

/**
 * Connects to a service, without sending anything. The caller closes the connection.
 *
 * @throws DragomanError `unauthenticated` without a key, and errors of {@link findKey}
 */
export async function connectRemote(
  remote: RemoteSettings,
  flags: ServiceFlags,
  { terminal, output }: CommandContext,
  needs: RemoteNeeds = {},
): Promise<RemoteService> {
  const found = await keyFor(remote, flags, terminal, needs);
  if (found) output.conceal(found.key);
  const certificates = certificatesFor(remote, found !== undefined);
  const { onWarning = (warning: string) => output.warning(warning) } = needs;
  for (const { warning } of [found ?? {}, certificates]) if (warning !== undefined) onWarning(warning);
  const { baseUrl, api, timeout, concurrency } = remote;
  const { caFile } = certificates;
  // The client is the heaviest part of the program, so local work does not load it.
  const { connectService } = await import('../../client/connect.ts');
  return connectService({
    baseUrl: baseUrl.value,
    ...(found && { key: found.key }),
    ...(api && { api: api.value }),
    ...(timeout && { timeoutMs: timeout.value * 1000 }),
    ...(concurrency && { concurrency: concurrency.value }),
    ...(caFile !== undefined && { caFile }),
    env: terminal.env,
    onWait: tellWaits(
      needs.onWait ?? ((reason, ms) => output.message(`waiting ${Math.ceil(ms / 1000)} s: ${reason}`)),
    ),
  });
}

/** @throws DragomanError `unauthenticated` if a key is needed and none exists for this address */
async function keyFor(
  remote: RemoteSettings,
  flags: ServiceFlags,
  terminal: Terminal,
  { key: needed }: RemoteNeeds,
): Promise<{ readonly key: string; readonly warning?: string | undefined } | undefined> {
  if (typeof needed === 'string') return { key: needed };
  const found = await findKey(flags, remote, new SettingsFiles(terminal), terminal);
  if (found && mayReceive(remote, found)) return found;
  if (needed === false) return undefined;
  if (!found) throw noKey(remote);
  throw refusedKey(remote, 'name' in found.origin ? found.origin.name : 'the user');
}

/** Reports only one wait for all requests that wait for the same window. */
function tellWaits(tell: (reason: string, ms: number) => void): (reason: string, ms: number) => void {
  let until = 0;
  return (reason, ms) => {
    const now = performance.now();
    if (ms < TOLD_MS || now + ms < until + TOLD_MS) return;
    until = now + ms;
    tell(reason, ms);
  };
}

function noKey({ baseUrl, profile }: RemoteSettings): DragomanError {
  const login = `dragoman login ${profile ? `--profile ${profile.value} ` : ''}--base-url ${baseUrl.value}`;
  return new DragomanError('unauthenticated', `there is no key for ${baseUrl.value}`, {
    hint: `Store one with ${login}, set DRAGOMAN_API_KEY, or name a file with --api-key-file.`,
  });
}
