import type { Command } from 'commander';

export interface DryRunFlags {
  readonly dryRun?: boolean;
}

/** Adds `--dry-run` to a command that writes: nothing changes on disk or at a service. */
export function addDryRunOption(command: Command, description = 'only print what would be written'): void {
  command.option('--dry-run', description);
}
