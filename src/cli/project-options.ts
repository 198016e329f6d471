import { resolve } from 'node:path';
import type { Command } from 'commander';
import { DragomanError } from '../base/errors.ts';
import { openProjects, type Project } from '../project/state/project.ts';
import { addLanguageOptions, sourceOf, targetsOf, type LanguageOptions } from './language-options.ts';
import type { Terminal } from './terminal.ts';

/** `[PATH...]`, `-s` and `-t` of commands that work on projects; configuration, lock or layout say what is not given. */
export function addProjectOptions(command: Command): void {
  command.argument('[path...]', 'directories or files; default: this directory');
  addLanguageOptions(command);
}

/** The projects that the paths belong to. @throws DragomanError as `openProjects`, and `unsupported_language`. */
export function openSelected(
  args: readonly string[],
  options: LanguageOptions,
  { cwd }: Terminal,
): Promise<readonly Project[]> {
  const paths = (args.length > 0 ? args : ['.']).map((path) => resolve(cwd, path));
  return openProjects(paths, { source: sourceOf(options), targets: targetsOf(options) });
}

/** What compares or translates needs languages to do it for. @throws DragomanError `usage` where none is known. */
export function requireTargetLanguages(projects: readonly Project[]): void {
  const without = projects.find(({ targets }) => targets.length === 0);
  if (!without) return;
  const place = projects.length > 1 ? ` in ${without.root}` : '';
  throw new DragomanError('usage', `no target language is known${place}`, {
    hint: 'Name some with --target es,fr, or as `targets` in the configuration.',
  });
}
