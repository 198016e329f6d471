import type * as Clack from '@clack/prompts';
import type { CommonOptions } from '@clack/prompts';
import { DragomanError } from '../../../base/errors.ts';
import { interrupted } from '../../../base/interruption.ts';
import type { EngineStatus } from '../../../engines/engine.ts';
import { AUTO_ENGINE, runsProgram } from '../../../engines/registry.ts';
import { languageName, requireLanguage } from '../../../languages/catalog.ts';
import { sourceNameOf } from '../../../project/discover/resource.ts';
import type { Project } from '../../../project/state/project.ts';
import { pluralize } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** The user's answers on the terminal. */
export interface InitAnswers {
  readonly project: Project;
  /** Undefined to use the first engine that supports the pair. */
  readonly engine: EngineStatus | undefined;
  /** Whether to import existing translations into the memory. */
  readonly fillsMemory: boolean;
}

export interface InitQuestions {
  /** The detected project. */
  readonly project: Project;
  /** Opens the project with different languages. @throws DragomanError */
  readonly reopen: (source: string, targets: readonly string[]) => Promise<Project>;
  readonly engines: () => Promise<readonly EngineStatus[]>;
  /** The path of the configuration, as shown to the user. */
  readonly writes: string;
}

type Prompts = typeof Clack;

/**
 * Asks for the settings, shows the configuration, and asks whether to write it.
 *
 * @throws DragomanError `interrupted` for Ctrl-C, Esc and "no", after which nothing is written
 */
export async function askQuestions(
  questions: InitQuestions,
  { stdin, stderr, signal }: Terminal,
): Promise<InitAnswers> {
  const prompts = await import('@clack/prompts');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a terminal is a system stream
  const streams = { input: stdin, output: stderr, signal } as CommonOptions;
  prompts.intro('dragoman init', streams);
  const project = await askLanguages(questions, prompts, streams);
  const engine = await askEngine(questions, prompts, streams);
  const existing = project.resources.reduce((sum, resource) => sum + resource.existing.size, 0);
  const fillsMemory = existing > 0 && (await askAboutExisting(existing, prompts, streams));
  prompts.note(planOf({ project, engine, fillsMemory }, existing, questions.writes), 'Plan', {
    ...streams,
    format: (line) => line,
  });
  const isWanted = given(
    prompts,
    await prompts.confirm({ ...streams, message: `Write ${questions.writes}?` }),
  );
  if (!isWanted) throw nothingWritten();
  return { project, engine, fillsMemory };
}

const nothingWritten = (): DragomanError => interrupted('nothing was written');

/** @throws DragomanError `interrupted` if the question was not answered */
function given<T>({ isCancel }: Prompts, answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw nothingWritten();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only symbol stands for a cancelled question
  return answer as Exclude<T, symbol>;
}

async function askLanguages(
  { project, reopen }: InitQuestions,
  prompts: Prompts,
  streams: CommonOptions,
): Promise<Project> {
  const source = codesIn(
    given(
      prompts,
      await prompts.text({
        ...streams,
        message: 'Source language',
        initialValue: project.source,
        validate: (text) => problemOfCodes(text, 1),
      }),
    ),
  );
  const targets = codesIn(
    given(
      prompts,
      await prompts.text({
        ...streams,
        message: 'Target languages, separated by commas',
        placeholder: 'es, fr',
        initialValue: project.targets.filter((code) => code !== source[0]).join(', '),
        validate: (text) => problemOfCodes(text),
      }),
    ),
  );
  const [code = project.source] = source;
  return reopen(
    code,
    targets.filter((target) => target !== code),
  );
}

function codesIn(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== '').map((word) => requireLanguage(word)))];
}

/** The reason why an answer is invalid; undefined if it is valid. */
function problemOfCodes(text: string | undefined, most = Infinity): string | undefined {
  try {
    const codes = codesIn(text ?? '');
    if (codes.length === 0) return 'Name a language, such as es. Ctrl-C writes nothing.';
    return codes.length > most ? 'Name one language only.' : undefined;
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return error.message;
  }
}

async function askEngine(
  { engines }: InitQuestions,
  prompts: Prompts,
  streams: CommonOptions,
): Promise<EngineStatus | undefined> {
  const spinner = prompts.spinner(streams);
  spinner.start('Looking for engines');
  const statuses = (await engines()).filter(({ id }) => !runsProgram(id));
  const ready = statuses.filter((status) => status.ready);
  spinner.stop(ready.length === 0 ? 'No engine is ready' : `Ready: ${ready.map(({ id }) => id).join(', ')}`);
  const chosen = given(
    prompts,
    await prompts.select({
      ...streams,
      message: 'Engine',
      initialValue: AUTO_ENGINE,
      options: [
        { value: AUTO_ENGINE, label: `${AUTO_ENGINE}: the first that supports the language pair` },
        ...[...ready, ...statuses.filter((status) => !status.ready)].map((status) => ({
          value: status.id,
          label: status.ready ? status.id : `${status.id} (not set up yet)`,
        })),
      ],
    }),
  );
  return statuses.find(({ id }) => id === chosen);
}

async function askAboutExisting(
  existing: number,
  prompts: Prompts,
  streams: CommonOptions,
): Promise<boolean> {
  const answer = await prompts.select({
    ...streams,
    message: `${pluralize(existing, 'translated file')} found: sync never overwrites their translations`,
    initialValue: 'keep',
    options: [
      { value: 'keep', label: 'Keep them, translate missing texts' },
      { value: 'memory', label: 'Keep them, and reuse their texts elsewhere' },
    ],
  });
  return given(prompts, answer) === 'memory';
}

function planOf({ project, engine, fillsMemory }: InitAnswers, existing: number, writes: string): string {
  const { source, targets, resources } = project;
  const [first] = resources;
  const more = resources.length > 1 ? ` and ${resources.length - 1} more` : '';
  const kept = fillsMemory ? `${existing} kept, and added to the memory` : `${existing} kept`;
  return [
    `from      ${languageName(source)}`,
    `into      ${targets.map((code) => languageName(code)).join(', ')}`,
    `files     ${first ? sourceNameOf(first) : ''}${more}`,
    `engine    ${engine?.id ?? AUTO_ENGINE}`,
    ...(existing === 0 ? [] : [`existing  ${kept}`]),
    `writes    ${writes}`,
  ].join('\n');
}
