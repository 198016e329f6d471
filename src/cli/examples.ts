import type { Command } from 'commander';

/** Adds examples to a command's help: a command line and what it is for, each. */
export function addExamples(
  command: Command,
  examples: readonly (readonly [line: string, purpose: string])[],
): void {
  const lines = examples.map(([line, purpose]) => `  $ ${line}\n      ${purpose}`);
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
