import { Option, type Command } from 'commander';
import type { Formality } from '../engines/engine.ts';
import type { Configuration } from '../project/config/configuration.ts';
import type { SettingsFiles } from './service/setting.ts';
import { inGroup, markRare } from './help.ts';

export interface FormalityFlags {
  readonly formality?: Formality;
}

const CHOICES: readonly Formality[] = ['formal', 'informal'];

export function addFormalityOption(command: Command): void {
  const form = 'how readers are addressed, if the language and the engine support it';
  inGroup(command, 'Languages', () =>
    command.addOption(new Option('--formality <form>', form).choices(CHOICES)),
  );
  markRare(command, '--formality');
}

/** By target language, `*` for all others. The flag is for all of them, whatever the configuration says. */
export function formalityOf(
  flags: FormalityFlags,
  configuration: Pick<Configuration, 'formality'> | undefined,
): ReadonlyMap<string, Formality> | undefined {
  return flags.formality ? new Map([['*', flags.formality]]) : configuration?.formality;
}

/** The same for the current directory, by the project's configuration or, where there is none, the user's. */
export async function findFormality(
  flags: FormalityFlags,
  files: SettingsFiles,
): Promise<ReadonlyMap<string, Formality> | undefined> {
  return formalityOf(flags, ((await files.project()) ?? (await files.user()))?.configuration);
}
