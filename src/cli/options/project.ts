import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { describePassedOver } from '../../project/discover/passed-over.ts';
import { openProjects, type Project } from '../../project/state/project.ts';
import type { CommandContext } from '../output/command.ts';
import { addFormatCommandOption } from './format-programs.ts';
import { addLanguageOptions, type LanguageOptions, sourceOf, targetsOf } from './language.ts';
import type { Output } from '../output/output.ts';

/** Longer lists are only counted. */
const LISTED = 10;

/**
 * Adds `[PATH...]`, `-s` and `-t` to project commands. Missing values come from the configuration, the lock or the
 * layout.
 */
export function addProjectOptions(command: Command): void {
  command.argument('[path...]', 'directories or files of the project; default: all of it');
  addLanguageOptions(command);
  addFormatCommandOption(command);
}

/** The projects that the paths belong to. @throws DragomanError like `openProjects`, and `unsupported_language`. */
export function openSelected(
  args: readonly string[],
  options: LanguageOptions,
  { terminal: { cwd }, formats }: CommandContext,
): Promise<readonly Project[]> {
  const paths = args.map((path) => resolve(cwd, path));
  return openProjects(paths, { source: sourceOf(options), targets: targetsOf(options), cwd, formats });
}

/**
 * Like {@link openSelected}, for commands that compare or translate. Reports skipped directories.
 *
 * @throws DragomanError also `usage` if no target languages are found
 */
export async function openWithTargets(
  args: readonly string[],
  options: LanguageOptions,
  context: CommandContext,
): Promise<readonly Project[]> {
  const projects = await openSelected(args, options, context);
  requireTargetLanguages(projects);
  reportLeftAlone(projects, context);
  return projects;
}

/**
 * Like {@link openWithTargets}, for commands on one project.
 *
 * @param option the option that names the project if arguments do not
 * @throws DragomanError also `usage` for several projects
 */
export async function openOneWithTargets(
  args: readonly string[],
  options: LanguageOptions,
  context: CommandContext,
  option?: '--project',
): Promise<Project> {
  const projects = await openWithTargets(args, options, context);
  const [project, ...others] = projects;
  if (project && others.length === 0) return project;
  const roots = projects.slice(0, LISTED).map(({ root }) => root);
  throw new DragomanError('usage', 'this command works on one project, but several were given', {
    hint: `Name one of these${option === undefined ? '' : ` with ${option}`}: ${roots.join(', ')}.`,
  });
}

/** Like {@link openSelected}, and reports skipped directories. */
export async function openReported(
  args: readonly string[],
  options: LanguageOptions,
  context: CommandContext,
): Promise<readonly Project[]> {
  const projects = await openSelected(args, options, context);
  reportLeftAlone(projects, context);
  return projects;
}

/** Reports files and projects that are skipped. */
export function reportLeftAlone(projects: readonly Project[], context: CommandContext): void {
  reportNested(projects, context);
  reportRegions(projects, context);
  printPassedOver(projects, context.output);
}

/** Lists directories that are skipped because they are separate projects. */
export function reportNested(projects: readonly Project[], { output }: CommandContext): void {
  const opened = new Set(projects.map(({ root }) => root));
  for (const { root, nested } of projects) {
    const others = nested.filter((directory) => !opened.has(join(root, directory)));
    if (others.length === 0) continue;
    const more = others.length > LISTED ? ` and ${others.length - LISTED} more` : '';
    const names = others.slice(0, LISTED).join(', ');
    output.message(`skipped, because they are separate projects: ${names}${more}; name them to include them`);
  }
}

/** Reports languages without a region whose files are named with one, or should be. */
export function reportRegions(projects: readonly Project[], { output }: CommandContext): void {
  for (const { root, targets, impliedRegions } of projects)
    for (const { locale, region, path } of impliedRegions) {
      const file = output.shown(join(root, path));
      const isBoth = targets.includes(locale);
      output.message(
        region === undefined
          ? `programs may not find ${file}: the file names here contain a country, and the country for ${locale} is not known`
          : `${locale} ${isBoth ? 'also ' : ''}means ${region} here, the language of ${file}.${isBoth ? '' : ` To add ${locale} as well, list both under \`targets\` in the configuration.`}`,
      );
    }
}

export const NAME_TARGETS = 'Name some with --target es,fr, or as `targets` in the configuration.';

/**
 * Checks that a command that compares or translates has target languages.
 *
 * @throws DragomanError `usage` if none is known
 */
export function requireTargetLanguages(projects: readonly Project[]): void {
  const without = projects.find(({ targets }) => targets.length === 0);
  if (!without) return;
  const place = projects.length > 1 ? ` in ${without.root}` : '';
  throw new DragomanError('usage', `no target languages found${place}`, {
    hint: NAME_TARGETS,
  });
}

/** Reports skipped files that look like localization, on stderr with one line per kind. */
export function printPassedOver(projects: readonly Project[], output: Output): void {
  for (const { passedOver } of projects) {
    for (const kind of passedOver) {
      const line = describePassedOver(kind);
      // People excluded these themselves.
      if (kind.reason === 'excluded_by_site') output.detail(line);
      else output.message(line);
    }
  }
}

/** The same report for `--json`. */
export function passedOverDocument(projects: readonly Project[]): { readonly passed_over: unknown } {
  return {
    passed_over: projects.flatMap(({ root, passedOver }) =>
      passedOver.map(({ isAtLeast, ...kind }) => ({ root, ...kind, is_at_least: isAtLeast })),
    ),
  };
}
