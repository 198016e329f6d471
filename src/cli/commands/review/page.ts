import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { basename, dirname, join, resolve } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import { userDirectories } from '../../../base/user-directories.ts';
import {
  CHOSEN_STATES,
  chosenFiles,
  type RowChoice,
  chosenRows,
} from '../../../project/review/chosen-rows.ts';
import { ContextFinder } from '../../../project/review/context-finder.ts';
import { projectId } from '../../../project/review/project-id.ts';
import type { TextRow } from '../../../project/review/row.ts';
import { Screenshots } from '../../../project/review/screenshots.ts';
import type { Project } from '../../../project/state/project.ts';
import { pageDocument } from '../../../review/document.ts';
import { packContexts, packFiles, packRow, packScreenshots } from '../../../review/pack.ts';
import { readPageParts } from '../../../review/page-parts.ts';
import { ProjectSource } from '../../../review/project-source.ts';
import { type Pack, PROTOCOL_VERSION, type Row } from '../../../review/protocol.ts';
import { serveReview } from '../../../review/server.ts';
import { addGlossaryOption, findGlossaryFile, type GlossaryFlags } from '../../options/glossary.ts';
import { requireNew, writeOutput } from '../../documents/destinations.ts';
import { withProjectResources } from '../../execution/translation-resources.ts';
import type { LanguageOptions } from '../../options/language.ts';
import { addMemoryOption, type MemoryFlags } from '../../options/memory.ts';
import { addProjectOptions, openOneWithTargets } from '../../options/project.ts';
import { repeatable, repeatableOf } from '../../options/repeatable.ts';
import type { CommandContext, CommandModule } from '../../output/command.ts';
import { type ExitCode, OK } from '../../output/exit-code.ts';
import { mayOpenBrowser, openerOf, startBrowser } from '../../terminal/browser.ts';
import { pluralize, sizeOf } from '../../terminal/table.ts';
import { portNumber } from '../../options/engine.ts';

interface PageFlags extends LanguageOptions, GlossaryFlags, MemoryFlags, RowChoice {
  readonly port: number;
  readonly to?: string;
  /** False for `--no-open`. */
  readonly open: boolean;
  readonly force?: boolean;
  readonly with?: readonly Extra[];
}

/** Optional content of a translator's page. */
const EXTRAS = ['similar', 'screenshots'] as const;
type Extra = (typeof EXTRAS)[number];

/** The largest file, in bytes, that mail programs and browsers accept. */
const MAX_FILE = 20_000_000;
/** The maximum size of the page's terms, earlier sources and similar texts, in bytes. */
const MAX_CONTEXTS = 4_000_000;

/** The review page, served to this computer's browsers or written as one file to send. */
export const pageCommand: CommandModule<PageFlags> = {
  examples: [
    ['dragoman review -t es', 'in the browser, or at the address that it prints'],
    ['dragoman review --to es.html -t es --state initial --state needs-review', 'for a translator'],
  ],
  configure(command) {
    addProjectOptions(command);
    command
      .option('--port <port>', 'port on 127.0.0.1; 0 picks a free one', portNumber, 0)
      .option('--no-open', 'only print the address, and start no browser')
      .option('--to <file>', 'write the page and its texts into one HTML file, to send to a translator')
      .option('--force', 'replace an existing file')
      .option(
        '--with <what>',
        'with --to: add similar texts from the memory, of any project, or screenshots (repeatable)',
        repeatableOf(EXTRAS),
      )
      .option(
        '--state <state>',
        'with --to: only texts in this state, or that need a review (repeatable)',
        repeatableOf(CHOSEN_STATES),
      )
      .option('--in <glob>', 'only texts whose source or translation file matches (repeatable)', repeatable)
      .option('--since <ref>', 'only texts of files that changed since a git branch, tag or commit');
    addGlossaryOption(command);
    addMemoryOption(command);
  },

  async run(args, flags, context) {
    if (flags.to === undefined && (flags.state ?? flags.force ?? flags.with) !== undefined)
      throw new DragomanError('usage', '--state, --with and --force are for --to', {
        hint: 'Without --to, choose texts on the page.',
      });
    if (flags.to === '-')
      throw new DragomanError('usage', 'the page cannot go to standard output', {
        hint: 'Name a file for it: --to page.html.',
      });
    const project = await openOneWithTargets(args, flags, context);
    return flags.to === undefined
      ? serve(project, flags, context)
      : writePage(project, flags.to, flags, context);
  },
};

/** Runs until interrupted. By then, all answers have been saved to the files. */
async function serve(project: Project, flags: PageFlags, context: CommandContext): Promise<ExitCode> {
  const { terminal, output } = context;
  const { signal } = terminal;
  const includes = await chosenFiles(project, flags, terminal);
  const parts = await readPageParts();
  const title = basename(project.root);
  const id = await projectId(project);
  return withProjectResources(flags, [project], context, async (resourcesOf): Promise<ExitCode> => {
    const source = new ProjectSource(project, {
      id,
      memory: resourcesOf(project).memory,
      terms: await findGlossaryFile(flags, terminal, project),
      includes,
      screenshots: screenshotsOf(project),
      env: terminal.env,
      signal,
      ...userDirectories(terminal.env),
    });
    terminal.heedSignals?.();
    const server = await serveReview({
      source,
      page: (nonce) => pageDocument({ ...parts, nonce, title }),
      port: flags.port,
      onError: (error) => output.problem(error instanceof Error ? error.message : String(error)),
    });
    if (output.json) output.document({ url: server.url });
    else output.success(`Review the translations at ${server.url}\nPress Ctrl+C to end.`);
    if (flags.open && !output.json && mayOpenBrowser(terminal)) {
      const opener = openerOf(server.startingUrl(), project.root, terminal.env);
      const fail = (): void => output.message('No browser could be started: open the address yourself.');
      if (opener) startBrowser(opener, fail);
      else fail();
    }
    if (!signal.aborted) await once(signal, 'abort');
    await server.close();
    // Wait for pending lookups, because the memory is closed next.
    await source.idle();
    return OK;
  });
}

async function writePage(
  project: Project,
  file: string,
  flags: PageFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, output } = context;
  const path = resolve(terminal.cwd, file);
  requireNew([path], flags);
  const parts = await readPageParts();
  const nonce = randomBytes(16).toString('hex');
  const pageOf = (pack: Pack): Buffer => {
    const title = `${pack.title}: ${pack.locales.join(', ')}`;
    return Buffer.from(pageDocument({ ...parts, nonce, title, embedded: { pack } }));
  };
  const pack = await packOf(project, flags, context, pageOf);
  if (pack.rows.length === 0)
    throw new DragomanError('not_found', 'no text matches', {
      hint: 'Compare --state, --in and --since with dragoman status --json --keys.',
    });
  const bytes = pageOf(pack);
  if (bytes.length > MAX_FILE)
    throw new DragomanError(
      'limit_exceeded',
      `the page would be ${sizeOf(bytes.length)} long; the limit is 20 MB`,
      {
        hint: 'Choose fewer texts with --target, --state, --in or --since, or leave out --with.',
      },
    );
  await writeOutput(path, bytes, { isNew: flags.force !== true });
  const contents = {
    texts: pack.rows.length,
    files: pack.files.length,
    similar: Object.values(pack.contexts ?? {}).filter((one) => one.similar).length,
    screenshots: Object.keys(pack.screenshots ?? {}).length,
  };
  const extras = [
    ...(contents.similar > 0 ? [`similar texts for ${contents.similar}`] : []),
    ...(contents.screenshots > 0 ? [pluralize(contents.screenshots, 'screenshot')] : []),
  ];
  const document = {
    file: path,
    source_lang: project.source,
    target_langs: pack.locales,
    ...contents,
    bytes: bytes.length,
  };
  return output.answer(document, () =>
    output.success(
      `${file}: ${pluralize(contents.texts, 'text')} in ${pack.locales.join(', ')} from ${pluralize(contents.files, 'file')}${extras.length > 0 ? ` (${extras.join(', ')})` : ''}, ${sizeOf(bytes.length)}. Send it as a ZIP file or as a link: mail programs block HTML files.`,
    ),
  );
}

/** The selected texts, the files that contain them, and as many of their contexts as fit on the page. */
async function packOf(
  project: Project,
  flags: PageFlags,
  context: CommandContext,
  pageOf: (pack: Pack) => Buffer,
): Promise<Pack> {
  const { terminal } = context;
  const { env, signal } = terminal;
  const all = packFiles(project);
  const files: Pack['files'][number][] = [];
  const rows: Row[] = [];
  const chosen = chosenRows(project, flags, {
    env,
    signal,
    ...userDirectories(env),
  });
  const places = new Map<string, number>();
  const placeOf = (source: string): number => {
    const known = places.get(source) ?? files.length;
    const file = all.find(({ path }) => path === source);
    if (known === files.length && file) files.push(file);
    places.set(source, known);
    return known;
  };
  const texts: TextRow[] = [];
  for await (const row of chosen) {
    texts.push(row);
    rows.push(packRow(row, placeOf(row.file)));
  }
  const pack: Pack = {
    version: PROTOCOL_VERSION,
    project: await projectId(project),
    title: basename(project.root),
    source: project.source,
    locales: project.targets.filter((target) => rows.some(({ locale }) => locale === target)),
    files,
    rows,
    contexts: {},
  };
  const left = MAX_FILE - pageOf(pack).length;
  const terms = await findGlossaryFile(flags, terminal, project);
  const screenshots = flags.with?.includes('screenshots') === true ? screenshotsOf(project) : undefined;
  const contexts = await withProjectResources(
    flags,
    [project],
    context,
    (resourcesOf) => {
      const memory = flags.with?.includes('similar') === true ? resourcesOf(project).memory : undefined;
      const finder = new ContextFinder(project, { env, signal, terms, memory, screenshots });
      return packContexts(texts, finder, { limit: Math.min(left, MAX_CONTEXTS), signal });
    },
    { isReading: true },
  );
  return {
    ...pack,
    contexts,
    ...(screenshots && {
      screenshots: await packScreenshots(contexts, screenshots, { limit: left, signal }),
    }),
  };
}

/** The screenshots in the configured folder. */
function screenshotsOf({ root, configuration, configurationPath }: Project): Screenshots | undefined {
  const folder = configuration.review?.screenshots;
  if (folder === undefined || configurationPath === undefined) return undefined;
  return new Screenshots(join(dirname(configurationPath), folder), root);
}
