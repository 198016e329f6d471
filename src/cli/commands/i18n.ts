import { basename, dirname, join, resolve } from 'node:path';
import { stat } from 'node:fs/promises';
import { DragomanError } from '../../base/errors.ts';
import type { Engine } from '../../engines/engine.ts';
import { spellInFile } from '../../formats/locale-style.ts';
import { translatedName } from '../../formats/translated-name.ts';
import { openFile, type OpenFile } from '../../pipeline/open-file.ts';
import { languageOfFile } from '../../pipeline/declared-language.ts';
import type { SegmentContext, TranslationResources } from '../../pipeline/segments.ts';
import type { TargetLocale } from '../../pipeline/target.ts';
import {
  failAllKeys,
  translateFile,
  type FailedKey,
  type TranslatedFile,
} from '../../pipeline/translate-file.ts';
import { missingTermText } from '../../pipeline/terms/missing-term.ts';
import { MAX_TARGET_LANGUAGES } from '../../contract/limits.ts';
import { languageOfPath } from '../../project/discover/path-language.ts';
import {
  addResourceOptions,
  refuseResources,
  withResources,
  type ResourceFlags,
} from '../translation-resources.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { withEngine, type EngineChoice } from '../engine-choice.ts';
import { OK, PARTIAL, type ExitCode } from '../exit-code.ts';
import { expandFiles } from '../files.ts';
import { keyText } from '../findings.ts';
import { addLanguageOptions, requireTargets, sourceOf, type LanguageOptions } from '../language-options.ts';
import { exitCodeOfJobs, jobLine } from '../jobs/report.ts';
import { withJobs } from '../jobs/operations.ts';
import { translateFiles, type FileResult, type FileTask, type FilesResult } from '../jobs/translate-files.ts';
import { openEach, unreadableDocuments, type Opened } from '../open-each.ts';
import type { Output } from '../output.ts';
import { addServiceEngine } from '../service/engine.ts';
import { addServiceOptions, type ServiceFlags } from '../service/options.ts';
import { choosePlace } from '../service/place.ts';
import { resolveSource, sourceForService } from '../source-language.ts';
import { doTasks, type Done } from '../tasks.ts';
import { printUnavailable, unavailableDocument } from '../unavailable.ts';
import { writeOutput } from '../write-output.ts';

interface Options extends LanguageOptions, ServiceFlags, ResourceFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly delete?: boolean;
  readonly toUtf8?: boolean;
}

/** A file to translate into a language. */
interface Task {
  readonly file: OpenFile;
  readonly target: string;
}

interface Written {
  readonly source: OpenFile;
  readonly target: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly result: Omit<TranslatedFile, 'bytes'>;
}

export const i18n: CommandModule<Options> = {
  configure(command) {
    command
      .argument('<file...>', 'JSON, YAML, PO/POT, .properties, .strings or XML files')
      .option('-o, --output <directory>', 'where the files go; default: beside their source')
      .option('--force', 'replace existing files beside the source')
      .option('--to-utf8', 'write PO files whose charset cannot hold the translation in UTF-8')
      .option('--delete', 'delete the jobs of a service when their translations are written');
    addLanguageOptions(command);
    addServiceOptions(command);
    addResourceOptions(command);
    addExamples(command, [
      [
        'dragoman i18n messages.json -s en -t de,ja -o out',
        'write out/messages_de.json and out/messages_ja.json',
      ],
      ["dragoman i18n 'po/*.pot' -s en -t fr", 'write a French catalog beside each template'],
    ]);
  },

  async run(args, options, context) {
    const targets = requireTargets(options);
    if (targets.length > MAX_TARGET_LANGUAGES)
      throw new DragomanError('usage', `more than ${MAX_TARGET_LANGUAGES} target languages`);
    const source = sourceOf(options);
    const paths = await expandFiles(args, context.terminal);
    // All inputs are read and all outputs named before the first one is translated: mistakes show at once.
    const opened = await openEach(paths, (path) => openFile(path, { locale: source }), context.output);
    await checkOutputs(opened.files, targets, options, context);
    const place = await choosePlace(options, context.terminal);
    return place.kind === 'here'
      ? translateHere(opened, targets, place.engine, options, context)
      : translateThere(opened, targets, options, context);
  },
};

async function translateHere(
  { files, unreadable }: Opened<OpenFile>,
  targets: readonly string[],
  choice: EngineChoice,
  options: Options,
  context: CommandContext,
): Promise<ExitCode> {
  if (options.delete)
    throw new DragomanError('usage', '--delete requires a service: local engines have no jobs');
  const named = sourceOf(options);
  const tasks = files.flatMap((file) => targets.map((target): Task => ({ file, target })));
  const translate = async (engine: Engine, resources: TranslationResources): Promise<Done<Task, Written>> => {
    const progress = await context.output.progress();
    const task = async ({ file, target }: Task): Promise<Written> => {
      progress.update(`${basename(file.path)} → ${target}`);
      const texts = file.document.slots.map((slot) => slot.source ?? slot.value);
      const source = await resolveSource(named, texts, file.path, declaredLanguage(file));
      return translateOne(file, { ...resources, engine, source, target }, options, context);
    };
    try {
      return await doTasks(tasks, task, { stopped: () => undefined });
    } finally {
      progress.stop();
    }
  };
  const result = await withResources(
    options,
    context,
    (resources) =>
      withEngine(addServiceEngine(choice, options, context), (engine) => translate(engine, resources)),
    { isKept: true },
  );
  const { done, unavailable, error } = result;
  const document = { files: [...report(result, context), ...unreadableDocuments(unreadable)] };
  if (error) return context.output.failure(error, document);
  if (context.output.json) context.output.document(document);
  const isWhole = unreadable.length + unavailable.length === 0;
  return isWhole && done.every(({ result: { failed } }) => failed.length === 0) ? OK : PARTIAL;
}

/** A job for each file: created, waited for, its translations downloaded. */
async function translateThere(
  { files, unreadable }: Opened<OpenFile>,
  targets: readonly string[],
  options: Options,
  context: CommandContext,
): Promise<ExitCode> {
  if (options.toUtf8)
    throw new DragomanError('usage', '--to-utf8 requires a local engine: a service writes its files itself');
  refuseResources(options, 'With sync, the service gets single texts, and all options apply.');
  const tasks = files.map((source): FileTask => {
    const { path } = source;
    const outputs = targets.map(
      (target) => [target, outputPath(path, target, options, context.terminal.cwd)] as const,
    );
    const language = sourceForService(sourceOf(options), declaredLanguage(source));
    return { source, language, outputs: new Map(outputs) };
  });
  const wishes = { targets, isDeleted: options.delete === true };
  const done = await withJobs(options, context, (jobs) => translateFiles(jobs, tasks, wishes, context));
  return reportJobs(done, unreadable, context);
}

function reportJobs(
  { results, error }: FilesResult,
  unreadable: Opened<OpenFile>['unreadable'],
  { output }: CommandContext,
): ExitCode {
  const worst = exitCodeOfJobs(results.map(({ job }) => job));
  const isWhole =
    unreadable.length === 0 &&
    results.every(
      ({ missing, files }) => missing.length === 0 && files.every(({ unsound }) => unsound.length === 0),
    );
  const files = results.flatMap(({ task, job, files: written }) =>
    written.map(({ language, path, size, unsound }) => ({
      source: task.source.path,
      language_code: language,
      path,
      file_size: size,
      job_id: job.id,
      failures: unsound,
    })),
  );
  const document = {
    files: [...files, ...unreadableDocuments(unreadable)],
    jobs: results.map(({ job }) => job),
  };
  if (output.json && !error) output.document(document);
  if (!output.json) for (const result of results) printJob(result, output);
  if (error) return output.failure(error, document);
  return worst === OK && !isWhole ? PARTIAL : worst;
}

function printJob({ job, files, missing }: FileResult, output: Output): void {
  for (const { path, language, unsound } of files) {
    output.result(path);
    for (const { key, line, column, reason } of unsound) {
      output.problem(`${path}:${line}:${column}: ${keyText(key)} (${language}): ${reason}`);
    }
  }
  if (job.status !== 'completed') output.problem(jobLine(job));
  if (missing.length > 0) output.problem(`${job.id}: no translation into ${missing.join(', ')}`);
}

async function translateOne(
  file: OpenFile,
  { target, ...direction }: Omit<SegmentContext, 'signal'>,
  options: Options,
  { terminal }: CommandContext,
): Promise<Written> {
  const { bytes, ...result } = await translateFile(file, localeIn(file, target), {
    ...direction,
    signal: terminal.signal,
    concurrency: options.concurrency,
    toUtf8: options.toUtf8,
  });
  const path = outputPath(file.path, target, options, terminal.cwd);
  await writeOutput(path, bytes);
  return { source: file, target, path, size: bytes.length, result };
}

function localeIn(file: OpenFile, target: string): TargetLocale {
  return { locale: target, spelling: spellInFile(target, file.format.id) };
}

/** What the file says itself, or else its path. That of a PO file names the language that it is translated into. */
function declaredLanguage(file: OpenFile): string | undefined {
  return languageOfFile(file) ?? (file.format.id === 'po' ? undefined : languageOfPath(file.path));
}

/** Specification, download: the service names its files so too. */
function outputPath(path: string, target: string, options: Options, cwd: string): string {
  const directory = options.output === undefined ? dirname(path) : resolve(cwd, options.output);
  return join(directory, translatedName(basename(path), target));
}

async function checkOutputs(
  files: readonly OpenFile[],
  targets: readonly string[],
  options: Options,
  { terminal }: CommandContext,
): Promise<void> {
  const origins = new Map<string, string>();
  for (const file of files) {
    for (const target of targets) {
      const path = outputPath(file.path, target, options, terminal.cwd);
      const other = origins.get(path);
      if (other !== undefined) {
        throw new DragomanError('usage', `${other} and ${file.path} would both be written to ${path}`);
      }
      origins.set(path, file.path);
      // A directory named with -o is for results; beside the source a human's file may have the same name.
      if (options.output === undefined && !options.force && (await exists(path))) {
        throw new DragomanError('usage', `${path} exists already`, {
          hint: 'Name another directory with -o, replace it with --force, or keep it up to date with dragoman sync.',
        });
      }
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Tells of what was done. @returns the files of the document of `--json` */
function report({ done, unavailable }: Done<Task, Written>, { output }: CommandContext): readonly object[] {
  for (const { item, error } of unavailable) printUnavailable(item.file.path, item.target, error, output);
  if (!output.json) for (const written of done) printWritten(written, output);
  const files = done.map(({ source, target, path, size, result }) => ({
    source: source.path,
    language_code: target,
    path,
    file_size: size,
    translated_keys: result.translated,
    failed_keys: result.failed.length,
    failures: result.failed.map(failureDocument),
    terms: result.lacking.map(({ key, position, term, translation }) => ({
      key,
      ...position,
      term,
      translation,
    })),
  }));
  const failed = unavailable.map(({ item: { file, target }, error }) => {
    const keys = failAllKeys(file, localeIn(file, target), error.message);
    return {
      source: file.path,
      language_code: target,
      path: null,
      translated_keys: 0,
      failed_keys: keys.length,
      failures: keys.map(failureDocument),
      ...unavailableDocument(error),
    };
  });
  return [...files, ...failed];
}

function failureDocument({ key, position, reason }: FailedKey): object {
  return { key, ...position, reason };
}

function printWritten({ source, target, path, result }: Written, output: Output): void {
  output.result(path);
  if (result.convertedFrom !== undefined)
    output.message(`${path}: in UTF-8, its source is in ${result.convertedFrom}`);
  for (const { key, position, reason } of result.failed) {
    const place = `${source.path}:${position.line}:${position.column}`;
    output.problem(`${place}: ${key.join('.')} (${target}) keeps its source text: ${reason}`);
  }
  for (const { key, position, ...term } of result.lacking) {
    const place = `${source.path}:${position.line}:${position.column}`;
    output.problem(`${place}: ${keyText(key)} (${target}): ${missingTermText(term)}`);
  }
}
