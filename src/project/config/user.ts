import { configDirectory } from '../../base/user-directories.ts';
import { configurableEngines } from '../../engines/registry.ts';
import { findConfigurationIn } from './file.ts';
import {
  checkConfiguration,
  CONFIGURATION_SCHEMA,
  type ConfigurationScope,
  type LoadedConfiguration,
} from './configuration.ts';

/** The first existing file is used. */
const NAMES = ['config.yaml', 'config.yml', 'config.json'] as const;

/** Project settings that a user may also set for all projects. */
const SETTINGS: ReadonlySet<string> = new Set([
  '$schema',
  'service',
  'profiles',
  'engine',
  'engines',
  'prices',
  ...configurableEngines,
  'formality',
  'memory',
  'concurrency',
]);

export const USER_SCOPE: ConfigurationScope = {
  owner: 'user',
  schema: {
    ...CONFIGURATION_SCHEMA,
    properties: {
      ...Object.fromEntries(
        Object.entries(CONFIGURATION_SCHEMA.properties ?? {}).filter(([name]) => SETTINGS.has(name)),
      ),
      // Only users choose which programs run on their machines.
      engineCommand: { type: 'string', minLength: 1 },
      formats: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: {
            command: { type: 'string', minLength: 1 },
            extensions: { type: 'array', items: { type: 'string' }, minItems: 1 },
          },
          required: ['command'],
          additionalProperties: false,
        },
      },
    },
  },
};

/**
 * The user's own configuration, `config.yaml` or `config.json` in {@link configDirectory}: services and engines for all
 * projects that do not choose their own.
 *
 * @throws DragomanError `configuration` with file, line and column
 */
export async function loadUserConfiguration(
  env: Readonly<Record<string, string | undefined>>,
): Promise<LoadedConfiguration | undefined> {
  const directory = configDirectory(env);
  if (directory === undefined) return undefined;
  const file = await findConfigurationIn(directory, NAMES);
  return file && { file, owner: 'user', configuration: checkConfiguration(file, USER_SCOPE) };
}
