import { openInCheckout } from '../../project/discover/single-file.ts';
import { basename, dirname, extname, join } from 'node:path';
import { Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { MAX_TARGET_LANGUAGES } from '../../contract/limits.ts';
import { FORMAT_IDS, spellInFile, translatedName } from '../../formats/registry.ts';
import {
  failAllKeys,
  LOCALIZATION_FILES,
  type TranslatedFile,
} from '../../documents/localization/translate-file.ts';
import { openBytes, type OpenFile } from '../../documents/localization/open-file.ts';
import type { TargetLocale } from '../../documents/localization/target.ts';
import { missingTermText } from '../../pipeline/terms/terms.ts';
import { languageOfPath } from '../../project/discover/path-language.ts';
import type { CommandContext } from '../output/command.ts';
import { type ExitCode, exitCodeOfFailures, PARTIAL } from '../output/exit-code.ts';
import { STDOUT } from '../documents/destinations.ts';
import { documentCommand, type CommandRun } from '../documents/document-command.ts';
import { openEach, type Opened, type OtherFiles } from '../documents/open-each.ts';
import type { DocumentJob, NamedFile, Written } from '../documents/run.ts';
import { resolveSource, sourceForService } from '../documents/source-language.ts';
import { markRare } from '../output/help.ts';
import { addDocumentOptions, type DocumentFlags } from '../documents/options.ts';
import { addFormatCommandOption } from '../options/format-programs.ts';
import { expandFiles } from '../documents/files.ts';
import { nameOfKey } from '../output/findings.ts';
import { creditsOf, withJobs } from '../documents/jobs/operations.ts';
import {
  failureDocument,
  printFailedKeys,
  reportFiles,
  translateFiles,
  type UploadTask,
} from '../documents/jobs/translate-files.ts';
import { requireTargets, sourceOf } from '../options/language.ts';
import type { Output } from '../output/output.ts';
import { readStandardBytes } from '../terminal/input.ts';
import { chooseExecutionTarget } from '../execution/execution-target.ts';
import { refuseResources } from '../execution/translation-resources.ts';

interface I18nFlags extends DocumentFlags {
  readonly delete?: boolean;
  readonly toUtf8?: boolean;
  readonly mo?: boolean;
  readonly format?: string;
}

interface LocalizationFile extends NamedFile {
  readonly source: OpenFile;
  /** A multilingual file including the languages added so far. */
  grown?: Uint8Array;
}

/** Whether translations are added to the file itself, because it is multilingual. */
function isAddedTo({ source }: LocalizationFile): boolean {
  return source.format.multilingual !== undefined;
}

type CatalogueJob = DocumentJob<LocalizationFile>;

interface TranslatedLocally extends TranslatedFile {
  readonly isUntouched: boolean;
  /** The texts that keep their source. */
  readonly failures: TranslatedFile['failed'];
}

export const i18n = documentCommand<LocalizationFile, I18nFlags, TranslatedLocally>({
  examples: [
    [
      'dragoman i18n messages.json -s en -t de,ja -o out',
      'write out/messages_de.json and out/messages_ja.json',
    ],
    ["dragoman i18n 'po/*.pot' -s en -t fr", 'write a French catalogue beside each template'],
    ['dragoman i18n - --format json -s en -t fr < en.json > fr.json', 'in a pipe'],
  ],
  configure(command) {
    command
      .argument('<file...>', 'localization files of any known format; - for standard input')
      .addOption(
        new Option('--format <format>', 'the format of the files; default: by their extensions')
          .choices(FORMAT_IDS)
          // The user's formats are only known when the command runs.
          .argParser((name: string) => name),
      )
      .option('--to-utf8', 'convert PO files to UTF-8 if their charset cannot hold the translation')
      .option('--mo', 'compile each written PO file into a UTF-8 .mo file beside it')
      .option('--delete', 'delete jobs from the service once their translations are written');
    addFormatCommandOption(command);
    markRare(command, '--to-utf8', '--mo', '--delete');
    addDocumentOptions(command, 'beside the source');
  },

  targetsOf(flags) {
    const targets = requireTargets(flags);
    if (targets.length <= MAX_TARGET_LANGUAGES) return targets;
    throw new DragomanError('usage', `more than ${MAX_TARGET_LANGUAGES} target languages`);
  },

  open: openAll,

  review({ files }, { context }) {
    for (const { name, source } of files) {
      const { textsStandIn } = source.format;
      const why = textsStandIn === undefined ? '' : `, which would be in ${textsStandIn}`;
      if (source.document.slots.length === 0)
        context.output.message(`${name} has no texts to translate${why}: its translation is a copy`);
    }
    return undefined;
  },

  // Services name their files the same way (specification, download).
  place: (files) => ({
    nameOf: (file, target) =>
      isAddedTo(file) ? basename(nameOf(file)) : translatedName(basename(nameOf(file)), target),
    isAddedTo,
    prefersStandardOutput: files.some(({ path }) => path === undefined),
  }),

  check(jobs, { context }) {
    for (const { file, destination } of jobs)
      if (destination !== STDOUT) context.formats.requireExtension(file.source.format, destination);
  },

  textsOf: ({ source }) => LOCALIZATION_FILES.textsOf(source),
  creditsOf: (jobs, flags) => creditsOf(jobs.map((job) => sentFile(job, flags))),
  extentOf: ({ source }) => source.document.slots.length,
  unit: 'keys',
  needs: { isKept: true },

  async translate({ file, target }, { segments }, { flags }) {
    const { path, format, scanOptions } = file.source;
    const { locale, messages } = scanOptions;
    const opening = { format, locale, messages };
    const source = file.grown ? await openBytes(file.grown, path, opening) : file.source;
    const texts = LOCALIZATION_FILES.textsOf(source);
    const translated = await LOCALIZATION_FILES.translate(source, {
      ...segments,
      locale: localeIn(source, target),
      source: await resolveSource(sourceOf(flags), texts, source.path, declaredLanguage(source)),
      toUtf8: flags.toUtf8,
    });
    if (isAddedTo(file)) file.grown = translated.bytes;
    return { ...translated, failures: translated.failed, isUntouched: translated.translated === 0 };
  },

  /** The path of the compiled form of a result, next to it. */
  companionOf({ file, destination }, { mo }) {
    const { compiled } = file.source.format;
    if (!mo || !compiled || destination === STDOUT) return undefined;
    return join(dirname(destination), `${basename(destination, extname(destination))}.${compiled.extension}`);
  },

  async makeCompanion({ file }, path, { bytes }) {
    const { format } = file.source;
    const { document } = await openBytes(bytes, path, { format });
    return format.compiled?.compile(document.text);
  },

  async perform({ jobs, ...others }, { flags, context }, translate) {
    const { kind } = await chooseExecutionTarget(flags, context.terminal);
    if (kind === 'remote') return translateByJobs(jobs, others, flags, context);
    if (!flags.delete) return translate();
    throw new DragomanError('usage', '--delete requires a service: local engines have no jobs');
  },

  print(written, output) {
    if (!output.json) printWritten(written, output);
  },

  describe: ({ file, companion, size, translated, failed, lacking }) => ({
    source: file.name,
    ...(companion !== undefined && { mo_path: companion }),
    file_size: size,
    translated_keys: translated,
    failed_keys: failed.length,
    failures: failed.map(failureDocument),
    terms: lacking.map(({ key, position, term, translation }) => ({ key, ...position, term, translation })),
  }),

  describeUnavailable({ file: { name, source }, target }, error) {
    const failed = failAllKeys(source, localeIn(source, target), error.message);
    return {
      source: name,
      translated_keys: 0,
      failed_keys: failed.length,
      failures: failed.map(failureDocument),
    };
  },

  exitCodeOf(ended, { done, unavailable }, { unreadable }) {
    if (ended !== PARTIAL || unreadable.length > 0 || unavailable.length > 0) return ended;
    const translated = done.reduce((sum, one) => sum + one.translated, 0);
    return exitCodeOfFailures(
      translated,
      done.flatMap(({ failed }) => failed.map(({ code }) => code)),
    );
  },
});

/** Opens the named files; `-` is standard input. */
async function openAll(
  args: readonly string[],
  { flags: options, context: { terminal, output, formats } }: CommandRun<I18nFlags>,
): Promise<Opened<LocalizationFile>> {
  const format = options.format === undefined ? undefined : formats.require(options.format);
  const opening = { format, formats, locale: sourceOf(options) };
  if (!args.includes('-')) {
    const open = async (path: string): Promise<LocalizationFile> => {
      return { name: path, path, source: await openInCheckout(path, opening) };
    };
    return openEach(await expandFiles(args, terminal), open, output);
  }
  if (args.length > 1)
    throw new DragomanError('usage', 'standard input cannot be combined with files', {
      hint: 'Leave out the files, or leave out -.',
    });
  if (format === undefined) {
    throw new DragomanError('usage', 'the format of standard input is unknown', {
      hint: 'Name it, such as --format json.',
    });
  }
  const name = 'standard input';
  const source = await openBytes(await readStandardBytes(terminal), name, opening);
  return { files: [{ name, path: undefined, source }], unreadable: [] };
}

/** The base name of the file's translations. */
function nameOf({ name, path, source }: LocalizationFile): string {
  return path === undefined ? `messages.${source.format.extensions[0]}` : name;
}

/** Creates a job for each file, watches it, and downloads its translations. */
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
      `${added.file.name} holds all languages, and jobs cannot translate such files`,
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
  const { credits, most } = creditsOf(jobs.map((job) => sentFile(job, options)));
  const done = await withJobs(options, context, async (service, texts) => {
    const [{ createServiceEngine }, { Budget }] = await Promise.all([
      import('../../client/service-engine.ts'),
      import('../../client/budget.ts'),
    ]);
    const hint = 'Too many values of the job fail verification. Ask the operator of the service.';
    const engine = createServiceEngine(texts, { budget: new Budget(most - credits, hint) });
    return translateFiles(service, tasks, { isDeleted: options.delete === true, engine }, context);
  });
  return reportFiles(done, others, context.output);
}

function tasksOf(jobs: readonly CatalogueJob[], options: I18nFlags): readonly UploadTask[] {
  const outputs = new Map<OpenFile, Map<string, string>>();
  for (const { file, target, destination } of jobs) {
    if (destination === STDOUT) {
      throw new DragomanError('usage', 'the files of a job cannot go to standard output', {
        hint: 'Name a file or a directory with -o.',
      });
    }
    const ofFile = outputs.get(file.source) ?? new Map<string, string>();
    outputs.set(file.source, ofFile.set(target, destination));
  }
  return [...outputs].map(([source, ofFile]) => {
    return { ...sentFile({ file: { source } }, options), outputs: ofFile, isNew: options.force !== true };
  });
}

/** A file with the source language to send with its job. */
function sentFile(
  { file: { source } }: { readonly file: Pick<LocalizationFile, 'source'> },
  options: I18nFlags,
): Pick<UploadTask, 'source' | 'language'> {
  return { source, language: sourceForService(sourceOf(options), declaredLanguage(source)) };
}

function localeIn(file: OpenFile, target: string): TargetLocale {
  return { locale: target, spelling: spellInFile(target, file.format) };
}

/**
 * The language that the file declares, otherwise the one in its path, except for PO files, whose path names the target.
 */
function declaredLanguage(file: OpenFile): string | undefined {
  const own = LOCALIZATION_FILES.languageOf(file);
  return own ?? (file.format.bilingual ? undefined : languageOfPath(file.path));
}

function printWritten(
  { file, target, destination, convertedFrom, failed, lacking }: Written<CatalogueJob, TranslatedLocally>,
  output: Output,
): void {
  if (destination !== STDOUT && convertedFrom !== undefined)
    output.message(`${destination}: written in UTF-8; its source is in ${convertedFrom}`);
  printFailedKeys(file.name, target, failed, output);
  for (const { position, ...term } of lacking) {
    const place = `${file.name}:${position.line}:${position.column}`;
    output.problem(`${place}: ${nameOfKey(term)} (${target}): ${missingTermText(term)}`);
  }
}
