import { resolve } from 'node:path';
import { readBounded } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Credential, isExposed } from './credentials.ts';
import type { RemoteFlags } from './service.ts';
import { isFromCheckout, type SettingOrigin, type SettingsFiles } from './setting.ts';
import type { RemoteSettings } from './service-settings.ts';

/** The key for a service, its origin, and warnings about it. */
interface FoundKey {
  readonly key: string;
  readonly origin: SettingOrigin;
  readonly warning?: string | undefined;
}

const MAX_KEY_FILE = 4096;

/**
 * Finds the key: from flags, then the environment, then the key that dragoman login stored for exactly this address. A
 * profile named by a flag overrides the environment, whose key would be for another service.
 *
 * @throws DragomanError `usage`, `unreadable_input` for a key file, `configuration`; the message omits the key
 */
export async function findKey(
  flags: RemoteFlags,
  remote: Pick<RemoteSettings, 'baseUrl' | 'profile'>,
  files: SettingsFiles,
  { env, cwd }: Terminal,
): Promise<FoundKey | undefined> {
  const { apiKey, apiKeyFile } = flags;
  if (apiKey !== undefined && apiKeyFile !== undefined) {
    throw new DragomanError('usage', '--api-key and --api-key-file both name a key');
  }
  if (apiKey !== undefined) {
    const origin: SettingOrigin = { kind: 'flag', name: '--api-key' };
    const warning =
      'other users can see the key of --api-key in the process list: use DRAGOMAN_API_KEY, --api-key-file or dragoman login instead';
    return { key: checkKey(apiKey, '--api-key'), origin, warning };
  }
  if (apiKeyFile !== undefined) {
    const origin: SettingOrigin = { kind: 'flag', name: '--api-key-file' };
    return { ...(await readKeyFile(resolve(cwd, apiKeyFile))), origin };
  }
  const variable = env['DRAGOMAN_API_KEY'];
  const isFlagged = remote.profile?.origin.kind === 'flag';
  const stored = isFlagged || !variable ? await findStored(remote, files) : undefined;
  if (stored || !variable) return stored;
  const origin: SettingOrigin = { kind: 'environment', name: 'DRAGOMAN_API_KEY' };
  return { key: checkKey(variable, 'DRAGOMAN_API_KEY'), origin };
}

/**
 * Whether a stored key is for this choice: a key is only sent to the address it was stored for, and each profile has
 * its own.
 */
export function isKeyFor(
  credential: Credential,
  { baseUrl, profile }: Pick<RemoteSettings, 'baseUrl' | 'profile'>,
): boolean {
  return credential.baseUrl === baseUrl.value && credential.profile === profile?.value;
}

async function findStored(
  remote: Pick<RemoteSettings, 'baseUrl' | 'profile'>,
  files: SettingsFiles,
): Promise<FoundKey | undefined> {
  const { file, entries, exposed } = await files.credentials();
  const entry = entries.find((credential) => isKeyFor(credential, remote));
  if (!entry || file === undefined) return undefined;
  return {
    key: checkKey(entry.key, file),
    origin: { kind: 'credentials', file },
    warning: exposed ? exposedWarning(file) : undefined,
  };
}

async function readKeyFile(path: string): Promise<{ readonly key: string; readonly warning?: string }> {
  const text = (await readBounded(path, { limit: MAX_KEY_FILE })).toString('utf8');
  const key = checkKey(text.replace(/^\ufeff/, '').trim(), path);
  return { key, ...(isExposed(path) && { warning: exposedWarning(path) }) };
}

function exposedWarning(path: string): string {
  return `other users can read ${path}, which holds a key: chmod 600 ${path}`;
}

/**
 * A key is sent unchanged in a header. Spaces and line breaks are invalid there, and are better reported here than by a
 * server.
 *
 * @throws DragomanError `usage` that names the key's origin, not its value
 */
export function checkKey(key: string, from: string): string {
  if (/^[\x21-\x7e]{1,1024}$/.test(key)) return key;
  const problem =
    key === '' ? 'is empty' : 'has spaces, line breaks or other characters that keys never contain';
  throw new DragomanError('usage', `the key of ${from} ${problem}`);
}

/** Whether a key may be sent to a service. Keys from dragoman login were already chosen by address. */
export function mayReceive({ isUsers }: RemoteSettings, { origin }: Pick<FoundKey, 'origin'>): boolean {
  return isUsers || origin.kind === 'credentials';
}

/** The error if a key would go to an address that only the project names. */
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

/**
 * The certificates for a connection. A project's certificates are not used if a key is sent, because their author could
 * intercept it.
 */
export function certificatesFor(
  { caFile }: RemoteSettings,
  hasKey: boolean,
): { readonly caFile?: string; readonly warning?: string } {
  if (!caFile) return {};
  if (!hasKey || !isFromCheckout(caFile)) return { caFile: caFile.value };
  return {
    warning: `the \`caFile\` of the project is not used with a key: name ${caFile.value} with --ca-file, DRAGOMAN_CA_FILE, or beside the address in ~/.config/dragoman/config.yaml`,
  };
}
