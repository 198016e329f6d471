import { isObject } from '../../base/json.ts';
import { type ConfigurationFile, type ValuePath } from './schema.ts';

/** How to reach a service. Paths are as written, relative to the file that contains them. */
export interface ServiceSettings {
  /** Without a trailing slash. */
  readonly baseUrl?: string;
  readonly api?: 'v1' | 'v2';
  readonly caFile?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly concurrency?: number;
}

/** The service that a configuration chooses, by `baseUrl`, `profile` or both. */
export interface ServiceChoice extends ServiceSettings {
  readonly profile?: string;
}

export type Profiles = Readonly<Record<string, ServiceSettings>>;

/** Names that people might use to write an API key into a configuration. */
const KEY_NAME = /^(?:x[-_]?)?(?:api)?[-_]?(?:key|token|secret|password)$/i;

/**
 * Refuses keys in a configuration, because configurations are shared, shown and committed. Checked before the schema,
 * because "unknown setting" would not explain where keys belong.
 *
 * @throws DragomanError `configuration`; the message omits the key
 */
export function refuseKeys(file: ConfigurationFile): void {
  if (!isObject(file.value)) return;
  const { service, profiles } = file.value;
  const places: [ValuePath, unknown][] = [
    [[], file.value],
    [['service'], service],
    [['profiles'], profiles],
  ];
  if (isObject(profiles)) {
    for (const [name, profile] of Object.entries(profiles)) places.push([['profiles', name], profile]);
  }
  for (const [path, value] of places) {
    if (!isObject(value)) continue;
    for (const name of Object.keys(value)) {
      if (!KEY_NAME.test(name) || isObject(value[name])) continue;
      const at = [...path, name];
      throw file.errorAt(
        at,
        `\`${at.join('.')}\`: API keys do not belong in a configuration`,
        'Remove it there. dragoman login stores it in your own file; DRAGOMAN_API_KEY and --api-key-file are for scripts.',
      );
    }
  }
}

/** @throws DragomanError `configuration` at the invalid setting */
export function checkService(file: ConfigurationFile, service: ServiceChoice): ServiceChoice {
  if (service.baseUrl === undefined && service.profile === undefined) {
    throw file.errorAt(['service'], '`service` needs a `baseUrl` or a `profile`');
  }
  return { ...service, ...checkedUrl(file, service, ['service']) };
}

/** @throws DragomanError `configuration` at the invalid setting */
export function checkProfiles(file: ConfigurationFile, profiles: Profiles): Profiles {
  const checked: Record<string, ServiceSettings> = {};
  for (const [name, settings] of Object.entries(profiles)) {
    const path = ['profiles', name];
    if (!PROFILE_NAME.test(name)) {
      throw file.errorAt(path, `${JSON.stringify(name)} is not a valid profile name`, PROFILE_HINT);
    }
    checked[name] = { ...settings, ...checkedUrl(file, settings, path) };
  }
  return checked;
}

export const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
export const PROFILE_HINT = 'Names are made of letters, digits, dots, dashes and underscores.';

function checkedUrl(
  file: ConfigurationFile,
  { baseUrl }: ServiceSettings,
  path: ValuePath,
): Pick<ServiceSettings, 'baseUrl'> {
  if (baseUrl === undefined) return {};
  const at = [...path, 'baseUrl'];
  const problem = problemOfBaseUrl(baseUrl);
  if (problem !== undefined) throw file.errorAt(at, `\`${at.join('.')}\` ${problem}`);
  return { baseUrl: normalizeBaseUrl(baseUrl) };
}

/**
 * The problem with a base address; undefined if it is valid. Does not repeat the address, which may contain a
 * password.
 */
export function problemOfBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL such as https://translate.example.com';
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'must begin with https://, or http:// for loopback';
  if (username !== '' || password !== '') return 'cannot contain a user name or a password';
  return search !== '' || hash !== '' ? 'cannot have a query or a fragment' : undefined;
}

/** Normalizes a base address, so that its key can be found. The address must be valid. */
export function normalizeBaseUrl(text: string): string {
  return new URL(text).href.replace(/\/+$/, '');
}
