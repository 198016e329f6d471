import type { Command } from 'commander';
import { DragomanError } from '../base/errors.ts';
import type { TranslationAids } from '../pipeline/segments.ts';
import type { Project } from '../project/project.ts';
import type { CommandContext } from './command.ts';
import { addFormalityOption, formalityOf, type FormalityFlags } from './formality.ts';
import { addGlossaryOption, findGlossary, findProjectGlossary, type GlossaryFlags } from './glossary.ts';
import { SettingsFiles } from './service/settings-files.ts';

/** Flags of what makes translations better than an engine alone does. */
export interface AidFlags extends GlossaryFlags, FormalityFlags {}

export function addAidOptions(command: Command): void {
  addGlossaryOption(command);
  addFormalityOption(command);
}

/** What was opened for a command. Whoever opened it closes it. */
export interface OpenAids {
  readonly aids: TranslationAids;
  close(): Promise<void>;
}

/** Those that flags, environment and the configurations of the current directory choose. @throws DragomanError */
export async function openAids(flags: AidFlags, { terminal }: CommandContext): Promise<OpenAids> {
  const files = new SettingsFiles(terminal);
  const settings = (await files.project())?.configuration ?? (await files.user())?.configuration;
  const aids = {
    glossary: await findGlossary(flags, terminal, files),
    formality: formalityOf(flags, settings),
  };
  return { aids, close: () => Promise.resolve() };
}

/** The same for a project, by its own configuration. */
export async function openProjectAids(
  flags: AidFlags,
  project: Project,
  { terminal }: CommandContext,
): Promise<OpenAids> {
  const aids = {
    glossary: await findProjectGlossary(flags, terminal, project),
    formality: formalityOf(flags, project.configuration),
  };
  return { aids, close: () => Promise.resolve() };
}

/** Runs `work` with the aids of projects, each by its own configuration, and closes them, whatever happens. */
export async function withProjectAids<T>(
  flags: AidFlags,
  projects: readonly Project[],
  context: CommandContext,
  work: (aidsOf: (project: Project) => TranslationAids) => Promise<T>,
): Promise<T> {
  const opened = new Map<Project, OpenAids>();
  try {
    for (const project of projects) opened.set(project, await openProjectAids(flags, project, context));
    return await work((project) => opened.get(project)?.aids ?? {});
  } finally {
    for (const { close } of opened.values()) await close();
  }
}

/** Runs `work` with the aids of a command and closes them, whatever happens. */
export async function withAids<T>(
  flags: AidFlags,
  context: CommandContext,
  work: (aids: TranslationAids) => Promise<T>,
): Promise<T> {
  const opened = await openAids(flags, context);
  try {
    return await work(opened.aids);
  } finally {
    await opened.close();
  }
}

/**
 * A service that translates whole documents knows nothing of them: who asks for one by a flag shall not believe that
 * it was heard.
 *
 * @throws DragomanError `usage`
 */
export function refuseAids({ glossary, formality }: AidFlags, hint?: string): void {
  const flag = typeof glossary === 'string' ? '--glossary' : formality && '--formality';
  if (flag === undefined) return;
  throw new DragomanError('usage', `${flag} is for an engine: a service is sent whole texts here`, { hint });
}
