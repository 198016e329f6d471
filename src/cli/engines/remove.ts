import { DragomanError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import { readInstalled } from '../../engines/firefox/installed.ts';
import { removeModel } from '../../engines/firefox/models/install.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { requireModelsDirectory } from './models.ts';

export const remove: CommandModule<object> = {
  configure(command) {
    command.argument('<pairs...>', 'directions, as dragoman engines list has them');
    addExamples(command, [
      ['dragoman engines remove en-es', 'delete a model'],
      ['dragoman engines remove fr-en en-de --json', 'delete two, with the result as JSON'],
    ]);
  },

  async run(args, _options, { terminal, output }) {
    const directory = requireModelsDirectory(terminal);
    const names = (await readInstalled(directory)).map(({ name }) => name);
    for (const name of args) {
      if (names.includes(name)) continue;
      const meant = nearest(name, names);
      throw new DragomanError('not_found', `no model ${name} is installed`, {
        hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}dragoman engines list shows those that are.`,
      });
    }
    const removed: string[] = [];
    for (const name of new Set(args)) if (await removeModel(directory, name)) removed.push(name);
    if (output.json) output.document({ removed });
    else for (const name of removed) output.result(`${name}: removed`);
    return OK;
  },
};
