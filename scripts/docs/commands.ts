import { Command, type Argument, type Option } from 'commander';
import { isGroup, type CommandEntry } from '../../src/cli/output/command.ts';
import { addHelpTexts } from '../../src/cli/output/help.ts';
import { addCommonOptions } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { cell, code, table } from './markdown.ts';

/** A command with commander's data about it. */
export interface DescribedCommand {
  /** `jobs create` */
  readonly name: string;
  readonly summary: string;
  /** Groups themselves have no arguments or options. */
  readonly isGroup: boolean;
  readonly command: Command;
}

/** Every command in the order of the help text, a group before its commands. */
export async function commandsOfProgram(
  entries: readonly CommandEntry[] = COMMANDS,
  path: readonly string[] = [],
): Promise<readonly DescribedCommand[]> {
  const described = await Promise.all(
    entries.map(async (entry) => {
      const names = [...path, entry.name];
      const module = await entry.load();
      const command = new Command(names.join(' '));
      const own = { name: names.join(' '), summary: entry.summary, isGroup: isGroup(module), command };
      addHelpTexts(command, module);
      if (!isGroup(module)) {
        module.configure?.(command);
        return [own];
      }
      return [own, ...(await commandsOfProgram(module.commands, names))];
    }),
  );
  return described.flat();
}

/** The options that every command has. */
export function commonOptions(): readonly Option[] {
  const command = new Command();
  addCommonOptions(command);
  return command.options;
}

export async function describeProgram(): Promise<string> {
  const commands = await commandsOfProgram();
  const sections = commands.map((described) => describe(described, commands));
  return `# Commands

This chapter is generated from the program by \`npm run docs\`. The same texts are in \`dragoman COMMAND --help\`.

${table(
  ['command', 'what it does'],
  commands
    .filter(({ name }) => !name.includes(' '))
    .map(({ name, summary }) => [`[\`${name}\`](#${anchorOf(name)})`, cell(summary)]),
)}

Every command has these options:

${optionTable(commonOptions())}

${sections.join('\n\n')}
`;
}

const anchorOf = (name: string): string => `dragoman-${name.replaceAll(' ', '-')}`;

function describe(described: DescribedCommand, all: readonly DescribedCommand[]) {
  const { name, summary, isGroup, command } = described;
  const below = all.filter((other) => other.name.startsWith(`${name} `));
  const usage = isGroup ? '' : code(usageOf(described));
  const notes = notesOf(command);
  return [
    `${'#'.repeat(name.includes(' ') ? 3 : 2)} dragoman ${name}`,
    `${summary[0]?.toUpperCase()}${cell(summary.slice(1))}.`,
    usage,
    table(
      ['argument', 'meaning'],
      command.registeredArguments.map((argument) => [code(argument.name()), cell(argument.description)]),
    ),
    optionTable(command.options),
    table(
      ['command', 'what it does'],
      below.map((other) => [`[\`${other.name}\`](#${anchorOf(other.name)})`, cell(other.summary)]),
    ),
    notes === '' ? '' : `\`\`\`text\n${notes}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** `dragoman sync [options] [path...]` */
export function usageOf({ name, command }: DescribedCommand): string {
  const one = (argument: Argument): string => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  };
  return ['dragoman', name, '[options]', ...command.registeredArguments.map(one)].join(' ');
}

function optionTable(options: readonly Option[]): string {
  const shown = options.filter(({ hidden }) => !hidden);
  return table(
    ['option', 'meaning'],
    shown.map((option) => [code(option.flags), [cell(option.description), ...detailsOf(option)].join('. ')]),
  );
}

/** Choices and default, in the notation of Markdown. */
export function detailsOf({ argChoices, defaultValue }: Option): readonly string[] {
  const details: string[] = [];
  if (argChoices) details.push(`One of ${argChoices.map(code).join(', ')}`);
  const value: unknown = defaultValue;
  if (typeof value === 'string' || typeof value === 'number') details.push(`Default: ${code(String(value))}`);
  return details;
}

/** The part after the options in the help: notes and examples. */
export function notesOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  const information = command.helpInformation();
  command.outputHelp();
  return help.slice(help.indexOf(information) + information.length).trim();
}
