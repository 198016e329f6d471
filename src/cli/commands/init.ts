import { realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { languageName } from '../../languages/catalog.ts';
import { findConfigurationFile } from '../../project/config/file.ts';
import type { Project } from '../../project/state/project.ts';
import { detachLock } from '../../project/state/stored-state.ts';
import type { CommandModule } from '../command.ts';
import { OK } from '../exit-code.ts';
import { addDryRunOption, type DryRunFlags } from '../dry-run.ts';
import { addExamples } from '../help.ts';
import { addLanguageOptions, targetsOf, type LanguageOptions } from '../language-options.ts';
import { openSelected, passedOverDocument, printPassedOver, reportNested } from '../project-options.ts';

const NAME = 'dragoman.config.yaml';
/** Enough to see that the layout was understood. */
const LISTED = 20;

export const init: CommandModule<LanguageOptions & DryRunFlags> = {
  configure(command) {
    command.argument('[directory]', 'where the configuration goes; default: the root of the project here');
    addLanguageOptions(command);
    addDryRunOption(command, 'only print the configuration that would be written');
    addExamples(command, [
      ['dragoman init', 'find the layout here and write dragoman.config.yaml'],
      ['dragoman init app -s en -t es,fr', 'for another directory, with these languages'],
    ]);
  },

  async run([directory], options, context) {
    const { terminal, output } = context;
    const present = await findConfigurationFile(resolve(terminal.cwd, directory ?? '.'));
    if (present) {
      throw new DragomanError('configuration', `there is a configuration already: ${present.path}`, {
        hint: adviceFor(options, basename(present.path)),
      });
    }
    const [project] = await openSelected(directory === undefined ? [] : [directory], options, terminal);
    if (!project) throw new DragomanError('internal', 'a path belongs to no project');
    reportNested([project], context);
    printPassedOver([project], output);
    const root = directory === undefined ? project.root : await realpath(resolve(terminal.cwd, directory));
    const path = join(root, NAME);
    const { source, targets, resources } = project;
    const text = configurationText(project);
    if (!options.dryRun) {
      if (root !== project.root) await detachLock(project, root);
      await writeAtomically(path, text);
    }
    if (output.json) {
      const files = resources.map((resource) => resource.source);
      output.document({
        path,
        ...(options.dryRun && { dry_run: true, text }),
        source_language: source,
        target_languages: targets,
        files,
        ...passedOverDocument([project]),
      });
    } else {
      if (options.dryRun) output.result(text.trimEnd());
      else output.path(path);
      output.message(
        `${resources.length} source file${resources.length === 1 ? '' : 's'} in ${languageName(source)}`,
      );
      if (targets.length === 0)
        output.message('no target language is known: name some under `targets` before the first sync');
    }
    return OK;
  },
};

/** `init` writes no file a second time: a person may have edited it. */
function adviceFor(options: LanguageOptions, name: string): string {
  const targets = targetsOf(options) ?? [];
  if (targets.length === 0) return 'Edit it, or remove it first.';
  const isJson = name.endsWith('.json');
  const list = targets.map((code) => JSON.stringify(code)).join(', ');
  const line = isJson ? `"targets": [${list}]` : `targets: [${list}]`;
  return `To add ${targets.length === 1 ? 'the language' : 'the languages'}, write ${line} into it, beside those that are there. To translate without changing it: dragoman sync -t ${targets.join(',')}.`;
}

/** The layout is found again at each run: a list of files would miss the ones that are added later. */
function configurationText({ source, targets, resources }: Project): string {
  const listed = resources.slice(0, LISTED).map((resource) => `#   ${resource.source}`);
  if (resources.length > LISTED) listed.push(`#   and ${resources.length - LISTED} more`);
  return [
    `source: ${JSON.stringify(source)}`,
    targets.length > 0
      ? `targets: [${targets.map((code) => JSON.stringify(code)).join(', ')}]`
      : '# targets: [es, fr]',
    '',
    '# Source files are found by the layout of the project:',
    ...listed,
    '# To describe them yourself:',
    '# files:',
    '#   - source: locales/{locale}.json',
    '#     target: locales/{locale}.json',
    "# exclude: ['**/fixtures/**']",
    '# engine: apertium',
    '# service:',
    '#   baseUrl: https://translate.example.com',
    '',
  ].join('\n');
}
