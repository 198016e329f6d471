import type { Location } from '../../base/errors.ts';
import type { ServiceSettings } from '../../project/config/service.ts';
import type {
  Configuration,
  ConfigurationOwner,
  LoadedConfiguration,
} from '../../project/config/configuration.ts';
import type { ValuePath } from '../../project/config/schema.ts';
import type { SettingsFiles } from './settings-files.ts';

/** Where a value comes from. */
export type Origin =
  | { readonly kind: 'flag' | 'environment'; readonly name: string }
  | { readonly kind: 'configuration'; readonly owner: ConfigurationOwner; readonly at: Location }
  | { readonly kind: 'credentials'; readonly file: string }
  | { readonly kind: 'default' };

export interface Setting<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** A service as a configuration describes it, and where. */
export interface Described {
  readonly values: ServiceSettings;
  readonly loaded: LoadedConfiguration;
  readonly path: ValuePath;
}

/** An empty value is none: that is how a variable is taken back for one command. */
export function fromText(value: string | undefined, origin: Origin): Setting<string> | undefined {
  return value === undefined || value === '' ? undefined : { value, origin };
}

export function fromFlag<T>(value: T | undefined, name: string): Setting<T> | undefined {
  return value === undefined ? undefined : { value, origin: { kind: 'flag', name } };
}

export function settingOf<K extends keyof ServiceSettings>(
  described: Described,
  name: K,
): Setting<NonNullable<ServiceSettings[K]>> | undefined {
  const value = described.values[name];
  return value === undefined ? undefined : { value, origin: originIn(described, name) };
}

export function originIn({ loaded, path }: Described, name: string): Origin {
  return configurationOrigin(loaded, [...path, name]);
}

export function configurationOrigin({ file, owner }: LoadedConfiguration, path: ValuePath): Origin {
  return { kind: 'configuration', owner, at: file.placeOf(path) };
}

/** Whether a value came with a checkout. */
export function isProjects({ origin }: Setting<unknown>): boolean {
  return origin.kind === 'configuration' && origin.owner === 'project';
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
      found.push({ name, value: plain, origin: configurationOrigin(loaded, [name]) });
      break;
    }
  }
  return found;
}
