import { enginesIn, CONFIGURED_CHAIN, SERVICE_ENGINE } from '../../engines/registry.ts';
import {
  namesEngine,
  type Configuration,
  type LoadedConfiguration,
} from '../../project/config/configuration.ts';
import type { Terminal } from '../terminal.ts';
import type { ServiceFlags } from './options.ts';
import {
  type DescribedService,
  fromText,
  originIn,
  type Setting,
  settingOf,
  type SettingsFiles,
} from './setting.ts';

/** A base address as written somewhere, with the name of a profile, or one of both. */
export interface Choice {
  readonly baseUrl?: Setting<string> | undefined;
  readonly profile?: Setting<string> | undefined;
  /** Where a configuration makes the choice, it may say more than that. */
  readonly settings?: DescribedService | undefined;
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

/** The name of what makes a choice, for messages. */
export function nameOf({ baseUrl, profile }: Choice): string {
  const origin = (baseUrl ?? profile)?.origin;
  return origin && 'name' in origin ? origin.name : 'the configuration';
}

/** The choice of flags and environment; undefined for none. */
export function namedChoice(flags: ServiceFlags, terminal: Terminal): Choice | undefined {
  return [flagChoice(flags), environmentChoice(terminal)].find(isChoice);
}

/**
 * The choice of the nearest configuration that makes one; undefined for none.
 *
 * @param besideEngines whether it is about what translates: then the engine of a nearer configuration goes before the
 * service of another one, and one whose engines have `service` among them says itself when that is asked
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
