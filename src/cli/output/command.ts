import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The environment of a command. */
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
  /** The prefix of variables that set its options if the command line does not: see `adoptEnvironment`. */
  readonly variables?: string;
  /** Declares arguments and options. Loads nothing heavy: it runs for `--help` and completion too. */
  configure(command: Command): void;
  /** @throws DragomanError for everything that makes the whole call fail. */
  run(args: readonly string[], options: Options, context: CommandContext): Promise<ExitCode>;
}

/** A subcommand that has subcommands: `dragoman jobs list`. */
export interface CommandGroup {
  /** For the help: examples, and common facts. */
  describe(command: Command): void;
  readonly commands: readonly CommandEntry[];
}

/** A line of the registry. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** In a group: the effect of its name alone. */
  readonly isDefault?: boolean;
  load(): Promise<CommandModule<never> | CommandGroup>;
}

/** The purpose of a group of the program's commands. */
export interface CommandSection {
  readonly title: string;
  /** The short help lists only the names of its commands. */
  readonly isRare?: boolean;
  readonly commands: readonly CommandEntry[];
}

export function isGroup(module: CommandModule<never> | CommandGroup): module is CommandGroup {
  return 'commands' in module;
}
