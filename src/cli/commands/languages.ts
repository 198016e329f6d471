import { nameLanguages } from '../../service/language-names.ts';
import type { CommandModule } from '../command.ts';
import { addEngineOptions, chooseEngine, type EngineFlags } from '../engine-options.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { withService } from '../local-service.ts';
import { columns } from '../table.ts';

type Options = EngineFlags & { readonly all?: boolean };

export const languages: CommandModule<Options> = {
  configure(command) {
    command.option('--all', 'every known language, whatever the engine');
    addEngineOptions(command);
    addExamples(command, [
      ['dragoman languages', 'every known language, or those of the engine that is set up'],
      ['dragoman languages --engine auto', 'what the engines here can do, all together'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { signal } = terminal;
    // Nobody has chosen an engine: what one or another of them could do is what people ask for.
    const chosen = options.engine ?? (await chooseEngine(options, terminal)).id;
    const isAny = options.all === true || (options.engine === undefined && chosen === 'auto');
    const supported = isAny
      ? nameLanguages('any')
      : (await withService(options, terminal, (service) => service.supportedLanguages({ signal })))
          .supported_languages;
    if (output.json) {
      output.document({ supported_languages: supported });
    } else {
      const rows = Object.entries(supported).map(([name, code]) => [code, name]);
      for (const line of columns(rows)) output.result(line);
    }
    return OK;
  },
};
