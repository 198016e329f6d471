import { DragomanError } from '../../base/errors.ts';
import { choosePairs } from '../../engines/firefox/models/choice.ts';
import { installModel } from '../../engines/firefox/models/install.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { sizeOf, requireModelsDirectory, withOffer } from './models.ts';

export const install: CommandModule<object> = {
  configure(command) {
    command.argument('<pairs...>', 'directions, such as en-es; both models if English is the pivot');
    addExamples(command, [
      ['dragoman engines install en-es en-fr', 'from English into Spanish and French'],
      ['dragoman engines install fr-de', 'French to German: fr-en and en-de'],
      [
        'DRAGOMAN_FIREFOX_RECORDS_URL=file:///media/models/records.json dragoman engines install en-es',
        'from a copy, without a network',
      ],
    ]);
  },

  async run(args, _options, { terminal, output }) {
    const directory = requireModelsDirectory(terminal);
    const progress = await output.progress();
    const installed: { readonly name: string; readonly version: string; readonly downloaded: number }[] = [];
    try {
      await withOffer(terminal, async (offer, net) => {
        for (const model of choosePairs(args, offer)) {
          const { name, version } = model;
          progress.begin(`${name}: installing`);
          const onProgress = (done: number, total: number): void =>
            progress.update(`${name}: ${sizeOf(done)} of ${sizeOf(total)}`);
          const downloaded = await installModel(model, offer, { directory, net, onProgress });
          installed.push({ name, version, downloaded });
        }
      });
    } catch (error) {
      progress.stop();
      if (!(error instanceof DragomanError)) throw error;
      return output.failure(error, { installed });
    } finally {
      progress.stop();
    }
    if (output.json) {
      output.document({ installed });
      return OK;
    }
    for (const { name, version, downloaded } of installed) {
      const how = downloaded === 0 ? 'was there already' : `${sizeOf(downloaded)} downloaded and verified`;
      output.result(`${name} ${version}: ${how}`);
    }
    return OK;
  },
};
