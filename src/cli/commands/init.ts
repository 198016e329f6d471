import { realpath } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import { writeAtomically } from '../../base/atomic-file.ts';
import { addFormatCommandOption } from '../options/format-programs.ts';
import { describe, DragomanError } from '../../base/errors.ts';
import { unlessAborted } from '../../base/interruption.ts';
import type { EngineStatus } from '../../engines/engine.ts';
import { AUTO_ENGINE, engineStatuses, installHints, requireEngines } from '../../engines/registry.ts';
import { languageName } from '../../languages/catalog.ts';
import { describeFrameworks, frameworksDocument } from '../project/framework-list.ts';
import { checkProjectConfiguration } from '../../project/config/configuration.ts';
import { findConfigurationFile } from '../../project/config/file.ts';
import {
  FOREIGN_TOOLS,
  type ForeignConfiguration,
  type ForeignSettings,
  readForeignConfiguration,
} from '../../project/config/foreign.ts';
import { sourceNameOf } from '../../project/discover/resource.ts';
import { readYaml } from '../../project/config/yaml.ts';
import type { Project } from '../../project/state/project.ts';
import { addLockAttributes } from '../../project/state/lock-attributes.ts';
import { targetsToName } from '../../project/state/regions.ts';
import { detachLock } from '../../project/state/stored-state.ts';
import { printAttributes } from '../project/sync-report.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { OK } from '../output/exit-code.ts';
import { chooseEngine, type EngineChoice, withEngine } from '../execution/engine-choice.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { inGroup } from '../output/help.ts';
import { addLanguageOptions, type LanguageOptions, sourceOf, targetsOf } from '../options/language.ts';
import { openSelected, passedOverDocument, reportLeftAlone } from '../options/project.ts';
import { addServiceEngine } from '../execution/service-engine.ts';
import { pluralize } from '../terminal/table.ts';
import { isInteractive } from '../terminal/terminal.ts';
import type { InitAnswers } from './init/questions.ts';

const NAME = 'dragoman.config.yaml';
/** The path of the schema for editors, once the project depends on this program. */
const SCHEMA = './node_modules/dragoman/schema/dragoman.schema.json';
/** Enough entries to see that the layout was recognized. */
const LISTED = 20;
/** Detecting engines takes a moment, and would hang if a service hung. */
const ENGINES_MS = 15_000;

interface InitFlags extends Pick<LanguageOptions, 'source' | 'target'>, DryRunFlags {
  readonly engine?: string;
  readonly from?: string;
  readonly yes?: boolean;
  readonly input?: boolean;
}

/** A configuration to write, and its path. */
interface Plan {
  /** The directory of the configuration; absolute, with links resolved. */
  readonly root: string;
  readonly settings: ForeignSettings;
  /** The project to configure; undefined if only this configuration makes it one. */
  readonly project?: Project | undefined;
  /** Commands to install missing parts, to run before the first sync. */
  readonly first?: readonly string[];
}

export const init: CommandModule<InitFlags> = {
  examples: [
    ['dragoman init', 'ask, find the layout here and write dragoman.config.yaml'],
    ['dragoman init app -s en -t es,fr', 'for another directory, with these languages, without asking'],
    ['dragoman init --from i18next', 'import languages and files from another tool'],
  ],
  details: `On a terminal, and without options, it asks for the languages and the engine and shows the plan before it writes
anything. --from reads the configuration of another tool, runs none of its code, and lists the settings that have no
counterpart.`,
  configure(command) {
    command.argument('[directory]', 'directory for the configuration; default: the root of this project');
    addLanguageOptions(command);
    addFormatCommandOption(command);
    command
      .option('--from <tool>', `import the configuration of ${FOREIGN_TOOLS.join(', ')}`)
      .option('-y, --yes', 'do not ask');
    addDryRunOption(command, 'only print the configuration that would be written');
    inGroup(command, 'Engine', () =>
      command.option('--engine <name>', 'the engine that the configuration names'),
    );
  },

  async run([directory], flags, context) {
    const here = resolve(context.terminal.cwd, directory ?? '.');
    const present = await findConfigurationFile(here);
    if (present) {
      throw new DragomanError('configuration', `a configuration already exists: ${present.path}`, {
        hint: adviceFor(flags, basename(present.path)),
      });
    }
    if (flags.engine !== undefined) requireEngines(flags.engine);
    const foreign =
      flags.from === undefined
        ? undefined
        : await readForeignConfiguration(flags.from, here, context.formats);
    const plan = await planFor(here, directory, flags, foreign, context);
    const path = join(plan.root, NAME);
    const text = configurationText(plan);
    // Another tool's settings may be invalid in this configuration.
    checkProjectConfiguration(readYaml(path, text));
    const { project } = plan;
    if (flags.dryRun) {
      report(plan, path, foreign, context, text);
      return OK;
    }
    if (project && plan.root !== project.root) await detachLock(project, plan.root);
    await writeAtomically(path, text);
    const attributes = await addLockAttributes(plan.root);
    report({ ...plan, project: project ?? (await openWritten(plan, context)) }, path, foreign, context);
    if (!context.output.json) printAttributes({ root: plan.root, attributes }, context.output);
    return OK;
  },
};

/** @throws DragomanError like `openProjects`, `usage` if the source language of another tool's files is unknown */
async function planFor(
  here: string,
  directory: string | undefined,
  flags: InitFlags,
  foreign: ForeignConfiguration | undefined,
  context: CommandContext,
): Promise<Plan> {
  const { terminal, output } = context;
  const taken = foreign?.settings ?? {};
  const source = sourceOf(flags) ?? taken.source;
  const targets = (targetsOf(flags) ?? taken.targets)?.filter((code) => code !== source);
  const settings = { ...taken, source, targets, engine: flags.engine ?? taken.engine };
  if (foreign && taken.files) {
    if (source !== undefined) return { root: await realpath(here), settings };
    throw new DragomanError('usage', `${output.shown(foreign.path)} does not name the source language`, {
      hint: `Name it: dragoman init --from ${flags.from} -s en`,
    });
  }
  const open = async (languages: LanguageOptions): Promise<Project> => {
    const [project] = await openSelected(directory === undefined ? [] : [directory], languages, context);
    if (!project) throw new DragomanError('internal', 'a path is not in any project');
    return project;
  };
  const found = await open({ ...(source !== undefined && { source }), ...(targets && { target: targets }) });
  reportLeftAlone([found], context);
  const root = directory === undefined ? found.root : await realpath(here);
  const planned = (project: Project): Plan => ({
    root,
    project,
    settings: {
      ...settings,
      source: project.source,
      targets:
        targets || project !== found ? project.targets : targetsToName(project.targets, project.resources),
    },
  });
  if (!mayAsk(flags, context)) return planned(found);
  const { askQuestions } = await import('./init/questions.ts');
  const answers = await askQuestions(
    {
      project: found,
      reopen: (code, codes) => open({ source: code, target: codes }),
      engines: () => statusesOf(context),
      writes: output.shown(join(root, NAME)),
    },
    terminal,
  );
  const { engine } = answers;
  const plan = planned(answers.project);
  return {
    ...plan,
    settings: { ...plan.settings, engine: engine?.id },
    first: await firstSteps(answers, context),
  };
}

/** Whether to ask: only on a terminal, if the options leave something open. */
function mayAsk(flags: InitFlags, { terminal, output }: CommandContext): boolean {
  const isAnswered = [flags.source, flags.target, flags.engine, flags.from].some(
    (flag) => flag !== undefined,
  );
  const isAsked = !isAnswered && !flags.dryRun && flags.yes !== true && flags.input !== false;
  return isAsked && !output.json && isInteractive(terminal);
}

/** The ready engines; empty if detection takes too long, in which case `auto` can still be chosen. */
async function statusesOf(context: CommandContext): Promise<readonly EngineStatus[]> {
  const { options } = await engineChoice(context);
  return withinLimit(context, (signal) => engineStatuses(options, signal), []);
}

async function engineChoice(context: CommandContext): Promise<EngineChoice> {
  return addServiceEngine(await chooseEngine({}, context.terminal), {}, context);
}

async function withinLimit<T>(
  { terminal: { signal } }: CommandContext,
  work: (signal: AbortSignal) => Promise<T>,
  otherwise: T,
): Promise<T> {
  const limit = AbortSignal.timeout(ENGINES_MS);
  try {
    return await unlessAborted(work(limit), AbortSignal.any([signal, limit]));
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    return otherwise;
  }
}

/** The steps before the first sync. */
async function firstSteps(
  { project, engine, fillsMemory }: InitAnswers,
  context: CommandContext,
): Promise<readonly string[]> {
  const steps = engine
    ? engine.ready
      ? []
      : [`set up ${engine.id}: ${engine.hint ?? engine.detail}`]
    : await withinLimit(context, () => stepsToEngines(project, context), []);
  const memory = `dragoman memory import ${placeOf(project.root, context) || '.'} -s ${project.source}`;
  return [...steps, ...(fillsMemory ? [memory] : [])];
}

/** The commands that install an engine, for languages that no installed engine supports. */
async function stepsToEngines(
  { source, targets }: Project,
  context: CommandContext,
): Promise<readonly string[]> {
  const steps = new Set<string>();
  await withEngine(await engineChoice(context), async (engine) => {
    for (const target of targets) {
      if (await engine.supports(source, target)) continue;
      const [hint = 'dragoman engines'] = await installHints(source, target);
      steps.add(hint);
    }
  });
  return [...steps];
}

/** The project's path on a command line; empty for the current directory. */
function placeOf(root: string, { terminal, output }: CommandContext): string {
  return relative(realpathSync(terminal.cwd), root) === '' ? '' : output.shown(root);
}

/** The project as the new configuration describes it. */
async function openWritten({ root }: Plan, context: CommandContext): Promise<Project | undefined> {
  try {
    const [project] = await openSelected([root], {}, context);
    return project;
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    context.output.warning(describe(error));
    return undefined;
  }
}

/** @param unwritten the text of a configuration that is only shown */
function report(
  { project, settings, first = [] }: Plan,
  path: string,
  foreign: ForeignConfiguration | undefined,
  context: CommandContext,
  unwritten?: string,
): void {
  const { output } = context;
  const { source = project?.source ?? '', targets = project?.targets ?? [] } = settings;
  const resources = project?.resources ?? [];
  if (output.json) {
    output.document({
      path,
      ...(unwritten !== undefined && { dry_run: true, text: unwritten }),
      source_language: source,
      target_languages: targets,
      files: resources.map(sourceNameOf),
      frameworks: project ? frameworksDocument(project) : [],
      ...passedOverDocument(project ? [project] : []),
      ...(foreign && { from: foreign.path, left_out: foreign.leftOut }),
    });
    return;
  }
  if (unwritten === undefined) output.path(path);
  else output.result(unwritten.trimEnd());
  if (project) output.message(`${pluralize(resources.length, 'source file')} in ${languageName(source)}`);
  for (const line of project ? describeFrameworks(project) : []) output.message(line);
  if (foreign && foreign.leftOut.length > 0)
    output.message(`not imported from ${output.shown(foreign.path)}: ${foreign.leftOut.join(', ')}`);
  if (targets.length === 0) {
    output.message('no target languages found: list some under `targets` before the first sync');
    return;
  }
  const sync = ['dragoman sync', placeOf(dirname(path), context), '--dry-run'].filter((word) => word !== '');
  for (const step of [...first, sync.join(' ')]) output.message(`next: ${step}`);
}

/** `init` does not overwrite a configuration, because a person may have edited it. */
function adviceFor(options: LanguageOptions, name: string): string {
  const targets = targetsOf(options) ?? [];
  if (targets.length === 0) return 'Edit it, or remove it first.';
  const isJson = name.endsWith('.json');
  const list = targets.map((code) => JSON.stringify(code)).join(', ');
  const line = isJson ? `"targets": [${list}]` : `targets: [${list}]`;
  return `To add ${targets.length === 1 ? 'the language' : 'the languages'}, add ${line} to it. To translate without changing it: dragoman sync -t ${targets.join(',')}.`;
}

/**
 * Lists no files, because every run detects the layout again and a fixed list would miss new files. Exception: files
 * named by another tool.
 */
function configurationText({ project, settings }: Plan): string {
  const { source = '', targets = [], files, engine, formality, openai } = settings;
  const resources = project?.resources ?? [];
  const listed = resources.slice(0, LISTED).map((resource) => `#   ${sourceNameOf(resource)}`);
  if (resources.length > LISTED) listed.push(`#   and ${resources.length - LISTED} more`);
  return [
    `# yaml-language-server: $schema=${SCHEMA}`,
    `source: ${JSON.stringify(source)}`,
    targets.length > 0
      ? `targets: [${targets.map((code) => JSON.stringify(code)).join(', ')}]`
      : '# targets: [es, fr]',
    ...(engine === undefined || engine === AUTO_ENGINE ? [] : [`engine: ${engine}`]),
    ...(openai ? [stringify({ openai }).trimEnd()] : []),
    ...(formality ? [stringify({ formality }).trimEnd()] : []),
    '',
    ...(files
      ? [stringify({ files: files.map(withoutRepetition) }, { aliasDuplicateObjects: false }).trimEnd()]
      : [
          '# Source files are found by the layout of the project:',
          ...listed,
          '# To describe them yourself:',
          '# files:',
          '#   - source: locales/{locale}.json',
          '#     target: locales/{locale}.json',
        ]),
    "# exclude: ['**/fixtures/**']",
    ...(engine === undefined ? ['# engine: apertium'] : []),
    '# service:',
    '#   baseUrl: https://translate.example.com',
    '',
  ].join('\n');
}

/** Omits targets that equal their source, because that is the default. */
function withoutRepetition({
  source,
  target,
  ...rest
}: NonNullable<ForeignSettings['files']>[number]): object {
  return { source, ...(target !== source && { target }), ...rest };
}
