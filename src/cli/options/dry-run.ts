import type { Command } from 'commander';

export interface DryRunFlags {
  readonly dryRun?: boolean;
}

/** `--dry-run` of a command that writes: no byte changes on the disk or at a service. */
export function addDryRunOption(command: Command, description = 'only print what would be written'): void {
  command.option('--dry-run', description);
}
