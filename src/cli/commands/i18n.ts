import { openInCheckout } from '../../project/discover/single-file.ts';
import { basename, dirname, extname, join } from 'node:path';
import { Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { MAX_TARGET_LANGUAGES } from '../../contract/limits.ts';
import {
  FORMAT_IDS,
  requireExtensionOf,
  requireFormatId,
  spellInFile,
  translatedName,
} from '../../formats/registry.ts';
import {
  failAllKeys,
  type FailedKey,
  LOCALIZATION_FILES,
  type TranslatedFile,
} from '../../documents/localization/translate-file.ts';
import { openBytes, type OpenFile } from '../../documents/localization/open-file.ts';
import type { TargetLocale } from '../../documents/localization/target.ts';
import { missingTermText } from '../../pipeline/terms/terms.ts';
import { languageOfPath } from '../../project/discover/path-language.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { type ExitCode, exitCodeOfFailures, PARTIAL } from '../output/exit-code.ts';
import { reportSkipped, requireNew, STDOUT } from '../documents/destinations.ts';
import { reportDryRun } from '../documents/dry-run.ts';
import {
  filesDocument,
  openEach,
  type Opened,
  type OtherFiles,
  unavailableDocument,
} from '../documents/open-each.ts';
import {
  type Companion,
  type DocumentJob,
  finish,
  type JobWork,
  type NamedFile,
  pathOf,
  planJobs,
  runJobs,
  type TasksResult,
  type Written,
} from '../documents/run.ts';
import { resolveSource, sourceForService } from '../documents/source-language.ts';
import { withEngine, type EngineChoice } from '../execution/engine-choice.ts';
import { addExamples, markRare } from '../output/help.ts';
import { addDocumentOptions, type DocumentFlags } from '../documents/options.ts';
import { addFormatCommandOption } from '../options/format-programs.ts';
import { expandFiles } from '../documents/files.ts';
import { keyText } from '../output/findings.ts';
import { withJobs } from '../documents/jobs/operations.ts';
import { reportFiles, translateFiles, type UploadTask } from '../documents/jobs/translate-files.ts';
import { requireTargets, sourceOf } from '../options/language.ts';
import type { Output } from '../output/output.ts';
import { readStandardBytes } from '../terminal/input.ts';
import { addServiceEngine } from '../execution/service-engine.ts';
import { chooseExecutionTarget } from '../execution/execution-target.ts';
import { refuseResources, withResources } from '../execution/translation-resources.ts';

interface I18nFlags extends DocumentFlags {
  readonly delete?: boolean;
  readonly toUtf8?: boolean;
  readonly mo?: boolean;
  readonly format?: string;
}

interface LocalizationFile extends NamedFile {
  readonly source: OpenFile;
}

/** A file that holds all languages gets its translations into it. */
function isAddedTo({ source }: LocalizationFile): boolean {
  return source.format.multilingual !== undefined;
}

type CatalogueJob = DocumentJob<LocalizationFile>;

interface TranslatedLocally extends TranslatedFile {
  readonly isUntouched: boolean;
  /** What keeps its source text. */
  readonly failures: TranslatedFile['failed'];
}

export const i18n: CommandModule<I18nFlags> = {
  configure(command) {
    command
      .argument('<file...>', 'localization files of any known format; - for standard input')
      .addOption(
        new Option('--format <format>', 'the format of the files; default: by their extensions')
          .choices(FORMAT_IDS)
          // Those of programs are known only when the command runs.
          .argParser((name: string) => name),
      )
      .option('--to-utf8', 'write PO files whose charset cannot hold the translation in UTF-8')
      .option('--mo', 'compile each PO file that is written, in UTF-8, into a .mo file beside it')
      .option('--delete', 'delete the jobs of a service when their translations are written');
    addFormatCommandOption(command);
    markRare(command, '--to-utf8', '--mo', '--delete');
    addDocumentOptions(command, 'beside the source');
    addExamples(command, [
      [
        'dragoman i18n messages.json -s en -t de,ja -o out',
        'write out/messages_de.json and out/messages_ja.json',
      ],
      ["dragoman i18n 'po/*.pot' -s en -t fr", 'write a French catalog beside each template'],
      ['dragoman i18n - --format json -s en -t fr < en.json > fr.json', 'in a pipe'],
    ]);
  },

  async run(args, options, context) {
    const targets = requireTargets(options);
    if (targets.length > MAX_TARGET_LANGUAGES)
      throw new DragomanError('usage', `more than ${MAX_TARGET_LANGUAGES} target languages`);
    // All inputs are read and all outputs named before the first one is translated: mistakes show at once.
    const { files, unreadable } = await openAll(args, options, context);
    for (const { name, source } of files) {
      const { textsStandIn } = source.format;
      const why = textsStandIn === undefined ? '' : `, which would stand in ${textsStandIn}`;
      if (source.document.slots.length === 0)
        context.output.message(`${name} has no texts to translate${why}: its translation is a copy`);
    }
    // Specification, download: the service names its files so too.
    const planned = await planJobs(
      {
        files,
        unreadable,
        targets,
        isAddedTo,
        nameOf: (file, target) =>
          isAddedTo(file) ? basename(nameOf(file)) : translatedName(basename(nameOf(file)), target),
      },
      {
        flags: options,
        cwd: context.terminal.cwd,
        prefersStandardOutput: files.some(({ path }) => path === undefined),
      },
    );
    for (const { file, destination } of planned.jobs)
      if (destination !== STDOUT) requireExtensionOf(file.source.format.id, destination);
    if (options.mo)
      await requireNew(
        planned.jobs.flatMap((job) => compiledPathOf(job) ?? []),
        options,
      );
    reportSkipped(planned.skipped, context.output);
    if (options.dryRun) {
      const textsOf = ({ file }: CatalogueJob): readonly string[] => LOCALIZATION_FILES.textsOf(file.source);
      const companionOf = options.mo ? compiledPathOf : undefined;
      return reportDryRun({ ...planned, unreadable, textsOf, companionOf }, options, context);
    }
    const execution = await chooseExecutionTarget(options, context.terminal);
    const others = { unreadable, skipped: planned.skipped };
    return execution.kind === 'local'
      ? translateLocally(planned.jobs, others, execution.engine, options, context)
      : translateByJobs(planned.jobs, others, options, context);
  },
};

/** Opens the files that are named, `-` from standard input. */
async function openAll(
  args: readonly string[],
  options: I18nFlags,
  { terminal, output }: CommandContext,
): Promise<Opened<LocalizationFile>> {
  const format = options.format === undefined ? undefined : requireFormatId(options.format);
  const opening = { format, locale: sourceOf(options) };
  if (!args.includes('-')) {
    const open = async (path: string): Promise<LocalizationFile> => {
      return { name: path, path, source: await openInCheckout(path, opening) };
    };
    return openEach(await expandFiles(args, terminal), open, output);
  }
  if (args.length > 1)
    throw new DragomanError('usage', 'standard input goes alone', { hint: 'Leave files out.' });
  if (format === undefined) {
    throw new DragomanError('usage', 'standard input does not say which format it is in', {
      hint: 'Name it, such as --format json.',
    });
  }
  const name = 'standard input';
  const source = await openBytes(await readStandardBytes(terminal), name, opening);
  return { files: [{ name, path: undefined, source }], unreadable: [] };
}

/** What its translations are called after. */
function nameOf({ name, path, source }: LocalizationFile): string {
  return path === undefined ? `messages.${source.format.extensions[0]}` : name;
}

/** Where the compiled form of a result goes: beside it. Undefined for a format that has none. */
function compiledPathOf({ file, destination }: CatalogueJob): string | undefined {
  const { compiled } = file.source.format;
  if (!compiled || destination === STDOUT) return undefined;
  return join(dirname(destination), `${basename(destination, extname(destination))}.${compiled.extension}`);
}

async function compileResult(
  job: CatalogueJob,
  { bytes }: TranslatedLocally,
): Promise<Companion | undefined> {
  const path = compiledPathOf(job);
  const { id, compiled } = job.file.source.format;
  if (path === undefined || !compiled) return undefined;
  const { document } = await openBytes(bytes, path, { format: id });
  return { path, bytes: await compiled.compile(document.text) };
}

async function translateLocally(
  jobs: readonly CatalogueJob[],
  others: OtherFiles,
  choice: EngineChoice,
  options: I18nFlags,
  context: CommandContext,
): Promise<ExitCode> {
  if (options.delete)
    throw new DragomanError('usage', '--delete requires a service: local engines have no jobs');
  const wished = sourceOf(options);
  const result = await withResources(
    options,
    context,
    (resources) =>
      withEngine(addServiceEngine(choice, options, context), (engine) => {
        // By file that holds all languages, with those that it has got so far.
        const grown = new Map<LocalizationFile, Uint8Array>();
        const translate: JobWork<CatalogueJob, TranslatedLocally>['translate'] = async (
          { file: named, target },
          onProgress,
        ) => {
          const { path, format, scanOptions } = named.source;
          const latest = grown.get(named);
          const { locale, messages } = scanOptions;
          const opening = { format: format.id, locale, messages };
          const file = latest ? await openBytes(latest, path, opening) : named.source;
          const texts = LOCALIZATION_FILES.textsOf(file);
          const translated = await LOCALIZATION_FILES.translate(file, {
            locale: localeIn(file, target),
            ...resources,
            engine,
            source: await resolveSource(wished, texts, file.path, declaredLanguage(file)),
            signal: context.terminal.signal,
            concurrency: options.concurrency,
            toUtf8: options.toUtf8,
            onProgress,
          });
          if (isAddedTo(named)) grown.set(named, translated.bytes);
          return { ...translated, failures: translated.failed, isUntouched: translated.translated === 0 };
        };
        const extentOf = ({ file: { source } }: CatalogueJob): number => source.document.slots.length;
        const accompany = options.mo ? compileResult : undefined;
        return runJobs(jobs, { translate, extentOf, unit: 'keys', accompany }, context);
      }),
    { isKept: true },
  );
  const document = filesDocument(report(result, context), others);
  const ended = finish(result, others.unreadable, document, context.output);
  if (ended !== PARTIAL || others.unreadable.length > 0 || result.unavailable.length > 0) return ended;
  const translated = result.done.reduce((sum, one) => sum + one.translated, 0);
  return exitCodeOfFailures(
    translated,
    result.done.flatMap(({ failed }) => failed.map(({ code }) => code)),
  );
}

/** A job for each file: created, waited for, its translations downloaded. */
async function translateByJobs(
  jobs: readonly CatalogueJob[],
  others: OtherFiles,
  options: I18nFlags,
  context: CommandContext,
): Promise<ExitCode> {
  if (options.toUtf8)
    throw new DragomanError('usage', '--to-utf8 requires a local engine: a service writes its files itself');
  const added = jobs.find(({ file }) => isAddedTo(file));
  if (added) {
    throw new DragomanError(
      'usage',
      `${added.file.name} holds all languages: jobs do not translate such files`,
      {
        hint: 'dragoman sync translates it with the service, text by text.',
      },
    );
  }
  if (options.mo)
    throw new DragomanError('usage', '--mo requires a local engine: compile the files with msgfmt');
  refuseResources(options, 'With sync, the service gets single texts, and all options apply.');
  if (jobs.some(({ file }) => file.path === undefined)) {
    throw new DragomanError('usage', 'jobs translate files, not standard input', {
      hint: 'Save it to a file, or use a local engine.',
    });
  }
  const tasks = tasksOf(jobs, options);
  const done = await withJobs(options, context, (service) =>
    translateFiles(service, tasks, { isDeleted: options.delete === true }, context),
  );
  return reportFiles(done, others, context.output);
}

function tasksOf(jobs: readonly CatalogueJob[], options: I18nFlags): readonly UploadTask[] {
  const outputs = new Map<OpenFile, Map<string, string>>();
  for (const { file, target, destination } of jobs) {
    if (destination === STDOUT) {
      throw new DragomanError('usage', 'the files of a job do not go to standard output', {
        hint: 'Name a file or a directory with -o.',
      });
    }
    const ofFile = outputs.get(file.source) ?? new Map<string, string>();
    outputs.set(file.source, ofFile.set(target, destination));
  }
  return [...outputs].map(([source, ofFile]) => {
    const language = sourceForService(sourceOf(options), declaredLanguage(source));
    return { source, language, outputs: ofFile, isNew: options.force !== true };
  });
}

function localeIn(file: OpenFile, target: string): TargetLocale {
  return { locale: target, spelling: spellInFile(target, file.format.id) };
}

/** What the file says itself, or else its path. That of a PO file names the language that it is translated into. */
function declaredLanguage(file: OpenFile): string | undefined {
  const own = LOCALIZATION_FILES.languageOf(file);
  return own ?? (file.format.bilingual ? undefined : languageOfPath(file.path));
}

/** Prints what was done. @returns the files of the document of `--json` */
function report(
  { done, unavailable }: TasksResult<CatalogueJob, Written<CatalogueJob, TranslatedLocally>>,
  { output }: CommandContext,
): readonly object[] {
  if (!output.json) for (const written of done) printWritten(written, output);
  const files = done.map((written) => ({
    source: written.file.name,
    language_code: written.target,
    path: pathOf(written),
    ...(written.companion !== undefined && { mo_path: written.companion }),
    file_size: written.size,
    translated_keys: written.translated,
    failed_keys: written.failed.length,
    failures: written.failed.map(failureDocument),
    terms: written.lacking.map(({ key, position, term, translation }) => ({
      key,
      ...position,
      term,
      translation,
    })),
  }));
  const failed = unavailable.map(({ item: { file, target }, error }) => {
    const keys = failAllKeys(file.source, localeIn(file.source, target), error.message);
    return {
      source: file.name,
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

function printWritten(
  {
    file,
    target,
    destination,
    companion,
    convertedFrom,
    failed,
    lacking,
  }: Written<CatalogueJob, TranslatedLocally>,
  output: Output,
): void {
  if (destination !== STDOUT) output.path(destination);
  if (companion !== undefined) output.path(companion);
  if (destination !== STDOUT && convertedFrom !== undefined)
    output.message(`${destination}: in UTF-8, its source is in ${convertedFrom}`);
  for (const { key, position, reason } of failed) {
    const place = `${file.name}:${position.line}:${position.column}`;
    output.problem(`${place}: ${key.join('.')} (${target}) keeps its source text: ${reason}`);
  }
  for (const { key, position, ...term } of lacking) {
    const place = `${file.name}:${position.line}:${position.column}`;
    output.problem(`${place}: ${keyText(key)} (${target}): ${missingTermText(term)}`);
  }
}
