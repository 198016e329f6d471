import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { openBytes, type OpenFile } from '../../documents/localization/open-file.ts';
import { MARKDOWN_FILES, type TranslatedMarkdown } from '../../documents/markdown/translate-markdown.ts';
import { followLinks } from '../../documents/markdown/links.ts';
import type { LinkTo } from '../../formats/format.ts';
import { BUILT_IN_FORMATS, type DescribedFormat, describeFormat } from '../../formats/registry.ts';
import { parseMessage } from '../../text/message.ts';
import { nameWithLanguage, STDOUT, type Destination } from '../documents/destinations.ts';
import { documentCommand, openInputs, type Translating } from '../documents/document-command.ts';
import { listInputs } from '../documents/files.ts';
import { printFailures } from '../documents/open-each.ts';
import { addDocumentOptions, type DocumentFlags } from '../documents/options.ts';
import type { DocumentJob, NamedFile } from '../documents/run.ts';
import { sourceOfDocument } from '../documents/source-language.ts';
import { requireTargets, sourceOf } from '../options/language.ts';

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

const EXTENSIONS = BUILT_IN_FORMATS.all.flatMap(({ extensions, isProse }) => (isProse ? extensions : []));

export const markdown = documentCommand<OpenMarkdown, MarkdownFlags, MarkdownResult>({
  examples: [
    ['dragoman markdown README.md -s en -t es > README.es.md', 'translate one document to standard output'],
    [
      'dragoman markdown docs -s en -t fr,es -o out',
      'write out/{path}/{name}.fr.md and {name}.es.md for a directory',
    ],
  ],
  configure(command) {
    command
      .argument(
        '[file...]',
        `files or directories: ${EXTENSIONS.join(', ')}; - or nothing for standard input`,
      )
      .option('--mdx', 'read all files as MDX, as Docusaurus does; default: only .mdx files')
      .option('--links', 'point links to other documents at their translations, if they exist');
    addDocumentOptions(command, 'beside the source, or standard output for one document');
  },

  targetsOf: requireTargets,

  open: openInputs({
    missing: new DragomanError('usage', 'no document', {
      hint: 'Name a file or a directory, or pipe one in.',
    }),
    list: (args, { flags, context }) =>
      listInputs(args, { what: 'Markdown documents', extensions: EXTENSIONS, flags }, context),
    async open(file, read, { flags }) {
      const format = flags.mdx ? describeFormat('mdx') : formatOf(file.path);
      return { ...file, source: await openBytes(await read(), file.name, { format }) };
    },
  }),

  review({ files }, { context: { output } }) {
    for (const { name, source } of files) {
      const { text, warnings } = source.document;
      for (const { offset, message } of warnings) {
        const { line, column } = positionAt(text, offset);
        if (message !== undefined) output.warning(message, `${name}:${line}:${column}`);
      }
    }
    return undefined;
  },

  place: () => ({
    nameOf: ({ path }, target) => nameWithLanguage(path ?? 'document.md', target),
    prefersStandardOutput: true,
  }),
  textsOf: ({ source }) => MARKDOWN_FILES.textsOf(source),
  chargeOf({ source: { document } }) {
    const segments = document.slots.flatMap(({ value, syntax }) =>
      parseMessage(value, syntax).segments('und'),
    );
    return new Set(segments).size;
  },
  extentOf: ({ source }) => source.document.slots.length,
  unit: 'texts',

  async translate(job, { segments, destinationOf }, { flags, context }) {
    const { name, source } = job.file;
    const named = sourceOf(flags);
    const translated = await MARKDOWN_FILES.translate(source, {
      ...segments,
      source: await sourceOfDocument(MARKDOWN_FILES, source, { named, what: name }),
      linkTo: flags.links ? linksOf(job, destinationOf, context.terminal.cwd) : undefined,
    });
    const { texts, failures } = translated;
    return { ...translated, isUntouched: texts > 0 && failures.length === texts };
  },

  print(written, output) {
    if (!output.json) printFailures(written, output);
  },
  describe: ({ bytes, size, texts, failures }) => ({
    ...(bytes && { markdown: Buffer.from(bytes).toString('utf8') }),
    file_size: size,
    texts,
    failures,
  }),
});

function formatOf(path: string | undefined): DescribedFormat {
  const known = path === undefined ? undefined : BUILT_IN_FORMATS.ofPath(path);
  return known?.isProse ? known : describeFormat('markdown');
}

/** A document has a translation if this run writes one, or if an earlier run with the same options did. */
function linksOf(
  { file, target, destination }: MarkdownJob,
  destinationOf: Translating['destinationOf'],
  cwd: string,
): LinkTo {
  const source = file.path ?? join(cwd, 'document.md');
  const place = (path: string, to: Destination | undefined): string =>
    to === undefined || to === STDOUT ? join(dirname(path), nameWithLanguage(path, target)) : to;
  const own = place(source, destination);
  const translationOf = (path: string): string | undefined => {
    if (!BUILT_IN_FORMATS.ofPath(path)?.isProse) return undefined;
    const written = destinationOf(path, target);
    if (written !== undefined) return withSlashes(place(path, written));
    const other = join(dirname(own), relative(dirname(source), place(path, undefined)));
    return existsSync(path) && existsSync(other) ? withSlashes(other) : undefined;
  };
  return followLinks({ source: withSlashes(source), target: withSlashes(own), translationOf });
}

function withSlashes(path: string): string {
  return path.split(sep).join('/');
}
