import { Command, type Help, type Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { nearest, withSuggestion } from '../../base/nearest.ts';
import type { CommandSection, HelpTexts } from './command.ts';

/** The program's help, which may mention omitted parts. */
interface ShownHelp extends Help {
  isShort?: boolean;
}

/** The option groups of the help, in order. The empty group is for a command's own options. */
const GROUPS = ['Languages', '', 'Engine', 'Service', 'Memory and glossary', 'Output'] as const;

export type OptionGroup = Exclude<(typeof GROUPS)[number], ''>;

/** Options that the help shows only with `--all`. */
const RARE = new WeakSet<Option>();

/** Marks rarely needed options: the help shows them only with `--all`. */
export function markRare(command: Command, ...flags: readonly string[]): void {
  for (const option of command.options) if (flags.includes(option.long ?? '')) RARE.add(option);
}

/** Assigns the options that `add` adds to a group of the help. */
export function inGroup(command: Command, group: OptionGroup, add: () => void): void {
  const outer = command.optionsGroup();
  command.optionsGroup(headingOf(group));
  add();
  command.optionsGroup(outer);
}

/** Formats the title of a group in the help. */
export function headingOf(group: string): string {
  return group === '' ? 'Options:' : `${group}:`;
}

/** The minimum width of a description next to its term; below that, it starts on the next line. */
const LEAST_WIDTH = 36;
const INDENT = 6;

/**
 * Configures the help of every command.
 *
 * @param isShort whether to omit rarely used options
 * @param sections the program's groups of commands
 */
export function helpStyle(isShort: boolean, sections: readonly CommandSection[]): Partial<ShownHelp> {
  return {
    isShort,
    minWidthToWrap: 20,
    visibleOptions: (command) => visibleOptions(command, isShort),
    visibleCommands: ({ parent, commands }) =>
      isShort && parent === null ? shortCommands(commands, sections) : [...commands],
    formatItem(this: Help, term, termWidth, description, helper) {
      const room = (this.helpWidth ?? 80) - termWidth - 4;
      const isBelow = room < LEAST_WIDTH;
      if (description === '') return `  ${term}`;
      const lines = helper.boxWrap(description, isBelow ? (this.helpWidth ?? 80) - INDENT : room).split('\n');
      if (isBelow) return [`  ${term}`, ...lines.map((line) => ' '.repeat(INDENT) + line)].join('\n');
      return `  ${term.padEnd(termWidth)}  ${lines.join(`\n${' '.repeat(termWidth + 4)}`)}`;
    },
    subcommandTerm: (command) => command.name(),
    // Sorts by group instead of the order in which options were added.
    groupItems<Item extends Command | Option>(
      _: Item[],
      visible: Item[],
      groupOf: (item: Item) => string,
    ): Map<string, Item[]> {
      const groups = new Map<string, Item[]>(GROUPS.map((group) => [headingOf(group), []]));
      for (const item of visible) groups.set(groupOf(item), [...(groups.get(groupOf(item)) ?? []), item]);
      return groups;
    },
  };
}

function visibleOptions(command: Command, isShort: boolean): Option[] {
  const help = command.createOption('-h, --help', 'print help; with --all, every option');
  help.helpGroup(headingOf('Output'));
  return [...command.options.filter((option) => !option.hidden && !(isShort && RARE.has(option))), help];
}

/** The commands. Each section of rarely used commands is a single line with their names. */
function shortCommands(commands: readonly Command[], sections: readonly CommandSection[]): Command[] {
  const rare = sections.filter(({ isRare }) => isRare === true);
  const others = new Set(rare.flatMap((section) => section.commands.map(({ name }) => name)));
  const lines = rare.map((section) =>
    new Command(`${section.title}:`)
      .description(section.commands.map(({ name }) => name).join(', '))
      .helpGroup('Other commands:'),
  );
  return [...commands.filter((command) => !others.has(command.name())), ...lines];
}

/** Adds a command's examples and details to its help. */
export function addHelpTexts(command: Command, { examples, details }: HelpTexts): void {
  if (examples)
    addText(command, ({ boxWrap, width, isShort }) => {
      const parts = (isShort ? examples.slice(0, 2) : examples).map(([line, purpose]) => {
        const wrapped = boxWrap(purpose, width - INDENT).split('\n');
        return `  $ ${line}\n${wrapped.map((text) => ' '.repeat(INDENT) + text).join('\n')}`;
      });
      return `\nExamples:\n${parts.join('\n')}`;
    });
  if (details === undefined) return;
  const paragraphs = details.trim().split('\n\n');
  addText(command, ({ boxWrap, width, isShort }) => {
    const wrapped = paragraphs.map((paragraph) => boxWrap(paragraph.replaceAll('\n', ' '), width));
    return isShort ? '' : `\n${wrapped.join('\n\n')}`;
  });
  DETAILED.add(command);
}

/** Commands with details. */
const DETAILED = new WeakSet<Command>();

/** Adds the hint about `--all` to the short help. */
export function addNoteOnRest(program: Command): void {
  program.addHelpText('afterAll', ({ command }) => {
    const hidden = command.options.filter((option) => !option.hidden && RARE.has(option)).length;
    const help: ShownHelp = command.createHelp();
    if (help.isShort && command === program)
      return `\nAll commands and options: ${nameOf(command)} --help --all`;
    if (!help.isShort || (hidden === 0 && !DETAILED.has(command))) return '';
    const what = hidden === 0 ? 'More' : `${hidden} more option${hidden === 1 ? '' : 's'}`;
    const line = `${nameOf(command)} --help --all`;
    const fits = what.length + line.length + 2 <= widthOf(command);
    return `\n${what}:${fits ? ' ' : '\n  '}${line}`;
  });
}

function widthOf(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? 80;
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

interface HelpTextStyle {
  readonly width: number;
  readonly isShort: boolean;
  readonly boxWrap: (text: string, width: number) => string;
}

function addText(command: Command, textIn: (style: HelpTextStyle) => string): void {
  command.addHelpText('after', ({ command: shown }) => {
    const help: ShownHelp = shown.createHelp();
    return textIn({
      width: widthOf(shown),
      isShort: help.isShort ?? false,
      boxWrap: (text, room) => help.boxWrap(text, room),
    });
  });
}

/** The error for an unknown option, with one that differs only by a typo. */
export function unknownOption(flag: string, words: readonly string[], { options }: Command): DragomanError {
  const names = options.flatMap(({ long, hidden }) => (hidden ? [] : (long?.slice(2) ?? [])));
  const near = /^--([^=]+)/.exec(flag)?.[1] ?? '';
  const suggestion = nearest(near, [...names, 'help']);
  return new DragomanError('usage', `unknown option "${flag}"`, {
    hint: withSuggestion(
      suggestion === undefined ? undefined : `--${suggestion}`,
      `${['dragoman', ...words].join(' ')} --help --all lists the options.`,
    ),
  });
}

/** The error for an unknown command, with the nearest existing one. */
export function unknownCommand(words: readonly string[], within: Command): DragomanError {
  const names = within.commands.map((command) => command.name());
  const known = ['dragoman', ...words.slice(0, -1), '--help'].join(' ');
  return new DragomanError('usage', `unknown command "${words.join(' ')}"`, {
    hint: withSuggestion(
      nearest(words.at(-1) ?? '', names),
      `${known} ${names.length === 0 ? 'describes the command' : 'lists the commands'}.`,
    ),
  });
}
