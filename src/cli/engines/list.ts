import { readInstalled } from '../../engines/firefox/installed.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { columns } from '../table.ts';
import { sizeOf, requireModelsDirectory, withOffer } from './models.ts';

interface Options {
  readonly available?: boolean;
}

interface Line {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** On the disk; or, of what is available, to download. */
  readonly bytes: number;
  readonly installed: boolean;
}

export const list: CommandModule<Options> = {
  configure(command) {
    command.option('--available', 'list the models that can be installed; needs the network');
    addExamples(command, [
      ['dragoman engines list', 'the models that are installed'],
      ['dragoman engines list --available', 'all available models'],
    ]);
  },

  async run(_args, { available = false }, { terminal, output }) {
    const models = await readInstalled(requireModelsDirectory(terminal));
    const names = new Set(models.map(({ name }) => name));
    const lines: readonly Line[] = available
      ? await withOffer(terminal, (offer) =>
          Promise.resolve(
            offer.models.map(({ name, version, architecture, files }) => ({
              ...{ name, version, architecture, installed: names.has(name) },
              bytes: files.reduce((sum, { compressed }) => sum + compressed.size, 0),
            })),
          ),
        )
      : models.map(({ name, version, architecture, bytes }) => ({
          name,
          version,
          architecture,
          bytes,
          installed: true,
        }));
    if (output.json) {
      output.document({ models: lines });
      return OK;
    }
    if (lines.length === 0) {
      output.message(
        'No model is installed. dragoman engines install en-es gets one; list --available shows all.',
      );
    }
    const rows = lines.map(({ name, version, architecture, bytes, installed }) => [
      ...[name, version, architecture, sizeOf(bytes)],
      available && installed ? 'installed' : '',
    ]);
    for (const line of columns(rows)) output.result(line.trimEnd());
    return OK;
  },
};
