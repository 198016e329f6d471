import type { Command } from 'commander';
import type { Formats } from '../../formats/registry.ts';
import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The parts of the program that a command uses. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly output: Output;
  /** The built-in formats, and those of the user's programs if the command has `--format-command`. */
  readonly formats: Formats;
  /** The whole program, for commands that describe it. */
  readonly program: Command;
  readonly commands: readonly CommandEntry[];
}

/** The part of a command's help below its options. */
export interface HelpTexts {
  /** Command lines with their purposes. The short help has the first two. */
  readonly examples?: readonly (readonly [line: string, purpose: string])[] | undefined;
  /** Paragraphs, which the short help leaves out. */
  readonly details?: string | undefined;
}

/** One subcommand: its arguments, options and action. One file each in `commands/`. */
export interface CommandModule<Options> extends HelpTexts {
  /** Whether an error that ends the command is annotated in GitHub workflows. For gates, whose errors concern files. */
  readonly annotatesErrors?: boolean;
  /** The prefix of the variables that set options missing on the command line: see `adoptEnvironment`. */
  readonly variables?: string;
  /** Declares arguments and options. Must load nothing heavy, because it also runs for `--help` and completion. */
  configure?(command: Command): void;
  /** @throws DragomanError for every error that makes the whole command fail */
  run(args: readonly string[], options: Options, context: CommandContext): Promise<ExitCode>;
}

/** A command that has subcommands: `dragoman jobs list`. */
export interface CommandGroup extends HelpTexts {
  readonly commands: readonly CommandEntry[];
}

type Loaded = CommandModule<never> | CommandGroup;

/** A line of the registry. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Whether this subcommand runs if the group is named alone. */
  readonly isDefault?: boolean;
  load(): Loaded | Promise<Loaded>;
}

/** A titled group of commands. */
export interface CommandSection {
  readonly title: string;
  /** Whether the short help lists only the names of the commands. */
  readonly isRare?: boolean;
  readonly commands: readonly CommandEntry[];
}

export function isGroup(module: Loaded): module is CommandGroup {
  return 'commands' in module;
}
