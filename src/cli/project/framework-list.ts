import { findFramework, PLAIN } from '../../frameworks/registry.ts';
import type { Project } from '../../project/state/project.ts';
import { pluralize } from '../terminal/table.ts';

interface RecognizedFramework {
  readonly id: string;
  readonly title: string;
  /**
   * The file that identifies the framework, relative to the project's root. Undefined: the configuration, or the files
   * themselves.
   */
  readonly manifest: string | undefined;
  /** Source files. */
  readonly files: number;
}

/** The frameworks of a project, in file order. Omits documents without a generator. */
function recognizedFrameworks({ resources }: Project): readonly RecognizedFramework[] {
  const found = new Map<string, RecognizedFramework>();
  for (const { framework: id, manifest, format } of resources) {
    if (id === PLAIN.id && format.isProse === true) continue;
    const key = `${id} ${manifest ?? ''}`;
    const files = (found.get(key)?.files ?? 0) + 1;
    found.set(key, { id, title: findFramework(id).title, manifest, files });
  }
  return [...found.values()];
}

/** One line per framework, such as `i18next (package.json): 3 source files`. */
export function describeFrameworks(project: Project): readonly string[] {
  return recognizedFrameworks(project).flatMap(({ id, title, manifest, files }) => {
    const shown = manifest === undefined ? '' : ` (${manifest})`;
    return id === PLAIN.id ? [] : `${title}${shown}: ${pluralize(files, 'source file')}`;
  });
}

export function frameworksDocument(project: Project): readonly unknown[] {
  return recognizedFrameworks(project).map(({ id, manifest, files }) => ({
    framework: id,
    manifest: manifest ?? null,
    files,
  }));
}
