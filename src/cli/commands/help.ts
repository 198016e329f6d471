import type { CommandModule } from '../output/command.ts';
import { OK } from '../output/exit-code.ts';
import { unknownCommand } from '../output/help.ts';

export const help: CommandModule<object> = {
  examples: [
    ['dragoman help sync', 'what most people need to know about a command'],
    ['dragoman help jobs create --all', 'everything about a subcommand'],
  ],
  configure(command) {
    command
      .argument('[command...]', 'a command, with its subcommand if it has one')
      // `runProgram` reads this option to choose the style of the help.
      .option('--all', 'every command and every option');
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
