import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { openBytes, readInput, type OpenFile } from '../../documents/localization/open-file.ts';
import { MARKDOWN_FILES, type TranslatedMarkdown } from '../../documents/markdown/translate-markdown.ts';
import { followLinks } from '../../documents/markdown/links.ts';
import type { LinkTo } from '../../formats/format.ts';
import { describeFormat, formatOfPath, PROSE_FORMATS, type FormatId } from '../../formats/registry.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { nameWithLanguage, reportSkipped, STDOUT, type Destination } from '../documents/destinations.ts';
import { reportDryRun } from '../documents/dry-run.ts';
import { listInputs, passedOverText } from '../documents/files.ts';
import {
  filesDocument,
  openEach,
  type Opened,
  type OtherFiles,
  printFailures,
  unavailableDocument,
} from '../documents/open-each.ts';
import {
  type DocumentJob,
  finish,
  type NamedFile,
  pathOf,
  planJobs,
  runJobs,
  type TasksResult,
  type Written,
} from '../documents/run.ts';
import { sourceOfDocument } from '../documents/source-language.ts';
import { addExamples } from '../output/help.ts';
import type { Output } from '../output/output.ts';
import { addDocumentOptions, type DocumentFlags } from '../documents/options.ts';
import { readStandardBytes } from '../terminal/input.ts';
import { requireTargets, sourceOf } from '../options/language.ts';
import { withTranslator } from '../execution/translator.ts';

interface MarkdownFlags extends DocumentFlags {
  readonly mdx?: boolean;
  readonly links?: boolean;
}

interface OpenMarkdown extends NamedFile {
  readonly source: OpenFile;
}

type MarkdownJob = DocumentJob<OpenMarkdown>;

interface MarkdownResult extends TranslatedMarkdown {
  readonly isUntouched: boolean;
}

const EXTENSIONS = [...PROSE_FORMATS].flatMap((id) => describeFormat(id).extensions);

export const markdown: CommandModule<MarkdownFlags> = {
  configure(command) {
    command
      .argument(
        '[file...]',
        `files or directories: ${EXTENSIONS.join(', ')}; - or nothing for standard input`,
      )
      .option('--mdx', 'read all files as MDX, as Docusaurus does; default: those with the extension mdx')
      .option('--links', 'let links to other documents lead to their translations, where there are any');
    addDocumentOptions(command, 'standard output for one document, else beside the source');
    addExamples(command, [
      ['dragoman markdown README.md -s en -t es > README.es.md', 'translate one document to standard output'],
      [
        'dragoman markdown docs -s en -t fr,es -o out',
        'write out/{path}/{name}.fr.md and {name}.es.md for a directory',
      ],
    ]);
  },

  async run(args, options, context) {
    const targets = requireTargets(options);
    const { files, unreadable } = await openAll(args, options, context);
    for (const file of files) warnOf(file, context.output);
    const { jobs, skipped } = await planJobs(
      {
        files,
        unreadable,
        targets,
        nameOf: ({ path }, target) => nameWithLanguage(path ?? 'document.md', target),
      },
      { flags: options, cwd: context.terminal.cwd, prefersStandardOutput: true },
    );
    const destinations = new Map<string, Destination>(
      jobs.map(({ file, target, destination }) => [`${target} ${file.path ?? ''}`, destination]),
    );
    if (options.dryRun) {
      const textsOf = ({ file }: MarkdownJob): readonly string[] => MARKDOWN_FILES.textsOf(file.source);
      return reportDryRun({ jobs, skipped, unreadable, textsOf }, options, context);
    }
    const result = await withTranslator(options, context, ({ engine, resources, stopped }) => {
      const translate = async (
        job: MarkdownJob,
        onProgress: SegmentContext['onProgress'],
      ): Promise<MarkdownResult> => {
        const { file, target } = job;
        const named = sourceOf(options);
        const translated = await MARKDOWN_FILES.translate(file.source, {
          ...resources,
          engine,
          source: await sourceOfDocument(MARKDOWN_FILES, file.source, { named, what: file.name }),
          target,
          linkTo: options.links ? linksOf(job, destinations, context.terminal.cwd) : undefined,
          signal: context.terminal.signal,
          concurrency: options.concurrency,
          onProgress,
        });
        const { texts, failures } = translated;
        return { ...translated, isUntouched: texts > 0 && failures.length === texts };
      };
      const extentOf = ({ file }: MarkdownJob): number => file.source.document.slots.length;
      return runJobs(jobs, { translate, stopped, extentOf, unit: 'texts' }, context);
    });
    return finish(result, unreadable, report(result, { unreadable, skipped }, context), context.output);
  },
};

function warnOf({ name, source: { document } }: OpenMarkdown, output: Output): void {
  for (const { offset, message } of document.warnings) {
    const { line, column } = positionAt(document.text, offset);
    if (message !== undefined) output.warning(message, `${name}:${line}:${column}`);
  }
}

/** A document has its translation where this run writes it, or else where an earlier one with the same options did. */
function linksOf(
  { file, target, destination }: MarkdownJob,
  destinations: ReadonlyMap<string, Destination>,
  cwd: string,
): LinkTo {
  const source = file.path ?? join(cwd, 'document.md');
  const place = (path: string, to: Destination | undefined): string =>
    to === undefined || to === STDOUT ? join(dirname(path), nameWithLanguage(path, target)) : to;
  const own = place(source, destination);
  const translationOf = (path: string): string | undefined => {
    const format = formatOfPath(path);
    if (format === undefined || !PROSE_FORMATS.has(format)) return undefined;
    const written = destinations.get(`${target} ${path}`);
    if (written !== undefined) return withSlashes(place(path, written));
    const other = join(dirname(own), relative(dirname(source), place(path, undefined)));
    return existsSync(path) && existsSync(other) ? withSlashes(other) : undefined;
  };
  return followLinks({ source: withSlashes(source), target: withSlashes(own), translationOf });
}

function withSlashes(path: string): string {
  return path.split(sep).join('/');
}

/** All documents are read before the first is translated: mistakes show at once. */
async function openAll(
  args: readonly string[],
  options: MarkdownFlags,
  { terminal, output }: CommandContext,
): Promise<Opened<OpenMarkdown>> {
  if (args.length === 0 && terminal.stdin.isTTY)
    throw new DragomanError('usage', 'no document', { hint: 'Name a file or a directory, or pipe one in.' });
  const format = (path: string): FormatId => {
    if (options.mdx === true) return 'mdx';
    const known = formatOfPath(path);
    return known !== undefined && PROSE_FORMATS.has(known) ? known : 'markdown';
  };
  if (args.length === 0 || (args.length === 1 && args[0] === '-')) {
    const name = 'standard input';
    const bytes = await readStandardBytes(terminal);
    const source = await openBytes(bytes, name, { format: format('') });
    return { files: [{ name, path: undefined, source }], unreadable: [] };
  }
  const kind = {
    what: 'Markdown documents',
    extensions: EXTENSIONS,
    targets: requireTargets(options),
    source: sourceOf(options),
    onPassedOver: (paths: readonly string[]) => output.message(passedOverText(paths, terminal)),
  };
  const places = await listInputs(args, kind, terminal);
  const open = async (path: string): Promise<OpenMarkdown> => {
    const source = await openBytes(await readInput(path), path, { format: format(path) });
    return { name: path, path, below: places.get(path), source };
  };
  return openEach([...places.keys()], open, output);
}

/** Prints what was done. @returns the document of `--json` */
function report(
  { done, unavailable }: TasksResult<MarkdownJob, Written<MarkdownJob, MarkdownResult>>,
  others: OtherFiles,
  { output }: CommandContext,
): object {
  reportSkipped(others.skipped, output);
  if (!output.json) {
    for (const { file, target, destination, failures } of done) {
      if (destination !== STDOUT) output.path(destination);
      printFailures(file, target, failures, output);
    }
  }
  const files = done.map((written) => ({
    source: written.file.path ?? null,
    language_code: written.target,
    path: pathOf(written),
    ...(written.bytes && { markdown: Buffer.from(written.bytes).toString('utf8') }),
    file_size: written.size,
    texts: written.texts,
    failures: written.failures,
  }));
  const missing = unavailable.map(({ item: { file, target }, error }) => ({
    source: file.path ?? null,
    language_code: target,
    path: null,
    ...unavailableDocument(error),
  }));
  return filesDocument([...files, ...missing], others);
}
