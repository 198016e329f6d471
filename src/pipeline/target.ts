import { DragomanError } from '../base/errors.ts';
import type { Document, Key } from '../formats/format.ts';
import { render } from '../formats/render.ts';
import { findMissing } from './missing-entries.ts';
import type { OpenFile } from './open-file.ts';
import { slotIds, type SlotId } from './pairing.ts';
import { restructure } from './restructure.ts';

export interface TargetLocale {
  /** Canonical: `pt-BR`. */
  readonly locale: string;
  /** As the project spells it: `pt_BR`. */
  readonly spelling: string;
}

/** The source as a file of the target language whose values are not translated yet. */
export function makeSkeleton(source: OpenFile, target: TargetLocale): Document {
  const edits = source.format.retarget(source.document, { ...target, role: 'new' });
  return restructure(source, source.document, edits, target.locale);
}

export interface TargetInput extends TargetLocale {
  readonly source: OpenFile;
  readonly skeleton: Document;
  /** The target's file as it is; undefined: it starts as the skeleton. */
  readonly existing: OpenFile | undefined;
  /** New values, by slot of the skeleton or of the existing file. */
  readonly values: ReadonlyMap<SlotId, string>;
  /** Keys of entries to remove from the existing file. */
  readonly remove?: readonly Key[];
}

export interface Target {
  readonly document: Document;
  readonly bytes: Uint8Array;
  /** Values that could not be written, and why. */
  readonly rejected: ReadonlyMap<SlotId, DragomanError>;
}

/**
 * Makes the target's file: an existing one is edited (its comments, order and formatting stay; missing entries come in
 * at their source position, only those with a value), a new one is the skeleton with the values filled in.
 *
 * @throws DragomanError `integrity` when a rendering does not read back: nothing may be written then.
 */
export function buildTarget(input: TargetInput): Target {
  const file = input.existing ?? input.source;
  const prepared = input.existing ? prepareExisting(input, input.existing) : input.skeleton;
  const indexes = new Map(slotIds(prepared).map((id, index) => [id, index]));
  const byIndex = new Map<number, string>();
  const rejected = new Map<SlotId, DragomanError>();
  for (const [id, value] of input.values) {
    const index = indexes.get(id);
    if (index === undefined)
      rejected.set(id, new DragomanError('integrity', 'the entry could not be inserted'));
    else byIndex.set(index, value);
  }
  // An unchanged source was scanned as what it is: reading it back as another language could find other slots.
  const locale = prepared === input.source.document ? file.scanOptions.locale : input.locale;
  const rendering = render(file.format, prepared, byIndex, { ...file.scanOptions, locale });
  const ids = [...indexes.keys()];
  for (const [index, error] of rendering.rejected) rejected.set(ids[index] ?? '', error);
  return { document: rendering.document, bytes: file.encode(rendering.document.text), rejected };
}

function prepareExisting(input: TargetInput, existing: OpenFile): Document {
  const { format } = existing;
  const { source, values, locale } = input;
  let document = completePlurals(input, existing);
  const missing = findMissing({ source, skeleton: input.skeleton, target: document, values, locale });
  if (missing.keys.length > 0) {
    const edits = format.insert(document, missing.skeleton, missing.keys);
    document = restructure(existing, document, edits, locale);
  }
  if (input.remove && input.remove.length > 0) {
    document = restructure(existing, document, format.remove(document, input.remove), locale);
  }
  return document;
}

/** The existing file with the plural forms that it lacks: those that are copies of another only where they get a value. */
function completePlurals({ locale, spelling, values }: TargetInput, existing: OpenFile): Document {
  const { format } = existing;
  const edits = format.retarget(existing.document, { locale, spelling, role: 'existing' });
  const document = restructure(existing, existing.document, edits, locale);
  const before = new Set(slotIds(existing.document));
  const ids = slotIds(document);
  const copies = document.slots.filter(({ value, plural }, i) => {
    const id = ids[i] ?? '';
    return plural !== undefined && value !== '' && !before.has(id) && !values.has(id);
  });
  if (copies.length === 0) return document;
  const removal = format.remove(
    document,
    copies.map(({ key }) => key),
  );
  return restructure(existing, document, removal, locale);
}
