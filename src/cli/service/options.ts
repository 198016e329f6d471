import { Option, type Command } from 'commander';
import { addEngineOptions, addLimitOptions, type EngineFlags, type LimitFlags } from '../engine-options.ts';

/** Which service does the work, and how it is reached. */
export interface RemoteFlags extends LimitFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly api?: 'v1' | 'v2';
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
  readonly caFile?: string;
}

/** Flags of a command that works here, with an engine, or there, against a service. */
export type ServiceFlags = EngineFlags & RemoteFlags;

/** The options of commands that work here or there. */
export function addServiceOptions(command: Command): void {
  addEngineOptions(command);
  addRemoteOptions(command);
}

/** `--base-url` and what goes with it. */
export function addRemoteOptions(command: Command, what?: string): void {
  addAddressOptions(command, what);
  command
    .option('--api-key-file <file>', 'a file with the key for the service')
    .option(
      '--api-key <key>',
      'the key itself; other users can see it, so prefer DRAGOMAN_API_KEY or a file',
    );
}

/** Which service, without a key for it. */
export function addAddressOptions(
  command: Command,
  what = 'use the service at this address instead of a local engine',
): void {
  command
    .option('--base-url <url>', what)
    .option('--profile <name>', 'use the service with this name in the configuration or from dragoman login')
    .addOption(new Option('--api <version>', "version of the service's API").choices(['v1', 'v2']))
    .option('--ca-file <file>', 'certificates to trust in addition to those of the system');
}

/** The options of commands that only a service can do. */
export function addThereOptions(command: Command): void {
  addRemoteOptions(command);
  addLimitOptions(command);
}
