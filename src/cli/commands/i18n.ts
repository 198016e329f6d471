import { basename, dirname, join, resolve } from 'node:path';
import { stat } from 'node:fs/promises';
import { DragomanError } from '../../base/errors.ts';
import type { Engine } from '../../engines/engine.ts';
import { spellInFile } from '../../formats/locale-style.ts';
import { translatedName } from '../../formats/translated-name.ts';
import { openFile, type OpenFile } from '../../pipeline/open-file.ts';
import { languageOfFile } from '../../pipeline/declared-language.ts';
import type { SegmentContext, TranslationResources } from '../../pipeline/segments.ts';
import { translateFile, type TranslatedFile } from '../../pipeline/translate-file.ts';
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
import { withEngine, type EngineChoice } from '../engine-options.ts';
import { OK, PARTIAL, type ExitCode } from '../exit-code.ts';
import { expandFiles } from '../files.ts';
import { keyText } from '../findings.ts';
import { addLanguageOptions, requireTargets, sourceOf, type LanguageOptions } from '../language-options.ts';
import { exitCodeOfJobs, jobLine } from '../jobs/report.ts';
import { withJobs } from '../jobs/operations.ts';
import { translateFiles, type FileResult, type FileTask, type FilesResult } from '../jobs/translate-files.ts';
import type { Output } from '../output.ts';
import { addServiceEngine } from '../service/engine.ts';
import { addServiceOptions, type ServiceFlags } from '../service/options.ts';
import { choosePlace } from '../service/place.ts';
import { resolveSource, sourceForService } from '../source-language.ts';
import { writeOutput } from '../write-output.ts';

interface Options extends LanguageOptions, ServiceFlags, ResourceFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly delete?: boolean;
}

interface Written {
  readonly source: OpenFile;
  readonly target: string;
  readonly path: string;
  readonly result: TranslatedFile;
}

export const i18n: CommandModule<Options> = {
  configure(command) {
    command
      .argument('<file...>', 'JSON, YAML, PO/POT, .properties, .strings or XML files')
      .option('-o, --output <directory>', 'where the files go; default: beside their source')
      .option('--force', 'replace files that are there already beside the source')
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
    const paths = await expandFiles(args, context.terminal.cwd);
    // All inputs are read and all outputs named before the first one is translated: mistakes show at once.
    const files: OpenFile[] = [];
    for (const path of paths) files.push(await openFile(path, { locale: source }));
    await checkOutputs(files, targets, options, context);
    const place = await choosePlace(options, context.terminal);
    return place.kind === 'here'
      ? translateHere(files, targets, place.engine, options, context)
      : translateThere(files, targets, options, context);
  },
};

async function translateHere(
  files: readonly OpenFile[],
  targets: readonly string[],
  choice: EngineChoice,
  options: Options,
  context: CommandContext,
): Promise<ExitCode> {
  if (options.delete) throw new DragomanError('usage', '--delete goes with a service: here are no jobs');
  const named = sourceOf(options);
  const translate = async (engine: Engine, resources: TranslationResources): Promise<readonly Written[]> => {
    const all: Written[] = [];
    const progress = await context.output.progress();
    try {
      for (const file of files) {
        const texts = file.document.slots.map((slot) => slot.source ?? slot.value);
        const source = await resolveSource(named, texts, file.path, declaredLanguage(file));
        for (const target of targets) {
          progress.update(`${basename(file.path)} → ${target}`);
          const direction = { ...resources, engine, source, target };
          all.push(await translateOne(file, direction, options, context));
        }
      }
    } finally {
      progress.stop();
    }
    return all;
  };
  const written = await withResources(
    options,
    context,
    (resources) =>
      withEngine(addServiceEngine(choice, options, context), (engine) => translate(engine, resources)),
    { isKept: true },
  );
  report(written, context);
  return written.some(({ result }) => result.failed.length > 0) ? PARTIAL : OK;
}

/** A job for each file: created, waited for, its translations downloaded. */
async function translateThere(
  files: readonly OpenFile[],
  targets: readonly string[],
  options: Options,
  context: CommandContext,
): Promise<ExitCode> {
  refuseResources(options, 'With sync it is sent texts, and everything holds for them.');
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
  return reportJobs(done, context);
}

function reportJobs({ results, error }: FilesResult, { output }: CommandContext): ExitCode {
  const worst = exitCodeOfJobs(results.map(({ job }) => job));
  const isWhole = results.every(
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
  const document = { files, jobs: results.map(({ job }) => job) };
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
  const spelling = spellInFile(target, file.format.id);
  const result = await translateFile(
    file,
    { locale: target, spelling },
    { ...direction, signal: terminal.signal, concurrency: options.concurrency },
  );
  const path = outputPath(file.path, target, options, terminal.cwd);
  await writeOutput(path, result.bytes);
  return { source: file, target, path, result };
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

function report(written: readonly Written[], { output }: CommandContext): void {
  if (output.json) {
    output.document({
      files: written.map(({ source, target, path, result }) => ({
        source: source.path,
        language_code: target,
        path,
        file_size: result.bytes.length,
        translated_keys: result.translated,
        failed_keys: result.failed.length,
        failures: result.failed.map(({ key, position, reason }) => ({ key, ...position, reason })),
        terms: result.lacking.map(({ key, position, term, translation }) => ({
          key,
          ...position,
          term,
          translation,
        })),
      })),
    });
    return;
  }
  for (const { source, target, path, result } of written) {
    output.result(path);
    for (const { key, position, reason } of result.failed) {
      const place = `${source.path}:${position.line}:${position.column}`;
      output.problem(`${place}: ${key.join('.')} (${target}) keeps its source text: ${reason}`);
    }
    for (const { key, position, ...term } of result.lacking) {
      const place = `${source.path}:${position.line}:${position.column}`;
      output.problem(`${place}: ${keyText(key)} (${target}): ${missingTermText(term)}`);
    }
  }
}
