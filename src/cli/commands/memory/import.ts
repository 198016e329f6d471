import { stat } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { readChunks } from '../../../base/bounded-read.ts';
import { DragomanError } from '../../../base/errors.ts';
import { throwIfAborted } from '../../../base/interruption.ts';
import { reasonOf } from '../../../base/system-error.ts';
import { stateDirectory } from '../../../base/user-directories.ts';
import type { ImportOptions, Skip } from '../../../memory/exchange/exchange.ts';
import type { NewEntry, StoreCounts, StoredMemory } from '../../../memory/stored-memory.ts';
import type { MemoryOrigin } from '../../../pipeline/memory.ts';
import type { CommandContext, CommandModule } from '../../command.ts';
import { type ExitCode, OK } from '../../exit-code.ts';
import { addExamples } from '../../help.ts';
import { expandFiles } from '../../files.ts';
import { addLanguageOptions, type LanguageOptions, sourceOf, targetsOf } from '../../language-options.ts';
import { addMemoryFileOption, type MemoryFlags } from '../../memory/location.ts';
import type { Output } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';
import {
  addFormatOption,
  addOriginOption,
  IMPORT_FORMATS,
  type ImportFormat,
  importFormatOfName,
} from './exchange-format.ts';
import { withMemory } from './open.ts';
import { Skips } from './skips.ts';

interface ImportFlags extends MemoryFlags, LanguageOptions {
  readonly format?: ImportFormat;
  readonly origin?: MemoryOrigin;
}

export const importTranslations: CommandModule<ImportFlags> = {
  configure(command) {
    command.argument(
      '<path...>',
      'TMX, PO, MO and CSV files; other localization files, or directories of them, with their sources',
    );
    addLanguageOptions(command);
    addFormatOption(command, IMPORT_FORMATS);
    addOriginOption(
      command,
      'who made the translations; default: a human, and what sync knows to be its own',
    );
    addMemoryFileOption(command);
    addExamples(command, [
      ['dragoman memory import locales -s en', 'all translations of a project, aligned by key'],
      ['dragoman memory import agency.tmx -s en -t es,fr', 'two languages of a file from elsewhere'],
      ["dragoman memory import 'po/*.po' --origin machine", 'catalogues of unreviewed translations'],
    ]);
  },

  async run(args, options, context) {
    const { terminal, output } = context;
    const paths = await expandFiles(args, terminal);
    const done: Imported[] = [];
    await withMemory(options, terminal, async (memory) => {
      for (const path of paths) {
        done.push(await importPath(path, options, memory, context));
      }
    });
    return report(done, output);
  },
};

/** It is read as a stream: more than any memory has, less than what has no end. */
const MAX_BYTES = 64 * 1024 ** 3;

interface Imported {
  readonly name: string;
  readonly counts: StoreCounts;
  readonly skips: Skips;
  /** Why it was read no further. */
  readonly error?: DragomanError | undefined;
}

async function importPath(
  path: string,
  options: ImportFlags,
  memory: StoredMemory,
  { terminal, output }: CommandContext,
): Promise<Imported> {
  const name = nameOf(path, terminal);
  const skips = new Skips(output.options);
  const progress = await output.progress();
  let error: DragomanError | undefined;
  let read = 0;
  /** What was read before something went wrong is stored all the same. */
  async function* readable(): AsyncGenerator<NewEntry> {
    try {
      requireRunning(terminal);
      for await (const entry of await open(path, options, { terminal, skips })) {
        requireRunning(terminal);
        if (++read % 1_000 === 0) progress.update(`${name}: ${read} translations`);
        yield entry;
      }
    } catch (caught) {
      if (!(caught instanceof DragomanError)) throw caught;
      error = caught;
    }
  }
  try {
    const counts = await memory.storeAll(readable());
    return { name, counts, skips, error };
  } finally {
    progress.stop();
  }
}

function requireRunning({ signal }: Terminal): void {
  throwIfAborted(signal, 'the import was interrupted');
}

interface Opening {
  readonly terminal: Terminal;
  readonly skips: Skips;
}

async function open(path: string, options: ImportFlags, opening: Opening): Promise<AsyncIterable<NewEntry>> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new DragomanError('unreadable_input', `cannot read ${path}: ${reasonOf(cause)}`, { cause });
  });
  const format = info.isDirectory() ? undefined : (options.format ?? importFormatOfName(path));
  if (info.isDirectory() && options.format) {
    throw new DragomanError('usage', `${path} is a directory, --format is about files`, {
      hint: `Name the files in it: ${path}/*.${options.format}`,
    });
  }
  return format ? openFile(path, format, options, opening) : openProjectAt(path, options, opening);
}

async function* openFile(
  path: string,
  format: ImportFormat,
  options: ImportFlags,
  { terminal, skips }: Opening,
): AsyncGenerator<NewEntry> {
  const name = nameOf(path, terminal);
  const importOptions: ImportOptions = {
    source: sourceOf(options),
    targets: targetsOf(options),
    origin: options.origin ?? 'human',
    onSkip: (skip) => skips.add(skip, name),
  };
  try {
    yield* await readerOf(path, format, importOptions);
  } catch (error) {
    throw error instanceof DragomanError && error.at ? error.inFile(name) : error;
  }
}

async function readerOf(
  path: string,
  format: ImportFormat,
  options: ImportOptions,
): Promise<AsyncIterable<NewEntry>> {
  if (format === 'po' || format === 'mo') {
    const { readPo } = await import('../../../memory/exchange/po-reader.ts');
    const { languageOfPath } = await import('../../../project/discover/path-language.ts');
    return readPo(path, options, languageOfPath(path));
  }
  const chunks = readChunks(path, { limit: MAX_BYTES });
  return format === 'tmx'
    ? (await import('../../../memory/exchange/tmx-unit.ts')).readTmx(chunks, options)
    : (await import('../../../memory/exchange/csv-reader.ts')).readCsv(chunks, options);
}

async function* openProjectAt(
  path: string,
  options: ImportFlags,
  { terminal, skips }: Opening,
): AsyncGenerator<NewEntry> {
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

/** As people write it where they are. */
function nameOf(path: string, { cwd }: Terminal): string {
  const name = relative(cwd, path);
  return name === '' ? '.' : name.startsWith('..') || isAbsolute(name) ? path : name;
}

function report(done: readonly Imported[], output: Output): ExitCode {
  const errors = done.flatMap(({ error }) => error ?? []);
  const document = { files: done.map(documentOf) };
  if (!output.json) {
    for (const { name, counts, skips, error } of done) {
      skips.tell(output);
      const isNothing = Object.values(counts).every((count) => count === 0);
      if (!error || !isNothing) output.result(`${name}: ${sentenceOf(counts)}`);
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
    `${added} added`,
    `${replaced} replaced`,
    `${unchanged} unchanged`,
    outranked > 0 ? `${outranked} outranked by a human's` : '',
    unstorable > 0 ? `${unstorable} with characters that cannot be stored` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
