import { normalizeBaseUrl, problemOfBaseUrl } from '../../project/config/service.ts';
import type { Terminal } from '../terminal.ts';
import { isProjects, type Described, type Setting } from './setting.ts';
import type { SettingsFiles } from './settings-files.ts';

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
