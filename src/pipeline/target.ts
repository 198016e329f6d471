import { DragomanError } from '../base/errors.ts';
import { splice, type Edit } from '../base/span.ts';
import type { Document, Key } from '../formats/format.ts';
import { render } from '../formats/render.ts';
import type { OpenFile } from './open-file.ts';
import { slotIds, type SlotId } from './pairing.ts';

export interface TargetLocale {
  /** Canonical: `pt-BR`. */
  readonly locale: string;
  /** As the project spells it: `pt_BR`. */
  readonly spelling: string;
}

/** The source as a file of the target language whose values are not translated yet. */
export function makeSkeleton(source: OpenFile, target: TargetLocale): Document {
  return edited(
    source,
    source.document,
    source.format.retarget(source.document, { ...target, role: 'new' }),
    target,
  );
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
  let document = edited(
    existing,
    existing.document,
    format.retarget(existing.document, { locale: input.locale, spelling: input.spelling, role: 'existing' }),
    input,
  );
  const present = new Set(slotIds(document));
  const skeletonIds = slotIds(input.skeleton);
  const keys = (wanted: (id: SlotId) => boolean): Key[] =>
    input.skeleton.slots.filter((_, i) => wanted(skeletonIds[i] ?? '')).map((slot) => slot.key);
  const missing = keys((id) => !present.has(id) && input.values.has(id));
  if (missing.length > 0) {
    const valueless = keys((id) => !present.has(id) && !input.values.has(id));
    const skeleton = edited(input.source, input.skeleton, format.remove(input.skeleton, valueless), input);
    document = edited(existing, document, format.insert(document, skeleton, missing), input);
  }
  if (input.remove && input.remove.length > 0) {
    document = edited(existing, document, format.remove(document, input.remove), input);
  }
  return document;
}

/** Structure edits and the scan that proves them. */
function edited(file: OpenFile, document: Document, edits: readonly Edit[], target: TargetLocale): Document {
  if (edits.length === 0) return document;
  try {
    return file.format.scan(splice(document.text, edits), { ...file.scanOptions, locale: target.locale });
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError('integrity', `editing the entries would break the file: ${error.message}`, {
      at: { line: 1, column: 1, ...error.at, file: file.path },
      cause: error,
    });
  }
}
