import { join } from 'node:path';
import { typeAt } from '../../base/file-facts.ts';
import { followLinks } from '../../documents/markdown/links.ts';
import type { LinkTags } from '../../documents/markdown/links.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import type { LinkTo } from '../../formats/format.ts';
import { render } from '../../formats/render.ts';
import { PROSE_FORMATS } from '../../formats/registry.ts';
import type { Resource } from '../discover/resource.ts';
import { fingerprint } from '../state/fingerprint.ts';
import { lockKeys, type LockKey } from '../state/lock-key.ts';
import type { LockRecord } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import type { Records } from './plan.ts';

/** By source, the translations into a language that are there, or that a run is to write. */
export type Pages = ReadonlyMap<string, string>;

/** @returns undefined where links do not follow */
export function pagesOf(project: Project, locale: string): Pages | undefined {
  if (project.configuration.links !== true) return undefined;
  const { covers } = project;
  const selected = new Set(project.resources);
  const isThere = (resource: Resource): boolean =>
    (selected.has(resource) && project.targets.includes(locale) && covers?.(resource, locale) !== false) ||
    typeAt(join(project.root, resource.targetPath(locale))) !== undefined;
  return new Map(
    project.pages
      .filter((resource) => PROSE_FORMATS.has(resource.format) && isThere(resource))
      .map((resource) => [resource.source, resource.targetPath(locale)]),
  );
}

/** Where links lead in a translation. */
export function linksBetween(pages: Pages, source: string, target: string): LinkTo {
  return followLinks({ source, target, translationOf: (path) => pages.get(path) });
}

interface Linked {
  readonly existing: OpenFile;
  readonly records: Records;
}

/**
 * A translation in which the links of the texts that are as they were written lead where they lead now, with the records
 * that this makes of those texts. Texts that a person changed keep their links.
 */
export function linkTarget(existing: OpenFile, records: Records, tags: LinkTags): Linked {
  if (tags.isEmpty) return { existing, records };
  const { document, format, scanOptions } = existing;
  const keys = lockKeys(document);
  const values = new Map<number, string>();
  const changed = new Map<LockKey, readonly LockRecord[]>(records);
  for (const [i, { value }] of document.slots.entries()) {
    const key = keys[i] ?? '';
    const record = records.get(key)?.[0];
    if (!record || record.mark !== undefined || record.output !== fingerprint(value)) continue;
    const linked = tags.link(value);
    if (linked === value) continue;
    values.set(i, linked);
    changed.set(key, [{ ...record, output: fingerprint(linked) }]);
  }
  if (values.size === 0) return { existing, records };
  const rendering = render(format, document, values, scanOptions);
  if (rendering.text === document.text) return { existing, records };
  for (const i of rendering.rejected.keys()) {
    const key = keys[i] ?? '';
    changed.set(key, records.get(key) ?? []);
  }
  return { existing: { ...existing, document: rendering.document }, records: changed };
}
