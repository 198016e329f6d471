import type { Command, Option } from 'commander';
import type { Output } from './output.ts';

/** Names that options had in earlier versions, with the options that have taken their place. */
const OLD_NAMES = new WeakMap<Command, Map<Option, Option>>();

/** Lets an option be called by its old name for one more version. Neither help nor completion shows the old name. */
export function addOldName(command: Command, old: Option, present: Option): void {
  command.addOption(old.hideHelp());
  const names = OLD_NAMES.get(command) ?? new Map<Option, Option>();
  OLD_NAMES.set(command, names.set(old, present));
}

/** The values of options under their present names. Says which old names were used. */
export function adoptOldNames(
  command: Command,
  options: Readonly<Record<string, unknown>>,
  output: Output,
): Readonly<Record<string, unknown>> {
  const values = { ...options };
  for (const [old, present] of OLD_NAMES.get(command) ?? []) {
    const value = values[old.attributeName()];
    if (value === undefined) continue;
    delete values[old.attributeName()];
    values[present.attributeName()] ??= value;
    output.warning(`${old.long} is called ${present.long} now: the next version does not know the old name`);
  }
  return values;
}

export interface DryRunFlags {
  readonly dryRun?: boolean;
}

/** `--dry-run` of a command that writes: not a byte on the disk or at a service is another one after it. */
export function addDryRunOption(command: Command, description = 'only print what would be written'): void {
  command.option('--dry-run', description);
}
