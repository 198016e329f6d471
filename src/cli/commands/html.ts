import { DragomanError } from '../../base/errors.ts';
import { decode, type Decoded } from '../../formats/encoding.ts';
import { readPage, type Page } from '../../formats/html/page.ts';
import { languageOfPage } from '../../pipeline/declared-language.ts';
import { textsOf, translatePage, type TranslatedHtml } from '../../pipeline/html/translate-html.ts';
import { readInput } from '../../pipeline/open-file.ts';
import { addResourceOptions, refuseResources, type ResourceFlags } from '../translation-resources.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK, PARTIAL } from '../exit-code.ts';
import { expandFiles } from '../files.ts';
import { translatePageThere, writeReferences } from '../html/remote-page.ts';
import { placeOutputs, type Destination, type OutputOptions, type PageName } from '../html/outputs.ts';
import { readStandardBytes } from '../input.ts';
import { addLanguageOptions, requireTargets, sourceOf, type LanguageOptions } from '../language-options.ts';
import { openEach, unreadableDocuments, type Opened, type UnreadableFile } from '../open-each.ts';
import { addServiceOptions, type ServiceFlags } from '../service/options.ts';
import { withTranslator, type Translator } from '../service/translator.ts';
import { resolveSource, sourceForService } from '../source-language.ts';
import type { Terminal } from '../terminal.ts';
import { doTasks, type Done, type Unavailable } from '../tasks.ts';
import { printUnavailable, unavailableDocument } from '../unavailable.ts';
import { writeOutput } from '../write-output.ts';

type Options = LanguageOptions &
  ServiceFlags &
  ResourceFlags &
  OutputOptions & {
    readonly attributes?: boolean;
    readonly byText?: boolean;
    readonly encoding?: string;
  };

interface OpenPage {
  readonly name: PageName;
  readonly decoded: Decoded;
  readonly page: Page;
}

/** A page to translate into a language. */
interface Job {
  readonly page: OpenPage;
  readonly target: string;
  readonly destination: Destination;
}

interface Written extends Job {
  readonly result: TranslatedHtml & { readonly warning?: string | undefined };
  readonly bytes: Uint8Array;
}

export const html: CommandModule<Options> = {
  configure(command) {
    command
      .argument('[file...]', 'HTML files; standard input when there are none')
      .option('-o, --output <path>', 'a file, a directory for several, - for standard output')
      .option('--attributes', 'also translate alt, title, placeholder, aria-label and the description')
      .option(
        '--by-text',
        'send single texts to a service instead of the page: each costs a credit, and no page is too long',
      )
      .option(
        '--encoding <name>',
        'the encoding of the pages, overriding what they declare, such as windows-1252',
      )
      .option('--force', 'replace existing files beside the source');
    addLanguageOptions(command);
    addServiceOptions(command);
    addResourceOptions(command);
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
    const named = sourceOf(options);
    const { files: pages, unreadable } = await openPages(args, options, context);
    // Pages that cannot be read count: what of the others goes to standard output does not depend on them.
    const names = [...pages.map(({ name }) => name), ...unreadable.map(({ path }) => path)];
    const places = await placeOutputs(names, targets, options, terminal.cwd);
    const jobs = pages.flatMap((page, i) =>
      targets.map((target, j): Job => ({ page, target, destination: places[i]?.[j] ?? 'stdout' })),
    );
    const result = await withTranslator(options, context, async (translator) => {
      const whole = takesWholePages(translator, options);
      const progress = await output.progress();
      const task = async ({ page, ...job }: Job): Promise<Written> => {
        progress.update(`${page.name ?? 'page'} → ${job.target}`);
        const declared = languageOfPage(page.page);
        // A service that gets whole pages detects the language of those that do not declare it.
        const source = whole
          ? sourceForService(named, declared)
          : await resolveSource(named, textsOf(page.page), page.name ?? 'the page', declared);
        return translateOne(page, { ...job, source, translator }, options, terminal);
      };
      try {
        return await doTasks(jobs, task, {
          stopped: translator.stopped,
          atOnce: whole ? translator.service?.parallelCalls : 1,
        });
      } finally {
        progress.stop();
      }
    });
    const { done, unavailable, error } = result;
    const document = report(result, unreadable, context);
    if (error) return output.failure(error, document);
    if (output.json) output.document(document);
    const isWhole =
      unreadable.length + unavailable.length === 0 &&
      done.every(({ result: { failures } }) => failures.length === 0);
    return isWhole ? OK : PARTIAL;
  },
};

/** All pages are read before the first is translated: mistakes show at once. */
async function openPages(
  args: readonly string[],
  options: Options,
  { terminal, output }: CommandContext,
): Promise<Opened<OpenPage>> {
  if (args.length === 0 && terminal.stdin.isTTY) {
    throw new DragomanError('usage', 'no page', { hint: 'Name a file, or pipe one in.' });
  }
  const piped = args.length === 0 || (args.length === 1 && args[0] === '-');
  if (piped) {
    const page = await openPage(undefined, await readStandardBytes(terminal), options);
    return { files: [page], unreadable: [] };
  }
  const open = async (path: string): Promise<OpenPage> => openPage(path, await readInput(path), options);
  return openEach(await expandFiles(args, terminal), open, output);
}

async function openPage(name: PageName, bytes: Uint8Array, options: Options): Promise<OpenPage> {
  try {
    const decoded = await decode(bytes, 'html', options.encoding);
    return { name, decoded, page: readPage(decoded.text, { attributes: options.attributes }) };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(name ?? 'standard input') : error;
  }
}

/** @throws DragomanError `usage` for what the interface of a service has no word for. */
function takesWholePages({ service }: Translator, options: Options): boolean {
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
  page: OpenPage,
  {
    source,
    target,
    translator,
    destination,
  }: Omit<Job, 'page'> & { readonly source: string; readonly translator: Translator },
  options: Options,
  { signal }: Terminal,
): Promise<Written> {
  const { decoded } = page;
  const encodable = (text: string): boolean => decoded.encodable(text);
  const { engine, resources, service } = translator;
  const name = page.name ?? 'the page';
  const result =
    service && !options.byText
      ? await translatePageThere(service, { page: page.page, name, source, target }, { signal })
      : await translatePage(page.page, {
          ...resources,
          engine,
          source,
          target,
          signal,
          concurrency: options.concurrency,
          attributes: options.attributes,
          encodable,
        });
  const stopped = translator.stopped();
  if (stopped && result.html === page.page.html) throw stopped;
  const bytes = decoded.encode(writeReferences(result.html, encodable));
  if (destination !== 'stdout') await writeOutput(destination.path, bytes);
  return { page, target, destination, result, bytes };
}

/** Tells of what was done. @returns the document of `--json` */
function report(
  { done: written, unavailable }: Done<Job, Written>,
  unreadable: readonly UnreadableFile[],
  { output }: CommandContext,
): object {
  const [first] = written;
  const single = first?.destination === 'stdout' ? first : undefined;
  if (single && !output.json) output.content(single.bytes);
  for (const { item, error } of unavailable)
    printUnavailable(item.page.name ?? 'standard input', item.target, error, output);
  for (const { page, target, destination, result } of written) {
    if (result.warning !== undefined) output.problem(result.warning);
    if (output.json) continue;
    if (destination !== 'stdout') output.result(destination.path);
    for (const { line, column, reason } of result.failures) {
      const place = `${page.name ?? 'standard input'}:${line}:${column}`;
      output.problem(`${place}: a text (${target}) keeps its source: ${reason}`);
    }
  }
  const [failed] = unavailable;
  if (failed?.item.destination === 'stdout') return { html: null, ...unavailableDocument(failed.error) };
  if (!single) {
    const failures = [...unavailable.map(describeUnavailable), ...unreadableDocuments(unreadable)];
    return { files: [...written.map(describeFile), ...failures] };
  }
  const { html: translated, failures } = single.result;
  return { html: translated, ...(failures.length > 0 && { failures }) };
}

function describeFile({ page, target, destination, result, bytes }: Written): object {
  return {
    source: page.name ?? null,
    language_code: target,
    path: destination === 'stdout' ? null : destination.path,
    file_size: bytes.length,
    text_nodes: result.textNodes,
    failures: result.failures,
  };
}

function describeUnavailable({ item: { page, target }, error }: Unavailable<Job>): object {
  return {
    source: page.name ?? null,
    language_code: target,
    path: null,
    text_nodes: page.page.textNodes,
    ...unavailableDocument(error),
  };
}
