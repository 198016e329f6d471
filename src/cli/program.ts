import { Command, CommanderError } from 'commander';
import { DragomanError } from '../base/errors.ts';
import type { Formats } from '../formats/registry.ts';
import type { FormatProgramFlags } from './options/format-programs.ts';
import { type CommandEntry, type CommandModule, isGroup } from './output/command.ts';
import { type ExitCode, OK } from './output/exit-code.ts';
import { guardTerminal, hasRunner } from './output/workflow-runner.ts';
import {
  addHelpTexts,
  addNoteOnRest,
  headingOf,
  helpStyle,
  inGroup,
  markRare,
  unknownCommand,
  unknownOption,
} from './output/help.ts';
import { choosePaints, Output, type Paints } from './output/output.ts';
import { COMMANDS, SECTIONS } from './registry.ts';
import type { Terminal } from './terminal/terminal.ts';
import { fitted } from './terminal/word-wrap.ts';
import { VERSION } from '../base/version.ts';

/**
 * Runs one command line and returns its exit code. Never throws, and never ends the process, which the launcher does.
 *
 * @param argv the arguments after the program's name
 * @param onLoaded called once the command's modules are loaded
 */
export async function runProgram(
  argv: readonly string[],
  own: Terminal,
  onLoaded?: () => void,
): Promise<ExitCode> {
  const terminal = hasRunner(own) ? guardTerminal(own) : own;
  const paint = await choosePaints(terminal);
  let output = new Output(terminal, { json: argv.includes('--json'), quiet: false, verbose: false, paint });
  try {
    const program = createProgram(argv, terminal, output.json, paint);
    let exitCode: ExitCode = OK;
    const start: Start = async (module, command) => {
      if (module.variables !== undefined) {
        const { adoptEnvironment } = await import('./options/environment.ts');
        adoptEnvironment(command, module.variables, terminal.env);
      }
      const options = command.optsWithGlobals();
      output = new Output(terminal, {
        json: options['json'] === true,
        quiet: options['quiet'] === true,
        verbose: options['verbose'] === true,
        print0: options['print0'] === true,
        paint,
      });
      onLoaded?.();
      try {
        exitCode = await withFormats(command, options, terminal, (formats) =>
          module.run(command.args, options, { terminal, output, formats, program, commands: COMMANDS }),
        );
      } catch (error) {
        if (module.annotatesErrors) await annotateError(error, terminal);
        throw error;
      }
    };
    // Loads only the command to run, or to show help for.
    const words = argv.filter((argument) => !argument.startsWith('-')).slice(0, 3);
    for (const { title, commands } of SECTIONS) {
      program.commandsGroup(headingOf(title));
      await addCommands(program, commands, new Set(words), start);
    }
    refuseUnknownCommands(program);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return fail(error, output);
  }
}

function createProgram(
  argv: readonly string[],
  terminal: Terminal,
  json: boolean,
  { stderr: paint }: Paints,
): Command {
  const program = new ProgramCommand('dragoman')
    .description('Translates localization files, subtitles, HTML, e-mails and texts. Only values change.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp(helpStyle(!argv.includes('--all'), SECTIONS))
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      // With --json, a usage error is a document on standard output, written where it is caught.
      writeErr: (text) => (json ? undefined : terminal.stderr.write(text)),
      getOutHelpWidth: () => terminal.stdout.columns || 80,
      outputError: (text, write) =>
        write(fitted(paint ? text.replace(/^error:/, (word) => paint.error(word)) : text, terminal.stderr)),
    });
  addCommonOptions(program);
  addNoteOnRest(program);
  return program;
}

/** A command that itself reports unknown options. */
class ProgramCommand extends Command {
  override createCommand(name?: string): ProgramCommand {
    return new ProgramCommand(name);
  }

  /** Overrides a method of commander, whose suggestions include unlike options but not the rare ones. */
  unknownOption(flag: string): never {
    throw unknownOption(flag, wordsOf(this), this);
  }
}

/** Without a listener, commander prints its own error. */
function refuseUnknownCommands(parent: Command): void {
  parent.on('command:*', ([name = '']: readonly string[]) => {
    throw unknownCommand([...wordsOf(parent), name], parent);
  });
}

/** The words that select a command, without the program's name. */
function wordsOf(command: Command): readonly string[] {
  return command.parent ? [...wordsOf(command.parent), command.name()] : [];
}

type Start = (module: CommandModule<object>, command: Command) => Promise<void>;

async function addCommands(
  parent: Command,
  entries: readonly CommandEntry[],
  named: ReadonlySet<string>,
  start: Start,
): Promise<void> {
  for (const entry of entries) {
    const { isDefault = false } = entry;
    const command = parent.command(entry.name, { isDefault }).description(entry.summary);
    addCommonOptions(command);
    if (!isDefault && !named.has(entry.name)) continue;
    const module = await entry.load();
    addHelpTexts(command, module);
    if (isGroup(module)) {
      refuseUnknownCommands(command);
      await addCommands(command, module.commands, named, start);
    } else {
      const one = module as CommandModule<object>;
      one.configure?.(command);
      command.action(() => start(one, command));
    }
  }
}

export function addCommonOptions(command: Command): void {
  inGroup(command, 'Output', () =>
    command
      .option('--json', 'print exactly one JSON document on standard output')
      .option('--quiet', 'print results and errors only')
      .option('--verbose', 'print details on standard error')
      .option('--no-input', 'never ask, even on a terminal'),
  );
  markRare(command, '--verbose', '--no-input');
}

/** Runs a command with the built-in formats and, if it supports them, those of the user's programs. */
async function withFormats(
  command: Command,
  options: FormatProgramFlags,
  terminal: Terminal,
  run: (formats: Formats) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { BUILT_IN_FORMATS } = await import('../formats/registry.ts');
  if (!command.options.some(({ long }) => long === '--format-command')) return run(BUILT_IN_FORMATS);
  const { findFormatPrograms } = await import('./options/format-programs.ts');
  const programs = await findFormatPrograms(options, terminal);
  if (programs.length === 0) return run(BUILT_IN_FORMATS);
  const { withFormatPrograms } = await import('../plugins/format-programs.ts');
  return withFormatPrograms(programs, run);
}

async function annotateError(error: unknown, terminal: Terminal): Promise<void> {
  if (!(error instanceof DragomanError) || error.code === 'interrupted' || !terminal.runner?.annotates)
    return;
  const { annotate, errorAnnotation } = await import('./output/annotation.ts');
  annotate([errorAnnotation(error)], terminal);
}

function fail(error: unknown, output: Output): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return OK;
    // Commander has printed the error, unless standard output needs a document.
    if (!output.json) return 2;
    // Without a command, Commander would print the help.
    const isHelp = error.code === 'commander.help';
    const message = isHelp ? 'no command given' : error.message.replace(/^error: /, '');
    return output.failure(
      new DragomanError('usage', message, { hint: 'dragoman --help lists the commands.' }),
    );
  }
  if (error instanceof DragomanError) return output.failure(error);
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return output.failure(
    new DragomanError('internal', `this is a bug in dragoman: ${message}`, {
      hint: 'Please report it with the command line and the input.',
      cause: error,
    }),
  );
}
