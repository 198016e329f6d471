import { AUTO_ENGINE } from '../../engines/registry.ts';
import { nameLanguages } from '../../service/languages.ts';
import type { CommandModule } from '../output/command.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import { chooseExecutionTarget } from '../execution/execution-target.ts';
import { withService } from '../execution/translator.ts';

type LanguagesFlags = ServiceFlags & { readonly all?: boolean };

export const languages: CommandModule<LanguagesFlags> = {
  examples: [
    ['dragoman languages', 'every known language, or those of the configured engine'],
    ['dragoman languages --base-url https://translate.example.com', 'the languages of a service'],
  ],
  configure(command) {
    command.option('--all', 'every known language, supported or not');
    addServiceOptions(command);
  },

  async run(_args, options, context) {
    const { terminal, output } = context;
    const { signal } = terminal;
    const execution = options.all === true ? undefined : await chooseExecutionTarget(options, terminal);
    // Without a chosen engine, list what any engine supports.
    const isAny =
      !execution ||
      (execution.kind === 'local' && options.engine === undefined && execution.engine.id === AUTO_ENGINE);
    const supported = isAny
      ? nameLanguages('any')
      : (await withService(options, context, (service) => service.supportedLanguages({ signal })))
          .supported_languages;
    const rows = Object.entries(supported).map(([name, code]) => [code, name]);
    return output.answer({ supported_languages: supported }, () => output.table(rows));
  },
};
