import { resolve } from 'node:path';
import type { Location } from '../../base/errors.ts';
import type {
  Configuration,
  ConfigurationOwner,
  LoadedConfiguration,
} from '../../project/config/configuration.ts';
import type { ValuePath } from '../../project/config/schema.ts';
import type { ServiceSettings } from '../../project/config/service.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Credentials, readCredentials } from './credentials.ts';

/** The origin of a value. */
export type SettingOrigin =
  | { readonly kind: 'flag' | 'environment'; readonly name: string }
  | { readonly kind: 'configuration'; readonly owner: ConfigurationOwner; readonly at: Location }
  | { readonly kind: 'credentials'; readonly file: string }
  | { readonly kind: 'default' };

export interface Setting<T> {
  readonly value: T;
  readonly origin: SettingOrigin;
}

export interface NamedSetting extends Setting<unknown> {
  readonly name: string;
}

/** A service described in a configuration, and the origin of the description. */
export interface DescribedService {
  readonly values: ServiceSettings;
  readonly loaded: LoadedConfiguration;
  readonly path: ValuePath;
}

/** An empty value counts as unset, so that a variable can be cleared for one command. */
export function fromText(value: string | undefined, origin: SettingOrigin): Setting<string> | undefined {
  return value === undefined || value === '' ? undefined : { value, origin };
}

export function fromFlag<T>(value: T | undefined, name: string): Setting<T> | undefined {
  return value === undefined ? undefined : { value, origin: { kind: 'flag', name } };
}

/** A setting of the environment. */
export function fromVariable(name: string, env: Terminal['env']): Setting<string> | undefined {
  return fromText(env[name], { kind: 'environment', name });
}

/** Turns off the glossary or the memory. */
export const OFF = 'off';

/** The setting of `--glossary` or `--memory`, whose value is a path and `false` for `--no-…`, or of its variable. */
export function namedFile(
  name: 'glossary' | 'memory',
  flag: string | boolean | undefined,
  { env, cwd }: Terminal,
): Setting<string> | undefined {
  if (flag === false) return fromFlag(OFF, `--no-${name}`);
  const named =
    (typeof flag === 'string' ? fromFlag(flag, `--${name}`) : undefined) ??
    fromVariable(`DRAGOMAN_${name.toUpperCase()}`, env);
  return named && resolveIn(cwd, named);
}

/** The setting with an absolute path. */
export function resolveIn(directory: string, { value, origin }: Setting<string>): Setting<string> {
  return { value: value === OFF ? OFF : resolve(directory, value), origin };
}

export function settingOf<K extends keyof ServiceSettings>(
  described: DescribedService,
  name: K,
): Setting<NonNullable<ServiceSettings[K]>> | undefined {
  const value = described.values[name];
  return value === undefined ? undefined : { value, origin: originIn(described, name) };
}

export function originIn({ loaded, path }: DescribedService, name: string): SettingOrigin {
  return configurationOrigin(loaded, [...path, name]);
}

export function configurationOrigin({ file, owner }: LoadedConfiguration, path: ValuePath): SettingOrigin {
  return { kind: 'configuration', owner, at: file.placeOf(path) };
}

/** Whether a value comes from a checkout. */
export function isFromCheckout({ origin }: Setting<unknown>): boolean {
  return origin.kind === 'configuration' && origin.owner === 'project';
}

/** The settings by name, each from the nearest configuration that has it. */
export async function settingsOf(
  files: SettingsFiles,
  names: readonly (keyof Configuration)[],
): Promise<readonly NamedSetting[]> {
  const found: NamedSetting[] = [];
  for (const name of names) {
    const both = [await files.project(), await files.user()];
    // The user's prices come first, so that a checkout cannot lower them.
    if (name === 'prices') both.reverse();
    for (const loaded of both) {
      const value = loaded?.configuration[name];
      if (!loaded || value === undefined) continue;
      const plain: unknown = value instanceof Map ? Object.fromEntries(value) : value;
      found.push({ name, value: plain, origin: configurationOrigin(loaded, [name]) });
      break;
    }
  }
  return found;
}

/** The configuration files, each read on first use. */
export class SettingsFiles {
  readonly #terminal: Terminal;
  #project: Promise<LoadedConfiguration | undefined> | undefined;
  #user: Promise<LoadedConfiguration | undefined> | undefined;
  #credentials: Promise<Credentials> | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /**
   * The configuration for the current directory.
   *
   * @throws DragomanError `configuration`
   */
  project(): Promise<LoadedConfiguration | undefined> {
    return (this.#project ??= import('../../project/config/configuration.ts').then(({ loadConfiguration }) =>
      loadConfiguration(this.#terminal.cwd),
    ));
  }

  /** The user's own configuration. @throws DragomanError `configuration`. */
  user(): Promise<LoadedConfiguration | undefined> {
    return (this.#user ??= import('../../project/config/user.ts').then(({ loadUserConfiguration }) =>
      loadUserConfiguration(this.#terminal.env),
    ));
  }

  /**
   * The keys stored by dragoman login.
   *
   * @throws DragomanError `configuration`
   */
  credentials(): Promise<Credentials> {
    return (this.#credentials ??= readCredentials(this.#terminal.env));
  }
}
