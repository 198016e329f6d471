import { DragomanError } from '../../base/errors.ts';
import { PAGES, type TranslatedHtml, writeReferences } from '../../documents/page/translate-page.ts';
import { decode, type Decoded } from '../../formats/encoding.ts';
import { readPage, type Page } from '../../formats/html/page.ts';
import { nameWithLanguage, STDOUT } from '../documents/destinations.ts';
import { documentCommand, openInputs } from '../documents/document-command.ts';
import { expandFiles } from '../documents/files.ts';
import { printFailures, unavailableDocument } from '../documents/open-each.ts';
import { addDocumentOptions, type DocumentFlags } from '../documents/options.ts';
import { translatePageRemotely } from '../documents/remote-documents.ts';
import type { JobsResult, NamedFile } from '../documents/run.ts';
import { sourceForService, sourceOfDocument } from '../documents/source-language.ts';
import { refuseResources } from '../execution/translation-resources.ts';
import { requireTargets, sourceOf } from '../options/language.ts';

interface HtmlFlags extends DocumentFlags {
  readonly attributes?: boolean;
  readonly byText?: boolean;
  readonly encoding?: string;
}

interface OpenPage extends NamedFile {
  readonly decoded: Decoded;
  readonly page: Page;
}

interface PageResult extends Omit<TranslatedHtml, 'html'>, Pick<JobsResult, 'bytes' | 'isUntouched'> {
  /** The page, if it goes to standard output. */
  readonly html?: string | undefined;
}

export const html = documentCommand<OpenPage, HtmlFlags, PageResult>({
  examples: [
    ['dragoman html index.html -s en -t fr > index.fr.html', 'translate one page to standard output'],
    [
      "dragoman html 'pages/*.html' -s en -t fr,es -o out --attributes",
      'write out/{name}.fr.html and out/{name}.es.html, including image texts',
    ],
  ],
  configure(command) {
    command
      .argument('[file...]', 'HTML files; default: standard input')
      .option('--attributes', 'also translate alt, title, placeholder, aria-label and the meta description')
      .option(
        '--by-text',
        'send single texts to a service, not whole pages: 1 credit each, pages of any length',
      )
      .option('--encoding <name>', 'encoding that overrides the declared one, such as windows-1252');
    addDocumentOptions(command, 'beside the source, or standard output for one page');
  },

  targetsOf: requireTargets,

  open: openInputs({
    missing: new DragomanError('usage', 'no page', { hint: 'Name a file, or pipe one in.' }),
    list: async (args, { context }) =>
      new Map((await expandFiles(args, context.terminal)).map((path) => [path, undefined])),
    async open(file, read, { flags }) {
      const bytes = await read();
      try {
        const decoded = await decode(bytes, 'html', flags.encoding);
        return { ...file, decoded, page: readPage(decoded.text, { attributes: flags.attributes }) };
      } catch (error) {
        throw error instanceof DragomanError ? error.inFile(file.name) : error;
      }
    },
  }),

  place: () => ({
    nameOf: ({ path }, target) => nameWithLanguage(path ?? 'page.html', target),
    prefersStandardOutput: true,
  }),
  textsOf: ({ page }) => PAGES.textsOf(page),
  chargeOf: (_, { byText }) => (byText ? undefined : 1),
  extentOf: ({ page }) => PAGES.textsOf(page).length,
  unit: 'texts',

  atOnce(service, _, flags) {
    if (flags.byText) return 1;
    refuseResources(flags, 'Add --by-text to send its texts one by one, at 1 credit each.');
    if (!flags.attributes) return service.parallelCalls;
    throw new DragomanError('usage', 'services do not translate the attributes of whole pages', {
      hint: 'Add --by-text to send texts and attributes one by one, at 1 credit each.',
    });
  },

  async translate({ file, destination }, { segments, service }, { flags }) {
    const { decoded, page } = file;
    const encodable = (text: string): boolean => decoded.encodable(text);
    const what = file.path ?? 'the page';
    const named = sourceOf(flags);
    const { engine, target, signal } = segments;
    const result =
      service && !flags.byText
        ? // A service that gets whole pages detects the language of pages without a declaration.
          await translatePageRemotely({ service, engine }, page, what, {
            source: sourceForService(named, PAGES.languageOf(page)),
            target,
            signal,
          })
        : await PAGES.translate(page, {
            ...segments,
            source: await sourceOfDocument(PAGES, page, { named, what }),
            attributes: flags.attributes,
            encodable,
          });
    return {
      ...result,
      html: destination === STDOUT ? result.html : undefined,
      bytes: decoded.encode(writeReferences(result.html, encodable)),
      isUntouched: result.html === page.html,
    };
  },

  print(written, output) {
    if (!output.json) printFailures(written, output);
  },
  describe: ({ size, textNodes, failures }) => ({ file_size: size, text_nodes: textNodes, failures }),
  describeUnavailable: ({ file }) => ({ text_nodes: file.page.textNodes }),

  document(_, { done, unavailable }) {
    const failed = unavailable.find(({ item }) => item.destination === STDOUT);
    if (failed) return { html: null, ...unavailableDocument(failed.error) };
    const single = done.find(({ destination }) => destination === STDOUT);
    const { html: translated, failures = [] } = single ?? {};
    return single && { html: translated, ...(failures.length > 0 && { failures }) };
  },
});
