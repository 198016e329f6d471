import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { CommandModule } from '../command.ts';
import { OK } from '../exit-code.ts';
import { addExamples } from '../help.ts';

export const help: CommandModule<object> = {
  configure(command) {
    command.argument('[command...]', 'a command, with its subcommand if it has any');
    addExamples(command, [
      ['dragoman help sync', 'what most people need to know of a command'],
      ['dragoman help jobs create --all', 'everything about a subcommand'],
    ]);
  },

  run(args, _options, { program }) {
    let command = program;
    for (const [i, name] of args.entries()) {
      const found = command.commands.find((one) => one.name() === name);
      if (!found) throw unknownCommand(args.slice(0, i + 1), command);
      command = found;
    }
    command.outputHelp();
    return Promise.resolve(OK);
  },
};

function unknownCommand(words: readonly string[], within: Command): DragomanError {
  const names = within.commands.map((command) => command.name());
  const meant = nearest(words.at(-1) ?? '', names);
  const question = meant === undefined ? '' : `Did you mean ${meant}? `;
  const known = ['dragoman', ...words.slice(0, -1), '--help'].join(' ');
  return new DragomanError('usage', `there is no command "${words.join(' ')}"`, {
    hint: `${question}${known} ${names.length === 0 ? 'describes the command' : 'lists the commands'}.`,
  });
}
