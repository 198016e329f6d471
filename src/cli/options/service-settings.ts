import { dirname, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { CONFIGURED_CHAIN, enginesIn, SERVICE_ENGINE } from '../../engines/registry.ts';
import {
  type Configuration,
  type LoadedConfiguration,
  namesEngine,
} from '../../project/config/configuration.ts';
import {
  normalizeBaseUrl,
  problemOfBaseUrl,
  PROFILE_HINT,
  PROFILE_NAME,
  type ServiceSettings,
} from '../../project/config/service.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ServiceFlags } from './service.ts';
import {
  type DescribedService,
  fromFlag,
  fromText,
  fromVariable,
  isFromCheckout,
  originIn,
  type Setting,
  settingOf,
  type SettingsFiles,
} from './setting.ts';

/** The chosen service, and the origin of each part of the choice. */
export interface RemoteSettings {
  readonly baseUrl: Setting<string>;
  /** Whether the user named the address, so that all of the user's keys may be sent there. */
  readonly isUsers: boolean;
  readonly profile?: Setting<string> | undefined;
  readonly api?: Setting<'v1' | 'v2'> | undefined;
  /** An absolute path. A project's certificates are not used for connections with a key. */
  readonly caFile?: Setting<string> | undefined;
  /** Seconds. */
  readonly timeout?: Setting<number> | undefined;
  readonly concurrency?: Setting<number> | undefined;
}

/**
 * The complete settings: from the flags, the configuration that makes the choice, and the profile.
 *
 * @throws DragomanError `usage` for an invalid address, `configuration` for an unknown profile.
 */
export async function completeChoice(
  choice: Choice,
  flags: ServiceFlags,
  files: SettingsFiles,
  terminal: Terminal,
): Promise<RemoteSettings> {
  const sources: DescribedService[] = choice.settings ? [choice.settings] : [];
  let baseUrl = choice.baseUrl && checkUrl(choice.baseUrl);
  if (choice.profile) {
    const profile = await findProfile(choice.profile, files);
    baseUrl ??= profile.baseUrl;
    // The certificates and version of a profile apply only to its own address.
    if (profile.described && baseUrl?.value === profile.baseUrl?.value) sources.push(profile.described);
  }
  if (!baseUrl) {
    throw new DragomanError('configuration', `unknown profile "${choice.profile?.value ?? ''}"`, {
      hint: `Describe it under \`profiles\` in the configuration, or store it with dragoman login --profile ${choice.profile?.value ?? 'NAME'} --base-url URL.`,
    });
  }
  const { env, cwd } = terminal;
  // If a project names an address that the user has described, the user's description also applies.
  if (isFromCheckout(baseUrl)) sources.push(...(await describedByUser(baseUrl.value, files)));
  const ofUser = sources.filter(({ loaded }) => loaded.owner === 'user');
  return {
    baseUrl,
    isUsers: await isUsersAddress(baseUrl, files, terminal),
    profile: choice.profile,
    api: fromFlag(flags.api, '--api') ?? versionOf(env['DRAGOMAN_API']) ?? firstOf(sources, 'api'),
    caFile: absolute(
      fromFlag(flags.caFile, '--ca-file') ??
        fromVariable('DRAGOMAN_CA_FILE', env) ??
        firstOf([...ofUser, ...sources], 'caFile'),
      cwd,
    ),
    timeout: fromFlag(flags.timeout, '--timeout') ?? firstOf(sources, 'timeout'),
    concurrency: fromFlag(flags.concurrency, '--concurrency') ?? firstOf(sources, 'concurrency'),
  };
}

function versionOf(text: string | undefined): Setting<'v1' | 'v2'> | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === 'v1' || text === 'v2')
    return { value: text, origin: { kind: 'environment', name: 'DRAGOMAN_API' } };
  throw new DragomanError('usage', 'DRAGOMAN_API must be v1 or v2');
}

function firstOf<K extends keyof ServiceSettings>(
  sources: readonly DescribedService[],
  name: K,
): Setting<NonNullable<ServiceSettings[K]>> | undefined {
  const source = sources.find(({ values }) => values[name] !== undefined);
  return source && settingOf(source, name);
}

/** Paths in a configuration are relative to it. */
function absolute(setting: Setting<string> | undefined, cwd: string): Setting<string> | undefined {
  if (!setting) return undefined;
  const { origin, value } = setting;
  const base = origin.kind === 'configuration' ? dirname(origin.at.file ?? cwd) : cwd;
  return { origin, value: resolve(base, value) };
}

/** Finds a profile: the user's first, then the project's, then addresses stored by a login. */
async function findProfile(
  { value: name }: Setting<string>,
  files: SettingsFiles,
): Promise<{ readonly baseUrl?: Setting<string> | undefined; readonly described?: DescribedService }> {
  if (!PROFILE_NAME.test(name)) {
    throw new DragomanError('usage', `${JSON.stringify(name)} is not a valid profile name`, {
      hint: PROFILE_HINT,
    });
  }
  for (const loaded of [await files.user(), await files.project()]) {
    const profiles = loaded?.configuration.profiles ?? {};
    const values = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (!loaded || !values) continue;
    const described: DescribedService = { values, loaded, path: ['profiles', name] };
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

/**
 * Whether the user named an address with a flag, a variable, the user's own configuration or dragoman login. A project
 * may name the same address. All other addresses came with a checkout and get no key.
 */
async function isUsersAddress(
  address: Setting<string>,
  files: SettingsFiles,
  { env }: Terminal,
): Promise<boolean> {
  if (!isFromCheckout(address)) return true;
  const variable = env['DRAGOMAN_BASE_URL'] ?? '';
  if (problemOfBaseUrl(variable) === undefined && normalizeBaseUrl(variable) === address.value) return true;
  if ((await describedByUser(address.value, files)).length > 0) return true;
  return (await files.credentials()).entries.some(({ baseUrl }) => baseUrl === address.value);
}

/** The user's settings for an address, from the service and from profiles. */
async function describedByUser(baseUrl: string, files: SettingsFiles): Promise<readonly DescribedService[]> {
  const loaded = await files.user();
  if (!loaded) return [];
  const { service = {}, profiles = {} } = loaded.configuration;
  const all: DescribedService[] = [
    { values: service, loaded, path: ['service'] },
    ...Object.entries(profiles).map(([name, values]) => ({ values, loaded, path: ['profiles', name] })),
  ];
  return all.filter(({ values }) => values.baseUrl === baseUrl);
}

/** A base address as given, the name of a profile, or both. */
interface Choice {
  readonly baseUrl?: Setting<string> | undefined;
  readonly profile?: Setting<string> | undefined;
  /** Further settings of the configuration that makes the choice. */
  readonly settings?: DescribedService | undefined;
}

/** The choice made by flags; empty for none. */
export function flagChoice({ baseUrl, profile }: ServiceFlags): Choice {
  return {
    baseUrl: fromText(baseUrl, { kind: 'flag', name: '--base-url' }),
    profile: fromText(profile, { kind: 'flag', name: '--profile' }),
  };
}

/** The choice made by the environment; empty for none. */
function environmentChoice({ env }: Terminal): Choice {
  return {
    baseUrl: fromVariable('DRAGOMAN_BASE_URL', env),
    profile: fromVariable('DRAGOMAN_PROFILE', env),
  };
}

/** The choice made by a configuration; empty for none. */
function configurationChoice(loaded: LoadedConfiguration | undefined): Choice {
  const service = loaded?.configuration.service;
  if (!loaded || !service) return {};
  const { profile, ...values } = service;
  const described: DescribedService = { values, loaded, path: ['service'] };
  return {
    baseUrl: described.values.baseUrl === undefined ? undefined : settingOf(described, 'baseUrl'),
    profile: profile === undefined ? undefined : { value: profile, origin: originIn(described, 'profile') },
    settings: described,
  };
}

export function isChoice({ baseUrl, profile }: Choice): boolean {
  return baseUrl !== undefined || profile !== undefined;
}

/** A choice's name for messages. */
export function nameOf({ baseUrl, profile }: Choice): string {
  const origin = (baseUrl ?? profile)?.origin;
  return origin && 'name' in origin ? origin.name : 'the configuration';
}

/** The choice made by flags or environment; undefined for none. */
export function namedChoice(flags: ServiceFlags, terminal: Terminal): Choice | undefined {
  return [flagChoice(flags), environmentChoice(terminal)].find(isChoice);
}

/**
 * The choice of the nearest configuration that makes one; undefined for none.
 *
 * @param besideEngines whether the translator is being chosen. The engine of a nearer configuration then overrides the
 * service of another one, and a configuration with `service` among its engines applies when that engine is created.
 */
export async function configuredChoice(
  files: SettingsFiles,
  besideEngines: boolean,
): Promise<Choice | undefined> {
  for (const load of [() => files.project(), () => files.user()]) {
    const loaded = await load();
    if (besideEngines && loaded && asksService(loaded.configuration)) return undefined;
    const choice = configurationChoice(loaded);
    if (isChoice(choice)) return choice;
    if (besideEngines && loaded && namesEngine(loaded.configuration)) return undefined;
  }
  return undefined;
}

function asksService({ engine, engines }: Configuration): boolean {
  const id = engines ? CONFIGURED_CHAIN : engine;
  return id !== undefined && enginesIn(id, { engines }).includes(SERVICE_ENGINE);
}
