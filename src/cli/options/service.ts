import { Option, type Command } from 'commander';
import { inGroup, markRare } from '../output/help.ts';
import { addEngineOptions, addLimitOptions, type EngineFlags, type LimitFlags } from './engine.ts';

/** The service to use, and how to reach it. */
export interface RemoteFlags extends LimitFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly api?: 'v1' | 'v2';
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
  readonly caFile?: string;
}

/** Flags of a command that works with a local engine or a service. */
export type ServiceFlags = EngineFlags & RemoteFlags;

/** Adds the options of commands that work locally or with a service. */
export function addServiceOptions(command: Command): void {
  addEngineOptions(command);
  addRemoteOptions(command);
}

/** Adds `--base-url` and related options. */
export function addRemoteOptions(command: Command, what?: string): void {
  addAddressOptions(command, what);
  const key = 'the key itself; other users can see it, so prefer DRAGOMAN_API_KEY or a file';
  inGroup(command, 'Service', () =>
    command
      .option('--api-key-file <file>', 'a file with the key for the service')
      .option('--api-key <key>', key),
  );
  markRare(command, '--api-key-file', '--api-key');
}

/** Adds the options that choose a service, without its key. */
export function addAddressOptions(
  command: Command,
  what = 'use the service at this address, not a local engine',
): void {
  inGroup(command, 'Service', () =>
    command
      .option('--base-url <url>', what)
      .option('--profile <name>', 'use the service with this name in the configuration')
      .addOption(new Option('--api <version>', "version of the service's API").choices(['v1', 'v2']))
      .option('--ca-file <file>', 'certificates to trust in addition to those of the system'),
  );
  markRare(command, '--api', '--ca-file');
}

/** Adds the options of commands that use a service, but no engine. */
export function addServiceAccessOptions(command: Command): void {
  addRemoteOptions(command);
  addLimitOptions(command);
}
