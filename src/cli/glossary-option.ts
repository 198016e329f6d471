import type { Command } from 'commander';

export interface GlossaryFlags {
  /** The file; false for `--no-glossary`. */
  readonly glossary?: string | boolean;
}

export function addGlossaryOption(command: Command): void {
  command
    .option(
      '--glossary <file>',
      'file of terms and their translations, CSV or YAML; default: glossary.csv of the project',
    )
    .option('--no-glossary', 'translate without a glossary');
}
