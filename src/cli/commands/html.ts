import { DragomanError } from '../../base/errors.ts';
import { PAGES, type TranslatedHtml, writeReferences } from '../../documents/page/translate-page.ts';
import { decode, type Decoded } from '../../formats/encoding.ts';
import { readPage, type Page } from '../../formats/html/page.ts';
import { readInput } from '../../documents/localization/open-file.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { addExamples } from '../output/help.ts';
import { addDocumentOptions, type DocumentFlags } from '../documents/options.ts';
import { nameWithLanguage, reportSkipped, STDOUT } from '../documents/destinations.ts';
import { reportDryRun } from '../documents/dry-run.ts';
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
  type JobsResult,
  type NamedFile,
  pathOf,
  planJobs,
  runJobs,
  type TasksResult,
  type Written,
} from '../documents/run.ts';
import { sourceForService, sourceOfDocument } from '../documents/source-language.ts';
import { expandFiles } from '../documents/files.ts';
import { readStandardBytes } from '../terminal/input.ts';
import { requireTargets, sourceOf } from '../options/language.ts';
import { translatePageRemotely } from '../documents/remote-documents.ts';
import { withTranslator, type Translator } from '../execution/translator.ts';
import { refuseResources } from '../execution/translation-resources.ts';

interface HtmlFlags extends DocumentFlags {
  readonly attributes?: boolean;
  readonly byText?: boolean;
  readonly encoding?: string;
}

interface OpenPage extends NamedFile {
  readonly decoded: Decoded;
  readonly page: Page;
}

type PageJob = DocumentJob<OpenPage>;

interface PageResult extends Omit<TranslatedHtml, 'html'>, Pick<JobsResult, 'bytes' | 'isUntouched'> {
  /** Of a page that goes to standard output. */
  readonly html?: string | undefined;
}

export const html: CommandModule<HtmlFlags> = {
  configure(command) {
    command
      .argument('[file...]', 'HTML files; default: standard input')
      .option('--attributes', 'also translate alt, title, placeholder, aria-label and the description')
      .option(
        '--by-text',
        'send single texts to a service instead of the page: each costs a credit, and no page is too long',
      )
      .option(
        '--encoding <name>',
        'the encoding of the pages, overriding what they declare, such as windows-1252',
      );
    addDocumentOptions(command, 'standard output for one page, else beside the source');
    addExamples(command, [
      ['dragoman html index.html -s en -t fr > index.fr.html', 'translate one page to standard output'],
      [
        "dragoman html 'pages/*.html' -s en -t fr,es -o out --attributes",
        'write out/{name}.fr.html and out/{name}.es.html, with the texts of images',
      ],
    ]);
  },

  async run(args, options, context) {
    const { terminal, output } = context;
    const targets = requireTargets(options);
    const { files, unreadable } = await openPages(args, options, context);
    const { jobs, skipped } = await planJobs(
      {
        files,
        unreadable,
        targets,
        nameOf: ({ path }, target) => nameWithLanguage(path ?? 'page.html', target),
      },
      { flags: options, cwd: terminal.cwd, prefersStandardOutput: true },
    );
    if (options.dryRun) {
      const textsOf = ({ file }: PageJob): readonly string[] => PAGES.textsOf(file.page);
      return reportDryRun({ jobs, skipped, unreadable, textsOf }, options, context);
    }
    const result = await withTranslator(options, context, (translator) => {
      const whole = takesWholePages(translator, options);
      return runJobs(
        jobs,
        {
          translate: (job, onProgress) => translateOne(job, translator, { options, onProgress }, context),
          extentOf: ({ file }) => PAGES.textsOf(file.page).length,
          unit: 'texts',
          stopped: translator.stopped,
          atOnce: whole ? translator.service?.parallelCalls : 1,
        },
        context,
      );
    });
    return finish(result, unreadable, report(result, { unreadable, skipped }, context), output);
  },
};

/** All pages are read before the first is translated: mistakes show at once. */
async function openPages(
  args: readonly string[],
  options: HtmlFlags,
  { terminal, output }: CommandContext,
): Promise<Opened<OpenPage>> {
  if (args.length === 0 && terminal.stdin.isTTY) {
    throw new DragomanError('usage', 'no page', { hint: 'Name a file, or pipe one in.' });
  }
  const piped = args.length === 0 || (args.length === 1 && args[0] === '-');
  if (piped) {
    const page = await openPage(
      { name: 'standard input', path: undefined },
      await readStandardBytes(terminal),
      options,
    );
    return { files: [page], unreadable: [] };
  }
  const open = async (path: string): Promise<OpenPage> =>
    openPage({ name: path, path }, await readInput(path), options);
  return openEach(await expandFiles(args, terminal), open, output);
}

async function openPage(file: NamedFile, bytes: Uint8Array, options: HtmlFlags): Promise<OpenPage> {
  try {
    const decoded = await decode(bytes, 'html', options.encoding);
    return { ...file, decoded, page: readPage(decoded.text, { attributes: options.attributes }) };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(file.name) : error;
  }
}

/** @throws DragomanError `usage` for what the interface of a service has no word for. */
function takesWholePages({ service }: Translator, options: HtmlFlags): boolean {
  const { attributes, byText } = options;
  if (!service || byText) return false;
  refuseResources(
    options,
    'Add --by-text: the texts of a page are sent one by one then, and each of them costs a credit.',
  );
  if (!attributes) return true;
  throw new DragomanError('usage', 'a service that gets whole pages leaves their attributes alone', {
    hint: 'Add --by-text: attributes and texts are sent one by one then, and each of them costs a credit.',
  });
}

async function translateOne(
  { file, target, destination }: PageJob,
  translator: Translator,
  { options, onProgress }: { readonly options: HtmlFlags } & Pick<SegmentContext, 'onProgress'>,
  { terminal: { signal } }: CommandContext,
): Promise<PageResult> {
  const { decoded, page } = file;
  const { engine, resources, service } = translator;
  const encodable = (text: string): boolean => decoded.encodable(text);
  const name = file.path ?? 'the page';
  const named = sourceOf(options);
  const result =
    service && !options.byText
      ? // A service that gets whole pages tells the language of those that do not say it.
        await translatePageRemotely({ service, engine }, page, name, {
          source: sourceForService(named, PAGES.languageOf(page)),
          target,
          signal,
        })
      : await PAGES.translate(page, {
          ...resources,
          engine,
          source: await sourceOfDocument(PAGES, page, { named, what: name }),
          target,
          signal,
          concurrency: options.concurrency,
          onProgress,
          attributes: options.attributes,
          encodable,
        });
  const bytes = decoded.encode(writeReferences(result.html, encodable));
  return {
    ...result,
    html: destination === STDOUT ? result.html : undefined,
    bytes,
    isUntouched: result.html === page.html,
  };
}

/** Prints what was done. @returns the document of `--json` */
function report(
  { done, unavailable }: TasksResult<PageJob, Written<PageJob, PageResult>>,
  others: OtherFiles,
  { output }: CommandContext,
): object {
  reportSkipped(others.skipped, output);
  for (const { file, target, destination, failures } of done) {
    if (output.json) continue;
    if (destination !== STDOUT) output.path(destination);
    printFailures(file, target, failures, output);
  }
  const single = done.find(({ destination }) => destination === STDOUT);
  const failed = unavailable.find(({ item }) => item.destination === STDOUT);
  if (failed) return { html: null, ...unavailableDocument(failed.error) };
  if (single) {
    const { html: translated, failures } = single;
    return { html: translated, ...(failures.length > 0 && { failures }) };
  }
  const files = done.map((written) => ({
    source: written.file.path ?? null,
    language_code: written.target,
    path: pathOf(written),
    file_size: written.size,
    text_nodes: written.textNodes,
    failures: written.failures,
  }));
  const missing = unavailable.map(({ item: { file, target }, error }) => ({
    source: file.path ?? null,
    language_code: target,
    path: null,
    text_nodes: file.page.textNodes,
    ...unavailableDocument(error),
  }));
  return filesDocument([...files, ...missing], others);
}
