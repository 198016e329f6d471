import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { requireModelsDirectory } from './models.ts';

export const path: CommandModule<object> = {
  configure(command) {
    addExamples(command, [
      [
        'dragoman engines path',
        'where models are: DRAGOMAN_FIREFOX_MODELS_DIR, otherwise the cache directory',
      ],
      ['du -sh "$(dragoman engines path)"', 'how much room they take'],
    ]);
  },

  run(_args, _options, { terminal, output }) {
    const directory = requireModelsDirectory(terminal);
    if (output.json) output.document({ path: directory });
    else output.result(directory);
    return Promise.resolve(OK);
  },
};
