import { DragomanError } from '../../base/errors.ts';
import { allEntries, type Mark, type YamlDocument } from './outline.ts';

/** Ten times what an upload can have: files that share a lot by aliases stay far below. */
const MAX_CHARACTERS = 100 * 1024 * 1024;

/**
 * Refuses a YAML file whose aliases stand for so much that programs which load it run out of memory. Aliases are never
 * expanded here; but nobody needs a translation of such a file, and it would be handed out to others.
 *
 * @throws DragomanError `limit_exceeded`
 */
export function requireBoundedAliases(document: YamlDocument): void {
  const { aliases, anchors, entries } = document.tree.outline;
  const ends = new Map([...allEntries(entries)].map(({ value }) => [value.start, value.end]));
  const sizes = new Map<string, number>();
  const open: { readonly id: string; readonly mark: Mark; readonly end: number; size: number }[] = [];
  let total = 0;
  const close = (until: number): void => {
    for (let last = open.at(-1); last && last.end <= until; last = open.at(-1)) {
      open.pop();
      sizes.set(last.id, last.end - last.mark.span.start + last.size);
    }
  };
  const marks = [...anchors.map((mark) => ({ mark, isAlias: false }))];
  marks.push(...aliases.map((mark) => ({ mark, isAlias: true })));
  for (const { mark, isAlias } of marks.sort((a, b) => a.mark.span.start - b.mark.span.start)) {
    close(mark.span.start);
    const id = `${mark.document} ${mark.name}`;
    if (!isAlias) {
      const end = ends.get(mark.span.start) ?? mark.span.end;
      open.push({ id, mark, end, size: 0 });
      continue;
    }
    const size = sizes.get(id) ?? 0;
    total += size;
    for (const around of open) around.size += size;
    if (total > MAX_CHARACTERS) {
      throw new DragomanError(
        'limit_exceeded',
        `the aliases of the file stand for more than ${MAX_CHARACTERS / 1024 / 1024} MB`,
      );
    }
  }
}
