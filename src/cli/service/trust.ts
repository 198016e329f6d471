import { DragomanError } from '../../base/errors.ts';
import type { FoundKey } from './key.ts';
import { isProjects, type Origin } from './setting.ts';
import type { RemoteSettings } from './settings.ts';

/** Whether a key may go to a service. Those that dragoman login stored are found by their address. */
export function mayReceive({ isUsers }: RemoteSettings, { origin }: Pick<FoundKey, 'origin'>): boolean {
  return isUsers || origin.kind === 'credentials';
}

/** The error for a key that would go to an address which only the project names. */
export function refusedKey({ baseUrl, profile }: RemoteSettings, from: string): DragomanError {
  const { value, origin } = baseUrl;
  const line = `profiles: {${profile?.value ?? 'work'}: {baseUrl: "${value}"}}`;
  return new DragomanError(
    'unauthenticated',
    `the key of ${from} is not sent to ${value}: only the configuration of the project names that address`,
    {
      at: origin.kind === 'configuration' ? origin.at : undefined,
      hint: `If you trust it, name it yourself: with --base-url ${value}, with DRAGOMAN_BASE_URL, or by the line ${line} in ~/.config/dragoman/config.yaml.`,
    },
  );
}

/** A place that a key was found in, for messages. */
export function nameOfOrigin(origin: Origin): string {
  return 'name' in origin ? origin.name : 'the user';
}

/**
 * The certificates for a connection. Those of a project do not vouch for a server that gets a key: their maker
 * could read it on its way.
 */
export function certificatesFor(
  { caFile }: RemoteSettings,
  hasKey: boolean,
): { readonly caFile?: string; readonly warning?: string } {
  if (!caFile) return {};
  if (!hasKey || !isProjects(caFile)) return { caFile: caFile.value };
  return {
    warning: `the \`caFile\` of the project is not used with a key: name ${caFile.value} with --ca-file, DRAGOMAN_CA_FILE, or beside the address in ~/.config/dragoman/config.yaml`,
  };
}
