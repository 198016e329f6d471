import { stat } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { readChunks } from '../../../base/bounded-read.ts';
import { DragomanError } from '../../../base/errors.ts';
import { throwIfAborted } from '../../../base/interruption.ts';
import { systemError } from '../../../base/system-error.ts';
import { stateDirectory } from '../../../base/user-directories.ts';
import type { MemoryImportOptions, Skip } from '../../../memory/exchange/exchange.ts';
import type { NewEntry, StoreCounts, StoredMemory } from '../../../memory/stored-memory.ts';
import type { MemoryOrigin } from '../../../pipeline/memory.ts';
import type { CommandModule } from '../../output/command.ts';
import { type ExitCode, OK } from '../../output/exit-code.ts';
import { expandFiles } from '../../documents/files.ts';
import { addLanguageOptions, type LanguageOptions, sourceOf, targetsOf } from '../../options/language.ts';
import { addMemoryFileOption, type MemoryFlags } from '../../options/memory.ts';
import { addDryRunOption, type DryRunFlags } from '../../options/dry-run.ts';
import { pipedChunks } from '../../terminal/input.ts';
import { digits } from '../../terminal/table.ts';
import type { Output } from '../../output/output.ts';
import type { Progress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import {
  addFormatOption,
  addOriginOption,
  IMPORT_FORMATS,
  type ImportFormat,
  importFormatOfName,
} from './exchange-format.ts';
import { withMemory } from '../../execution/open-memory.ts';
import { SkipCounter } from './skips.ts';

interface ImportFlags extends MemoryFlags, LanguageOptions, DryRunFlags {
  readonly format?: ImportFormat;
  readonly origin?: MemoryOrigin;
}

export const importTranslations: CommandModule<ImportFlags> = {
  examples: [
    ['dragoman memory import locales -s en', 'all translations of a project, aligned by key'],
    ['dragoman memory import agency.tmx -s en -t es,fr', 'two languages of a file from an agency'],
    ["dragoman memory import 'po/*.po' --origin machine", 'catalogues of unreviewed translations'],
  ],
  configure(command) {
    command.argument(
      '<path...>',
      'TMX, PO, MO and CSV files; other localization files, or directories of them, with their sources; - for TMX or CSV from standard input',
    );
    addLanguageOptions(command);
    addFormatOption(command, IMPORT_FORMATS);
    addOriginOption(command, 'who made the translations; default: human, except those that sync made');
    addDryRunOption(command, 'only read and count them');
    addMemoryFileOption(command);
  },

  async run(args, options, context) {
    const { terminal, output } = context;
    const named = await expandFiles(
      args.filter((argument) => argument !== '-'),
      terminal,
    );
    const paths = args.includes('-') ? ['-', ...named] : named;
    const done: Imported[] = [];
    const progress = output.progress();
    const sizes = await Promise.all(paths.map(fileSize));
    try {
      const importAll = async (memory: Pick<StoredMemory, 'storeAll'>): Promise<void> => {
        for (const [i, path] of paths.entries()) {
          const count = counterFor(i, nameOf(path, terminal), { sizes, done, progress });
          const skips = new SkipCounter(output.options);
          done.push(await importPath(path, memory, { options, terminal, skips, count }));
        }
      };
      await (options.dryRun ? importAll(NOWHERE) : withMemory(options, terminal, importAll));
    } finally {
      await progress.stop();
    }
    return report(done, options, output);
  },
};

/** For `--dry-run`: everything is read and nothing is stored. */
const NOWHERE: Pick<StoredMemory, 'storeAll'> = {
  async storeAll(entries) {
    for await (const _ of entries);
    return { added: 0, replaced: 0, unchanged: 0, outranked: 0, unstorable: 0 };
  },
};

/** The size of a file; undefined for a directory, and for a file whose error will be reported later, in order. */
async function fileSize(path: string): Promise<number | undefined> {
  const info = await stat(path).catch(() => undefined);
  return info?.isFile() ? info.size : undefined;
}

/** The progress of one path, in bytes if all paths are files, because the number of translations is unknown. */
interface Counter {
  bytes(read: number): void;
  translation(): void;
}

/** Reporting each translation would cost more than importing it. */
const TRANSLATIONS_IN_A_STEP = 1_000;

interface ImportRun {
  /** In bytes, one for each path: see {@link fileSize}. */
  readonly sizes: readonly (number | undefined)[];
  readonly done: readonly Imported[];
  readonly progress: Progress;
}

function counterFor(i: number, name: string, { sizes, done, progress }: ImportRun): Counter {
  const place = { label: name, at: i + 1, of: sizes.length };
  const known = sizes.flatMap((size) => size ?? []);
  const total = known.length === sizes.length ? known.reduce((sum, size) => sum + size, 0) : undefined;
  let bytes = known.slice(0, i).reduce((sum, size) => sum + size, 0);
  let translations = done.reduce((sum, { read }) => sum + read, 0);
  const show = (): void =>
    progress.show(
      total === undefined
        ? { ...place, done: translations, unit: 'translations' }
        : { ...place, done: bytes, total, unit: 'bytes' },
    );
  show();
  return {
    bytes: (read) => {
      bytes += read;
      show();
    },
    translation: () => {
      if (++translations % TRANSLATIONS_IN_A_STEP === 0) show();
    },
  };
}

/** Files are streamed, so they may exceed memory, but not without limit. */
const MAX_BYTES = 64 * 1024 ** 3;

interface Imported {
  readonly name: string;
  readonly counts: StoreCounts;
  readonly skips: SkipCounter;
  /** All translations, including those already stored or rejected. */
  readonly read: number;
  /** Why reading stopped. */
  readonly error?: DragomanError | undefined;
}

interface Opening {
  readonly options: ImportFlags;
  readonly terminal: Terminal;
  readonly skips: SkipCounter;
  readonly count: Counter;
}

async function importPath(
  path: string,
  memory: Pick<StoredMemory, 'storeAll'>,
  opening: Opening,
): Promise<Imported> {
  const { terminal, skips, count } = opening;
  const name = nameOf(path, terminal);
  let error: DragomanError | undefined;
  let read = 0;
  /** Stores the entries that were read before an error. */
  async function* readable(): AsyncGenerator<NewEntry> {
    try {
      requireRunning(terminal);
      for await (const entry of await open(path, opening)) {
        requireRunning(terminal);
        read++;
        count.translation();
        yield entry;
      }
    } catch (caught) {
      if (!(caught instanceof DragomanError)) throw caught;
      error = caught;
    }
  }
  const counts = await memory.storeAll(readable());
  return { name, counts, skips, read, error };
}

function requireRunning({ signal }: Terminal): void {
  throwIfAborted(signal, 'the import was interrupted');
}

async function open(path: string, opening: Opening): Promise<AsyncIterable<NewEntry>> {
  const { options } = opening;
  if (path === '-') return openFile(path, requirePiped(options), opening);
  const info = await stat(path).catch((cause: unknown) => {
    throw systemError('unreadable_input', `read ${path}`, cause);
  });
  const format = info.isDirectory() ? undefined : (options.format ?? importFormatOfName(path));
  if (info.isDirectory() && options.format) {
    throw new DragomanError('usage', `${path} is a directory, but --format applies to files`, {
      hint: `Name the files in it: ${path}/*.${options.format}`,
    });
  }
  return format ? openFile(path, format, opening) : openProjectAt(path, opening);
}

/** @throws DragomanError `usage` */
function requirePiped({ format }: ImportFlags): ImportFormat {
  if (format === 'tmx' || format === 'csv') return format;
  throw new DragomanError('usage', 'standard input must be TMX or CSV', {
    hint: 'Choose with --format tmx or --format csv.',
  });
}

async function* openFile(
  path: string,
  format: ImportFormat,
  { options, terminal, skips, count }: Opening,
): AsyncGenerator<NewEntry> {
  const name = nameOf(path, terminal);
  const importOptions: MemoryImportOptions = {
    source: sourceOf(options),
    targets: targetsOf(options),
    origin: options.origin ?? 'human',
    onSkip: (skip) => skips.add(skip, name),
  };
  try {
    const chunks = path === '-' ? pipedChunks(terminal) : readChunks(path, { limit: MAX_BYTES });
    yield* await readerOf(path, format, importOptions, counted(chunks, count));
  } catch (error) {
    throw error instanceof DragomanError && error.at ? error.inFile(name) : error;
  }
}

async function readerOf(
  path: string,
  format: ImportFormat,
  options: MemoryImportOptions,
  chunks: AsyncIterable<Buffer>,
): Promise<AsyncIterable<NewEntry>> {
  if (format === 'po' || format === 'mo') {
    const { readPo } = await import('../../../memory/exchange/po-reader.ts');
    const { languageOfPath } = await import('../../../project/discover/path-language.ts');
    return readPo(path, options, languageOfPath(path));
  }
  return format === 'tmx'
    ? (await import('../../../memory/exchange/tmx-unit.ts')).readTmx(chunks, options)
    : (await import('../../../memory/exchange/csv-reader.ts')).readCsv(chunks, options);
}

async function* counted(chunks: AsyncIterable<Buffer>, count: Counter): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    count.bytes(chunk.length);
  }
}

async function* openProjectAt(path: string, { options, terminal, skips }: Opening): AsyncGenerator<NewEntry> {
  const { openProjects } = await import('../../../project/state/project.ts');
  const { readProject } = await import('./import-project.ts');
  const { signal, cwd } = terminal;
  for (const project of await openProjects([path], {
    source: sourceOf(options),
    targets: targetsOf(options),
    cwd,
  })) {
    const root = nameOf(project.root, terminal);
    const onSkip = (skip: Skip, file: string): void =>
      skips.add(skip, root === '.' ? file : `${root}/${file}`);
    yield* readProject(project, {
      origin: options.origin,
      signal,
      stateDirectory: stateDirectory(terminal.env),
      onSkip,
    });
  }
}

/** The path relative to the current directory, as people write it. */
function nameOf(path: string, { cwd }: Terminal): string {
  if (path === '-') return 'standard input';
  const name = relative(cwd, path);
  return name === '' ? '.' : name.startsWith('..') || isAbsolute(name) ? path : name;
}

function report(done: readonly Imported[], { dryRun }: DryRunFlags, output: Output): ExitCode {
  const errors = done.flatMap(({ error }) => error ?? []);
  const document = dryRun
    ? {
        dry_run: true,
        files: done.map(({ name, read, skips }) => ({ file: name, read, ...skips.document() })),
      }
    : { files: done.map(documentOf) };
  if (!output.json) {
    for (const { name, counts, read, skips, error } of done) {
      skips.tell(output);
      const isNothing = dryRun ? read === 0 : Object.values(counts).every((count) => count === 0);
      const sentence = dryRun ? `${digits(read)} would be imported` : sentenceOf(counts);
      if (!error || !isNothing) output.result(`${name}: ${sentence}`);
    }
  }
  const [first, ...others] = errors;
  if (!first) {
    if (output.json) output.document(document);
    return OK;
  }
  for (const error of others) output.problem(error.message);
  return output.failure(first, document);
}

function documentOf({ name, counts, skips }: Imported): object {
  return { file: name, ...counts, ...skips.document() };
}

function sentenceOf({ added, replaced, unchanged, outranked, unstorable }: StoreCounts): string {
  return [
    `${digits(added)} added`,
    `${digits(replaced)} replaced`,
    `${digits(unchanged)} unchanged`,
    outranked > 0 ? `${digits(outranked)} outranked by human translations` : '',
    unstorable > 0 ? `${digits(unstorable)} with characters that cannot be stored` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
