import type { Edit } from '../../base/span.ts';
import type { Document, Entry, Key } from '../format.ts';
import { planInsertions } from '../entry-changes.ts';
import { countBreaks, indentAt, insertAt, insertBehind, lineEndOf, usualSeparator } from '../lines.ts';
import { entryKeys, type FluentTree } from './scan.ts';

export function insert(
  target: Document<FluentTree>,
  skeleton: Document<FluentTree>,
  missing: readonly Key[],
): readonly Edit[] {
  const { text } = target;
  const newline = lineEndOf(text === '' ? skeleton.text : text);
  const model = target.entries.length > 1 ? target : skeleton;
  const separator = usualSeparator(
    model.text,
    model.entries.map(({ span }) => span),
    newline,
  );
  const apart = isCompact(target) ? new Set<Entry>() : entriesApart(skeleton);
  const separatorOf = (entry: Entry): string => (apart.has(entry) ? newline + newline : separator);
  const wanted = [...entryKeys(missing), ...neededTerms(target, skeleton, missing)];
  const appended: string[] = [];
  const edits = planInsertions(target.entries, skeleton.entries, wanted).flatMap((placement): Edit[] => {
    const { entry } = placement;
    const body = skeleton.text.slice(entry.span.start, entry.span.end).replace(/\r?\n/g, newline);
    // An attribute gets its own line below the value and other attributes.
    const isAttribute = entry.key.length > 1;
    const gap = isAttribute
      ? newline + (indentAt(skeleton.text, entry.span.start) ?? '')
      : separatorOf(entry);
    if ('before' in placement) return [insertAt(placement.before.span.start, body + gap)];
    if ('after' in placement) return [insertBehind(text, placement.after.span.end, gap + body, newline)];
    if (!isAttribute) appended.push(appended.length === 0 ? body : separatorOf(entry) + body);
    return [];
  });
  if (appended.length === 0) return edits;
  // A comment directly above would become part of the message.
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? newline : newline + newline;
  return [...edits, insertAt(text.length, gap + appended.join('') + newline)];
}

/** Whether no entry has a blank line before it. */
function isCompact({ entries, text }: Document<FluentTree>): boolean {
  return (
    entries.length > 1 && !/\n[ \t]*\r?\n/.test(text.slice(entries[0]?.span.start, entries.at(-1)?.span.end))
  );
}

/** The entries after a blank line. */
function entriesApart({ entries, text }: Document<FluentTree>): ReadonlySet<Entry> {
  return new Set(
    entries.filter(({ span }, i) => {
      const before = entries[i - 1];
      return before && countBreaks(text, before.span.end, span.start) > 1;
    }),
  );
}

/** Terms that the inserted messages use and that the target lacks. */
function neededTerms(
  target: Document<FluentTree>,
  skeleton: Document<FluentTree>,
  missing: readonly Key[],
): readonly Key[] {
  const wanted = new Set(missing.map(([name]) => name));
  const known = new Set(target.entries.map(({ key }) => key[0]));
  const names = new Set<string>();
  for (const { key, span } of skeleton.entries) {
    if (!wanted.has(key[0])) continue;
    const body = skeleton.text.slice(span.start, span.end);
    for (const [, name = ''] of body.matchAll(/\{\s*(-[A-Za-z][\w-]*)/g))
      if (!known.has(name)) names.add(name);
  }
  return [...names].map((name) => [name]);
}
