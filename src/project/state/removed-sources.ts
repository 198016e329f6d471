import { join } from 'node:path';
import { typeAt } from '../../base/file-facts.ts';
import { sourceFiles, type Resource } from '../discover/resource.ts';
import type { Lock } from './lock.ts';
import { isObsolete, type Project } from './project.ts';

/** A translation whose source is gone. Paths are relative to the project's root. */
export interface RemovedSource {
  readonly source: string;
  readonly locale: string;
  readonly target: string;
  /** A file with the same layout, which shows how to read the translation. */
  readonly like: Resource;
}

/** The translations whose recorded sources are gone, if another file shows the layout. */
export function findRemovedSources(project: Project, lock: Lock): readonly RemovedSource[] {
  const found: RemovedSource[] = [];
  let taken: ReadonlySet<string> | undefined;
  for (const source of lock.files()) {
    if (!isObsolete(project, source) || typeAt(join(project.root, source)) !== undefined) continue;
    taken ??= new Set(
      project.pages.flatMap((resource) => [...sourceFiles(resource), ...resource.existing.values()]),
    );
    for (const locale of lock.localesOf(source)) {
      const one = translationOf(project, source, locale, taken);
      if (one) found.push({ source, locale, ...one });
    }
  }
  return found;
}

function translationOf(
  { pages, root }: Project,
  source: string,
  locale: string,
  taken: ReadonlySet<string>,
): Pick<RemovedSource, 'target' | 'like'> | undefined {
  for (const like of pages) {
    const target = counterpart(source, like.source, like.targetPath(locale));
    if (target !== undefined && !taken.has(target) && typeAt(join(root, target)) === 'file')
      return { target, like };
  }
  return undefined;
}

/**
 * The path that corresponds to `path` as the target does to the source: `locales/en/b.json` and `locales/de/b.json`.
 */
function counterpart(path: string, source: string, target: string): string | undefined {
  const extension = /\.[^./]*$/.exec(source)?.[0] ?? '';
  if (source === target || path === source || !path.endsWith(extension)) return undefined;
  let start = 0;
  while (start < source.length && source[start] === target[start]) start++;
  let end = 0;
  const most = Math.min(source.length, target.length) - start;
  while (end < most && source.at(-1 - end) === target.at(-1 - end)) end++;
  const [before, own, other, behind] = [
    source.slice(0, start),
    source.slice(start, source.length - end),
    target.slice(start, target.length - end),
    source.slice(source.length - end),
  ];
  // The file name comes after the language, or before it.
  if (behind.includes('/'))
    return path.startsWith(before + own) ? before + other + path.slice(start + own.length) : undefined;
  return path.endsWith(own + behind)
    ? path.slice(0, path.length - own.length - end) + other + behind
    : undefined;
}
