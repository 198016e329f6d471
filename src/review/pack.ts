import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import type { ContextFinder } from '../project/review/context-finder.ts';
import type { Screenshots } from '../project/review/screenshots.ts';
import type { TextForm, TextRow } from '../project/review/row.ts';
import type { Project } from '../project/state/project.ts';
import type { BranchRule } from '../text/choice.ts';
import { inertJson } from './document.ts';
import type { BranchTable, RowForm, Pack, PackedPicture, PackFile, Row, RowContext } from './protocol.ts';

/** The files, to which rows refer by index. */
export function packFiles({ resources }: Project): readonly PackFile[] {
  return resources.map(({ source, format, framework }) => ({ path: source, format: format.id, framework }));
}

/** @param file the index in the pack's files */
export function packRow(text: TextRow, file: number): Row {
  const { format: _, name: key, forms, ...row } = text;
  return { ...row, file, key, forms: forms.map((form) => packForm(form, row.locale)) };
}

/**
 * The contexts of rows by id. If there are too many, later rows have none.
 *
 * @param limit total bytes as JSON in a page
 * @throws DragomanError `interrupted`
 */
export async function packContexts(
  rows: readonly TextRow[],
  finder: ContextFinder,
  { limit, signal }: PackBounds,
): Promise<Readonly<Record<string, RowContext>>> {
  const contexts: Record<string, RowContext> = {};
  let left = limit;
  for (const row of rows) finder.expect(row);
  await finder.searchExpected();
  for (const row of rows) {
    throwIfAborted(signal);
    const context = await finder.find(row);
    if (Object.keys(context).length === 0) continue;
    left -= Buffer.byteLength(inertJson({ [row.id]: context }));
    if (left < 0) break;
    contexts[row.id] = context;
  }
  return contexts;
}

interface PackBounds {
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * The pictures that contexts name, without duplicates.
 *
 * @param limit total bytes as base64
 * @throws DragomanError `limit_exceeded`, `interrupted`
 */
export async function packScreenshots(
  contexts: Readonly<Record<string, RowContext>>,
  screenshots: Screenshots,
  { limit, signal }: PackBounds,
): Promise<NonNullable<Pack['screenshots']>> {
  const packed: Record<string, PackedPicture> = {};
  const names = new Set(Object.values(contexts).flatMap((context) => context.screenshots ?? []));
  let left = limit;
  for (const name of names) {
    throwIfAborted(signal);
    const picture = await screenshots.read(name);
    if (!picture) continue;
    const base64 = Buffer.from(picture.bytes).toString('base64');
    left -= base64.length;
    if (left < 0)
      throw new DragomanError('limit_exceeded', `the ${names.size} screenshots make the page too large`, {
        hint: 'Choose fewer texts with --target, --state, --in or --since, or leave out --with screenshots.',
      });
    packed[name] = { type: picture.type, base64 };
  }
  return packed;
}

function packForm({ rule, ...form }: TextForm, locale: string): RowForm {
  // Added only if needed, because most texts have no branches and a table is long.
  return rule && form.source.includes('|') ? { ...form, branches: tableOf(rule, locale) } : form;
}

const MOST_BRANCHES = 6;

function tableOf(rule: BranchRule, locale: string): BranchTable {
  const counts = Array.from({ length: MOST_BRANCHES }, (_, i) => i + 1);
  return [rule(locale) ?? null, ...counts.map((count) => rule(locale, count) ?? null)];
}
