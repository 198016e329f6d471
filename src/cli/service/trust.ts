import { DragomanError } from '../../base/errors.ts';
import { normalizeBaseUrl, problemOfBaseUrl } from '../../project/config/service.ts';
import type { Terminal } from '../terminal.ts';
import type { FoundKey } from './key.ts';
import { isProjects, type Described, type Origin, type Setting } from './setting.ts';
import type { SettingsFiles } from './settings-files.ts';
import type { RemoteSettings } from './settings.ts';

/**
 * Whether the user named an address: with a flag, a variable, in the user's own configuration, or to dragoman login. A
 * project may name the same one. Any other came with a checkout, and keys do not go there.
 */
export async function isUsersAddress(
  address: Setting<string>,
  files: SettingsFiles,
  { env }: Terminal,
): Promise<boolean> {
  if (!isProjects(address)) return true;
  const variable = env['DRAGOMAN_BASE_URL'] ?? '';
  if (problemOfBaseUrl(variable) === undefined && normalizeBaseUrl(variable) === address.value) return true;
  if ((await describedByUser(address.value, files)).length > 0) return true;
  return (await files.credentials()).entries.some(({ baseUrl }) => baseUrl === address.value);
}

/** What the user's configuration says of an address, as the service or as profiles. */
export async function describedByUser(baseUrl: string, files: SettingsFiles): Promise<readonly Described[]> {
  const loaded = await files.user();
  if (!loaded) return [];
  const { service = {}, profiles = {} } = loaded.configuration;
  const all: Described[] = [
    { values: service, loaded, path: ['service'] },
    ...Object.entries(profiles).map(([name, values]) => ({ values, loaded, path: ['profiles', name] })),
  ];
  return all.filter(({ values }) => values.baseUrl === baseUrl);
}

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
 * The certificates for a connection. Those of a project do not vouch for a server that gets a key: whoever made them
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
