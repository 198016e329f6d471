import { dirname, resolve } from 'node:path';
import { DragomanError, type Location } from '../../base/errors.ts';
import {
  normalizeBaseUrl,
  PROFILE_HINT,
  PROFILE_NAME,
  problemOfBaseUrl,
  type ServiceSettings,
} from '../../project/configuration-service.ts';
import type { Configuration, LoadedConfiguration } from '../../project/configuration.ts';
import type { ValuePath } from '../../project/schema.ts';
import type { Terminal } from '../terminal.ts';
import type { ServiceFlags } from './options.ts';
import type { SettingsFiles } from './settings-files.ts';

/** Where a value comes from. */
export type Origin =
  | { readonly kind: 'flag' | 'environment'; readonly name: string }
  | { readonly kind: 'configuration'; readonly at: Location }
  | { readonly kind: 'credentials'; readonly file: string }
  | { readonly kind: 'default' };

export interface Setting<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** The service that was chosen, and where each part of the choice comes from. */
export interface RemoteSettings {
  readonly baseUrl: Setting<string>;
  readonly profile?: Setting<string> | undefined;
  readonly api?: Setting<'v1' | 'v2'> | undefined;
  /** Absolute. */
  readonly caFile?: Setting<string> | undefined;
  /** Seconds. */
  readonly timeout?: Setting<number> | undefined;
  readonly concurrency?: Setting<number> | undefined;
}

/** A base address as written somewhere, with the name of a profile, or one of both. */
export interface Choice {
  readonly baseUrl?: Setting<string> | undefined;
  readonly profile?: Setting<string> | undefined;
  /** Where a configuration makes the choice, it may say more than that. */
  readonly settings?: Described | undefined;
}

interface Described {
  readonly values: ServiceSettings;
  readonly loaded: LoadedConfiguration;
  readonly path: ValuePath;
}

/** What flags name; empty for none. */
export function flagChoice({ baseUrl, profile }: ServiceFlags): Choice {
  return {
    baseUrl: fromText(baseUrl, { kind: 'flag', name: '--base-url' }),
    profile: fromText(profile, { kind: 'flag', name: '--profile' }),
  };
}

/** What the environment names; empty for none. */
export function environmentChoice({ env }: Terminal): Choice {
  return {
    baseUrl: fromText(env['DRAGOMAN_BASE_URL'], { kind: 'environment', name: 'DRAGOMAN_BASE_URL' }),
    profile: fromText(env['DRAGOMAN_PROFILE'], { kind: 'environment', name: 'DRAGOMAN_PROFILE' }),
  };
}

/** What a configuration names; empty for none. */
export function configurationChoice(loaded: LoadedConfiguration | undefined): Choice {
  const service = loaded?.configuration.service;
  if (!loaded || !service) return {};
  const { profile, ...values } = service;
  const described: Described = { values, loaded, path: ['service'] };
  return {
    baseUrl: described.values.baseUrl === undefined ? undefined : settingOf(described, 'baseUrl'),
    profile: profile === undefined ? undefined : { value: profile, origin: originIn(described, 'profile') },
    settings: described,
  };
}

export function isChoice({ baseUrl, profile }: Choice): boolean {
  return baseUrl !== undefined || profile !== undefined;
}

/** The name of what makes a choice, for messages. */
export function nameOf({ baseUrl, profile }: Choice): string {
  const origin = (baseUrl ?? profile)?.origin;
  return origin && 'name' in origin ? origin.name : 'the configuration';
}

/** An empty value is none: that is how a variable is taken back for one command. */
function fromText(value: string | undefined, origin: Origin): Setting<string> | undefined {
  return value === undefined || value === '' ? undefined : { value, origin };
}

/**
 * The whole of what was chosen: the flags' own settings, those of the configuration that chose, and of the profile.
 *
 * @throws DragomanError `usage` for an address that is none, `configuration` for a profile that nobody knows.
 */
export async function completeChoice(
  choice: Choice,
  flags: ServiceFlags,
  files: SettingsFiles,
  terminal: Terminal,
): Promise<RemoteSettings> {
  const sources: Described[] = choice.settings ? [choice.settings] : [];
  let baseUrl = choice.baseUrl && checkUrl(choice.baseUrl);
  if (choice.profile) {
    const profile = await findProfile(choice.profile, files);
    if (profile.described) sources.push(profile.described);
    baseUrl ??= profile.baseUrl;
    // Another address than the profile's own: what it says of certificates and versions is of that one.
    if (baseUrl && profile.baseUrl && baseUrl.value !== profile.baseUrl.value) sources.length = 0;
  }
  if (!baseUrl) {
    throw new DragomanError('configuration', `there is no profile "${choice.profile?.value ?? ''}"`, {
      hint: `Describe it under \`profiles\` in the configuration, or store it with dragoman login --profile ${choice.profile?.value ?? 'NAME'} --base-url URL.`,
    });
  }
  const { env, cwd } = terminal;
  const api = env['DRAGOMAN_API'];
  return {
    baseUrl,
    profile: choice.profile,
    api:
      fromFlag(flags.api, '--api') ??
      (api === 'v1' || api === 'v2'
        ? { value: api, origin: { kind: 'environment', name: 'DRAGOMAN_API' } }
        : firstOf(sources, 'api')),
    caFile: absolute(
      fromFlag(flags.caFile, '--ca-file') ??
        fromText(env['DRAGOMAN_CA_FILE'], { kind: 'environment', name: 'DRAGOMAN_CA_FILE' }) ??
        firstOf(sources, 'caFile'),
      cwd,
    ),
    timeout: fromFlag(flags.timeout, '--timeout') ?? firstOf(sources, 'timeout'),
    concurrency: fromFlag(flags.concurrency, '--concurrency') ?? firstOf(sources, 'concurrency'),
  };
}

function fromFlag<T>(value: T | undefined, name: string): Setting<T> | undefined {
  return value === undefined ? undefined : { value, origin: { kind: 'flag', name } };
}

function firstOf<K extends keyof ServiceSettings>(
  sources: readonly Described[],
  name: K,
): Setting<NonNullable<ServiceSettings[K]>> | undefined {
  const source = sources.find(({ values }) => values[name] !== undefined);
  return source && settingOf(source, name);
}

function settingOf<K extends keyof ServiceSettings>(
  described: Described,
  name: K,
): Setting<NonNullable<ServiceSettings[K]>> | undefined {
  const value = described.values[name];
  return value === undefined ? undefined : { value, origin: originIn(described, name) };
}

function originIn({ loaded, path }: Described, name: string): Origin {
  return { kind: 'configuration', at: loaded.file.placeOf([...path, name]) };
}

/** Files that a configuration names lie beside it. */
function absolute(setting: Setting<string> | undefined, cwd: string): Setting<string> | undefined {
  if (!setting) return undefined;
  const { origin, value } = setting;
  const base = origin.kind === 'configuration' ? dirname(origin.at.file ?? cwd) : cwd;
  return { origin, value: resolve(base, value) };
}

/** The project's own profiles first, then the user's, then what a login stored with a base address. */
async function findProfile(
  { value: name }: Setting<string>,
  files: SettingsFiles,
): Promise<{ readonly baseUrl?: Setting<string> | undefined; readonly described?: Described }> {
  if (!PROFILE_NAME.test(name)) {
    throw new DragomanError('usage', `${JSON.stringify(name)} cannot be the name of a profile`, {
      hint: PROFILE_HINT,
    });
  }
  for (const loaded of [await files.project(), await files.user()]) {
    const profiles = loaded?.configuration.profiles ?? {};
    const values = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (!loaded || !values) continue;
    const described: Described = { values, loaded, path: ['profiles', name] };
    return { baseUrl: settingOf(described, 'baseUrl'), described };
  }
  const { file, entries } = await files.credentials();
  const entry = entries.find(({ profile }) => profile === name);
  if (!entry || file === undefined) return {};
  return { baseUrl: { value: entry.baseUrl, origin: { kind: 'credentials', file } } };
}

function checkUrl({ value, origin }: Setting<string>): Setting<string> {
  const problem = problemOfBaseUrl(value);
  if (problem === undefined) return { value: normalizeBaseUrl(value), origin };
  throw new DragomanError('usage', `${'name' in origin ? origin.name : 'the base address'} ${problem}`);
}

/** Settings by name, each from the nearest configuration that has it. */
export async function settingsOf(
  files: SettingsFiles,
  names: readonly (keyof Configuration)[],
): Promise<readonly { readonly name: string; readonly value: unknown; readonly origin: Origin }[]> {
  const found: { name: string; value: unknown; origin: Origin }[] = [];
  for (const name of names) {
    for (const loaded of [await files.project(), await files.user()]) {
      const value = loaded?.configuration[name];
      if (!loaded || value === undefined) continue;
      const plain: unknown = value instanceof Map ? Object.fromEntries(value) : value;
      found.push({ name, value: plain, origin: { kind: 'configuration', at: loaded.file.placeOf([name]) } });
      break;
    }
  }
  return found;
}
