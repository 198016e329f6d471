import { describe, DragomanError } from '../../base/errors.ts';
import { userDirectories } from '../../base/user-directories.ts';
import { checkProject } from '../../project/plan/check.ts';
import type { KeysListener, ListedKey } from '../../project/plan/key-list.ts';
import { writerFinder } from '../../project/plan/provenance.ts';
import {
  type FileReport,
  type SyncReport,
  countUnreadable,
  percentDone,
  sumCoverage,
} from '../../project/plan/report.ts';
import {
  type ResourceFlags,
  type ResourcesOf,
  withProjectResources,
} from '../execution/translation-resources.ts';
import type { Project } from '../../project/state/project.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import type { ExitCode } from '../output/exit-code.ts';
import { inGroup, markRare } from '../output/help.ts';
import type { LanguageOptions } from '../options/language.ts';
import { addProjectOptions, openReported, passedOverDocument } from '../options/project.ts';
import { writeOutput } from '../documents/destinations.ts';
import { type ReplaceableKind, requireReplaceable } from '../project/replaceable-file.ts';
import { addMemoryOption } from '../options/memory.ts';
import type { ReportPage } from '../project/report-page/report-page.ts';
import { type ReportOptions, addReportOption, withReportPage } from '../project/report-page/report-option.ts';
import { describeFrameworks } from '../project/framework-list.ts';
import { printCoverage } from '../project/coverage-table.ts';
import { printSimilar, exitCodeOf } from '../project/sync-report.ts';
import { printProvenance } from '../project/provenance.ts';
import { projectsDocument } from '../project/sync-documents.ts';
import { findUnserved, needsEngine } from '../project/unserved-languages.ts';
import { percentText, pluralize } from '../terminal/table.ts';

interface StatusFlags extends LanguageOptions, ReportOptions, ResourceFlags {
  readonly similar?: boolean;
  readonly badge?: string;
  readonly keys?: boolean;
  readonly provenance?: boolean;
}

export const status: CommandModule<StatusFlags> = {
  examples: [
    ['dragoman status', 'coverage per language of the project here'],
    ['dragoman status locales -s en -t es,fr', 'of files that have never been synced'],
    ['dragoman status --similar', 'with translations of similar texts from the memory'],
    ['dragoman status --badge translations.svg', 'a badge for the README'],
    ['dragoman status --report out.html', 'all keys with their translations, to view in a browser'],
  ],
  configure(command) {
    addProjectOptions(command);
    addReportOption(command);
    addMemoryOption(command);
    inGroup(command, 'Output', () =>
      command.option('--badge <file>', 'write an SVG badge with the share of translated keys'),
    );
    command.option('--keys', 'with --json, also list every key with its texts');
    markRare(command, '--keys');
    command.option('--provenance', 'count the texts by writer; with --json, also list each with its commit');
    markRare(command, '--provenance');
    command.option('--similar', 'also list translations of similar texts from the memory');
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    if (flags.keys === true && !output.json) {
      throw new DragomanError('usage', '--keys lists the keys of all files as JSON', {
        hint: 'Add --json, or use --report for an HTML page.',
      });
    }
    const projects = await openReported(args, flags, context);
    for (const project of projects) for (const line of describeFrameworks(project)) output.detail(line);
    const badge =
      flags.badge === undefined ? undefined : await requireReplaceable(flags.badge, terminal.cwd, BADGE);
    const show = async (page: ReportPage | undefined, resourcesOf: ResourcesOf): Promise<ExitCode> => {
      const surveyed: SyncReport[] = [];
      const { keys: listsKeys = false, provenance: hasProvenance = false } = flags;
      const lists = listsKeys || hasProvenance ? new Map<FileReport, readonly ListedKey[]>() : undefined;
      for (const project of projects) {
        const inPage = page?.listenerFor(project, projects.length > 1);
        const onKeys: KeysListener = async ({ keys, ...file }) => {
          const listed = [...keys];
          lists?.set(file.report, listed);
          await inPage?.({ ...file, keys: listed });
        };
        const resources = resourcesOf(project);
        const tracing = { memory: resources.memory, env: terminal.env, signal: terminal.signal };
        const onTrouble = (reason: string): void => output.message(`commits are unknown: ${reason}`);
        surveyed.push(
          await checkProject(project, {
            ...resources,
            findWriters: hasProvenance ? await writerFinder(project, tracing, onTrouble) : undefined,
            signal: terminal.signal,
            similar: flags.similar,
            listsUnreadable: true,
            ...userDirectories(terminal.env),
            onKeys: lists ? onKeys : inPage,
          }),
        );
      }
      const reports = await withUnserved(surveyed, projects, context);
      const unwritten = await page?.finish(projects, reports);
      if (badge !== undefined) {
        await writeOutput(badge, badgeOf(reports));
        output.message(`badge written to ${output.shown(badge)}`);
      }
      const done = {
        ...projectsDocument(reports, output, { lists, hasProvenance }),
        ...passedOverDocument(projects),
      };
      if (output.json && !unwritten) output.document(done);
      if (!output.json)
        for (const report of reports) {
          if (hasProvenance && lists) printProvenance(report, lists, output);
          else printCoverage(report, output);
        }
      if (!output.json) for (const report of reports) printSimilar(report, output);
      return unwritten ? output.failure(unwritten, done) : exitCodeOf(reports);
    };
    return withProjectResources(
      flags,
      projects,
      context,
      (resourcesOf) => withReportPage(flags, 'status', projects, context, (page) => show(page, resourcesOf)),
      { isReading: true },
    );
  },
};

/** Adds the languages that no local engine supports, if there is anything to translate. */
async function withUnserved(
  reports: readonly SyncReport[],
  projects: readonly Project[],
  context: CommandContext,
): Promise<readonly SyncReport[]> {
  if (!reports.some(({ languages }) => languages.some(needsEngine))) return reports;
  try {
    const { chooseSyncEngine } = await import('../execution/sync-engine.ts');
    return await findUnserved(
      reports,
      await chooseSyncEngine({}, projects, context),
      context.terminal.signal,
    );
  } catch (error) {
    // Counts do not depend on the engine, so an invalid engine setting only prevents translation.
    if (!(error instanceof DragomanError) || error.code === 'interrupted') throw error;
    context.output.detail(describe(error));
    return reports;
  }
}

/** A badge only replaces another badge. */
const BADGE: ReplaceableKind = {
  name: 'badge',
  marker: '<!-- dragoman badge -->\n',
  example: '--badge translations.svg',
};

const LABEL = 'translations';
/** The width of a digit in Verdana, the usual font of badges, at 11 px. */
const CHARACTER_WIDTH = 7;
const PADDING = 6;

/** White text is readable on each of these colours (contrast 4.5:1 or more). */
const COLOURS = [
  { from: 100, colour: '#2e7d32' },
  { from: 80, colour: '#5a6f00' },
  { from: 50, colour: '#8a5a00' },
  { from: 0, colour: '#b3261e' },
] as const;
const NO_COLOUR = '#595959';

/** The share of translated keys as an image, which contains no text from files and loads no resources. */
function badgeOf(reports: readonly SyncReport[]): string {
  const languages = reports.flatMap((report) => report.languages);
  const coverage = sumCoverage(languages.map((language) => language.coverage));
  const unreadable = countUnreadable(languages.flatMap(({ files }) => files));
  const percent = percentDone(coverage, unreadable);
  const known = new Set(languages.map(({ locale }) => locale)).size;
  const readable = `${pluralize(coverage.keys, 'value')} in ${pluralize(known, 'language')}`;
  const broken = unreadable > 0 ? [pluralize(unreadable, 'unreadable file')] : [];
  const value = percent !== undefined ? percentText(percent) : unreadable > 0 ? 'unreadable' : 'none';
  const parts = percent === undefined ? [] : [`${value} of ${readable}`];
  const title = `${LABEL}: ${[...parts, ...broken].join(', ') || 'no keys'}`;
  const colour = percent === undefined ? NO_COLOUR : COLOURS.find(({ from }) => percent >= from)?.colour;
  const [left, right] = [widthOf(LABEL), widthOf(value)];
  const text = (at: number, width: number, content: string): string =>
    `<text x="${at + width / 2}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return `${BADGE.marker}<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<rect width="${left}" height="20" fill="#484848"/>
<rect x="${left}" width="${right}" height="20" fill="${colour}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${text(0, left, LABEL)}
${text(left, right, value)}
</g>
</svg>
`;
}

function widthOf(text: string): number {
  return text.length * CHARACTER_WIDTH + 2 * PADDING;
}
