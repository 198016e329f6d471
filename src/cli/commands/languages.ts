import { supportedLanguages } from '../../languages/catalog.ts';
import type { CommandModule } from '../command.ts';
import { OK } from '../exit-code.ts';
import { columns } from '../table.ts';

export const languages: CommandModule<object> = {
  configure() {
    // It has no arguments and no options of its own.
  },

  async run(_args, _options, { output }) {
    const list = [{ name: 'Auto-detect', code: 'auto' }, ...supportedLanguages()];
    if (output.json) {
      output.document({
        supported_languages: Object.fromEntries(list.map(({ name, code }) => [name, code])),
      });
    } else {
      for (const line of columns(list.map(({ name, code }) => [code, name]))) output.result(line);
    }
    return OK;
  },
};
