import type { Finding } from '../../src/project/lint/finding.ts';
import { lintProject } from '../../src/project/lint/lint.ts';
import { openProjects } from '../../src/project/state/project.ts';
import { ProjectDirectory } from './project-directory.ts';

/** The findings of lint in a project of these files, with English as the source language. */
export async function findingsIn(files: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const { path } = new ProjectDirectory(files);
  const [project] = await openProjects([path], { source: 'en' });
  if (!project) throw new Error('no project');
  return lintProject(project, new AbortController().signal);
}
