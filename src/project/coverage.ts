import { checkProject, type CheckOptions } from './sync.ts';
import type { Project } from './project.ts';
import type { Coverage } from './report.ts';

export interface LanguageCoverage extends Coverage {
  /** Canonical. */
  readonly locale: string;
}

/** How much of a project is translated, per language. Reads only. @throws DragomanError as checkProject, and the first file that cannot be read. */
export async function measureCoverage(
  project: Project,
  options: CheckOptions,
): Promise<readonly LanguageCoverage[]> {
  const { languages } = await checkProject(project, options);
  return languages.map(({ locale, coverage, files }) => {
    const unreadable = files.find((file) => file.error)?.error;
    if (unreadable) throw unreadable;
    return { locale, ...coverage };
  });
}
