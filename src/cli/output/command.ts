import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What a command gets to work with. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly output: Output;
  /** The whole program, for commands that describe it. */
  readonly program: Command;
  readonly commands: readonly CommandEntry[];
}

/** One subcommand: its arguments, options and action. One file each in `commands/`. */
export interface CommandModule<Options> {
  /** Whether GitHub workflows annotate an error that ends it: for gates, whose errors concern files. */
  readonly annotatesErrors?: boolean;
  /** The beginning of variables that set its options where the command line does not: see `adoptEnvironment`. */
  readonly variables?: string;
  /** Declares arguments and options. Loads nothing heavy: it runs for `--help` and completion too. */
  configure(command: Command): void;
  /** @throws DragomanError for everything that makes the whole call fail. */
  run(args: readonly string[], options: Options, context: CommandContext): Promise<ExitCode>;
}

/** A subcommand that has subcommands: `dragoman jobs list`. */
export interface CommandGroup {
  /** For the help: examples, and what holds for all of them. */
  describe(command: Command): void;
  readonly commands: readonly CommandEntry[];
}

/** A line of the registry. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** In a group: what its name alone does. */
  readonly isDefault?: boolean;
  load(): Promise<CommandModule<never> | CommandGroup>;
}

/** What a group of the program's commands is for. */
export interface CommandSection {
  readonly title: string;
  /** The short help lists only the names of its commands. */
  readonly isRare?: boolean;
  readonly commands: readonly CommandEntry[];
}

export function isGroup(module: CommandModule<never> | CommandGroup): module is CommandGroup {
  return 'commands' in module;
}
