import { DragomanError } from '../../base/errors.ts';
import { type Edit, positionAt } from '../../base/span.ts';
import type { Document, Entry, Key, LinkTo, ReviewCause, Slot } from '../../formats/format.ts';
import type { Syntax } from '../../text/syntax.ts';
import { EntriesByKey } from '../../formats/entry-changes.ts';
import { readPluralForms } from '../../formats/po/plural-expression.ts';
import { pluralFormsOf } from '../../formats/po/plural-forms.ts';
import { render } from '../../formats/render.ts';
import { EntryIndex } from './entry-index.ts';
import { insertMissing } from './insertion.ts';
import { removeMost, restructure, retargetDocument, translationOptions } from './restructure.ts';
import type { OpenFile } from './open-file.ts';
import { type SlotId, keyId, slotFinder, slotIds } from './pairing.ts';

export interface TargetLocale {
  /** The canonical code: `pt-BR`. */
  readonly locale: string;
  /** The code in the project's spelling: `pt_BR`. */
  readonly spelling: string;
  /** See `RetargetOptions`. */
  readonly linkTo?: LinkTo | undefined;
}

/**
 * The source as an untranslated file of the target language.
 *
 * @param existing the target's current file, whose plural forms the skeleton gets
 */
export function makeSkeleton(source: OpenFile, target: TargetLocale, existing?: Document): Document {
  const { locale, spelling, linkTo } = target;
  const origin = source.template ?? source.document;
  const forms = source.format.formsOf?.(locale);
  const skeletons = emptied.get(origin) ?? new Map<string, Document>();
  const from = (forms === undefined ? undefined : skeletons.get(forms)) ?? origin;
  const options = { locale, spelling, role: 'new', like: existing, linkTo } as const;
  const edits = (): readonly Edit[] => [
    ...source.format.retarget(from, options),
    ...translateRules(source, from, locale),
  ];
  const skeleton = retargetDocument(source, from, edits, locale);
  if (forms !== undefined && from === origin && !skeleton.pending && skeleton !== origin)
    emptied.set(origin, skeletons.set(forms, skeleton));
  return skeleton;
}

/**
 * Replaces plural rules by those of the language. A file with lists of forms keeps its own rule if the language's rule
 * has a different number of forms, because the lists would not match it.
 */
function translateRules(
  { format }: OpenFile,
  { pluralRules = [], slots }: Document,
  locale: string,
): readonly Edit[] {
  if (pluralRules.length === 0 || format.multilingual) return [];
  const rule = pluralFormsOf(locale);
  const hasLists = slots.some(({ key }) => /^\d+$/.test(key.at(-1) ?? ''));
  const formsIn = (value: string): number | undefined => readPluralForms(value)?.nplurals;
  return pluralRules
    .filter(({ value }) => !hasLists || formsIn(value) === formsIn(rule))
    .map((slot) => ({ span: slot.span, text: slot.encode(rule) }));
}

/**
 * Emptied sources by document and by the names of their plural forms. Files in languages with the same forms only
 * differ in the header.
 */
const emptied = new WeakMap<Document, Map<string, Document>>();

export interface TargetInput extends TargetLocale {
  readonly source: OpenFile;
  readonly skeleton: Document;
  /** The target's current file; undefined if the target has none yet. */
  readonly existing: OpenFile | undefined;
  /** New values in the skeleton's syntax, by its slots; by slots of the existing file for keys that only it has. */
  readonly values: ReadonlyMap<SlotId, string>;
  /** New values that need review. */
  readonly marked?: ReadonlyMap<SlotId, ReviewCause> | undefined;
  /** Keys of entries to remove from the existing file. */
  readonly remove?: readonly Key[];
  /** Texts of the existing file that have a different shape and are replaced, by slots that get a value. */
  readonly replaced?: ReadonlyMap<SlotId, readonly Key[]>;
  /** Converts a file to UTF-8 if its charset cannot represent the values and its format declares the charset (PO). */
  readonly toUtf8?: boolean | undefined;
}

export interface Target {
  /** The file as a document, scanned on first use. */
  readonly document: Document;
  readonly bytes: Uint8Array;
  /** Values that could not be written, and why. */
  readonly rejected: ReadonlyMap<SlotId, DragomanError>;
  /** Requested keys that were kept, because removing them would change other texts. */
  readonly standing: readonly Key[];
  /** The old charset, if the file was converted to UTF-8. */
  readonly convertedFrom?: string | undefined;
}

/**
 * Builds the target's file. An existing one is edited: it keeps its comments, order and formatting, and missing entries
 * with a value are inserted at their source position. A new one is the skeleton with its values.
 *
 * @throws DragomanError `integrity` if a rendering does not read back, `unencodable_value` if its bytes would not:
 * nothing may be written then
 */
export function buildTarget(input: TargetInput): Target {
  const file = input.existing ?? input.source;
  const {
    document: prepared,
    refused,
    carried,
    standing = [],
  }: PreparedTarget = input.existing
    ? prepareExisting(input, input.existing)
    : { document: input.skeleton, refused: new Map() };
  const ids = slotIds(prepared, input.skeleton);
  const rejected = new Map<SlotId, DragomanError>();
  if (prepared !== input.skeleton) {
    const find = slotFinder(prepared);
    const reasonFor = notInserted(input);
    for (const id of input.values.keys()) {
      if (find(id) !== undefined) continue;
      rejected.set(id, refused.get(id) ?? reasonFor(id));
    }
  }
  // An unchanged source keeps its language: scanning it as another language could find other slots.
  const options =
    prepared === input.source.document ? file.scanOptions : translationOptions(file, input.locale);
  // The values are collected first, because rendering reads each several times.
  const values = ids.map((id) => input.values.get(id) ?? carried?.get(id));
  const byIndex = { get: (index: number) => values[index] };
  const syntaxes = prepared.slots === input.skeleton.slots ? undefined : syntaxesOf(input.skeleton, ids);
  const marked = input.marked && { get: (index: number) => input.marked?.get(ids[index] ?? '') };
  const rendering = render(file.format, prepared, byIndex, { ...options, syntaxes, marked });
  for (const [index, error] of rendering.rejected) rejected.set(ids[index] ?? '', error);
  // A text must not be removed if it could not be restored.
  if (carried && [...carried.keys()].some((id) => rejected.has(id)))
    return buildTarget({ ...input, replaced: new Map() });
  const bytes = encodeAs(file, rendering.text);
  return {
    get document() {
      return rendering.document;
    },
    bytes,
    rejected,
    standing,
  };
}

/** Why an entry was not inserted: the file may have different content in its place, such as a computed text. */
function notInserted({ skeleton, existing }: TargetInput): (id: SlotId) => DragomanError {
  const findSlot = slotFinder(skeleton);
  const index = existing && new EntryIndex(existing.document);
  return (id) => {
    const { key = [] } = skeleton.slots[findSlot(id) ?? -1] ?? {};
    const found = index?.find(key);
    if (!existing || !index || !found || found.children)
      return new DragomanError(
        'integrity',
        'the entry could not be inserted: the surrounding entries differ from the source',
      );
    const { line, column } = positionAt(existing.document.text, found.span.start);
    const isText = index.holdsText(found);
    return new DragomanError(
      'integrity',
      isText
        ? `the file has another text in its place (${line}:${column})`
        : `the value in its place (${line}:${column}) cannot be translated and was kept`,
    );
  };
}

/** The syntax of values by slot of the target, taken from the skeleton. */
function syntaxesOf(skeleton: Document, ids: readonly SlotId[]): Pick<ReadonlyMap<number, Syntax>, 'get'> {
  const find = slotFinder(skeleton);
  const known = new Map<number, Syntax | undefined>();
  return {
    get: (index) => {
      if (!known.has(index)) known.set(index, skeleton.slots[find(ids[index] ?? '') ?? -1]?.syntax);
      return known.get(index);
    },
  };
}

interface PreparedTarget {
  readonly document: Document;
  /** Entries that cannot be inserted, and why, by slot. */
  readonly refused: ReadonlyMap<SlotId, DragomanError>;
  /** Values of the existing file that were removed with a text of a different shape and restored with the new entry. */
  readonly carried?: ReadonlyMap<SlotId, string> | undefined;
  readonly standing?: readonly Key[];
}

function prepareExisting(input: TargetInput, existing: OpenFile): PreparedTarget {
  const { skeleton, locale, remove = [] } = input;
  if (isFilledByAll(input, existing)) return { document: skeleton, refused: new Map() };
  const complete = completePlurals(input, existing);
  const followed = followSources(input, existing, complete);
  const refused = new Map<SlotId, DragomanError>();
  const insert = (values: TargetInput['values']): ReturnType<typeof insertReplacing> =>
    insertReplacing({ ...input, values }, existing, followed, refused);
  let { document, carried } = insert(input.values);
  const encodable = existing.scanOptions.encodable ?? (() => true);
  // Refuses entries only if they make the text unencodable; the text may already be unencodable because of broken
  // characters.
  if (document !== followed && !encodable(document.text) && encodable(followed.text)) {
    for (const id of findUnencodable(skeleton, followed, encodable))
      refused.set(id, unencodableEntry(existing));
    ({ document, carried } = insert(new Map([...input.values].filter(([id]) => !refused.has(id)))));
  }
  const removal = removeMost(existing, document, remove, locale);
  return { document: removal.document, refused, carried, standing: removal.standing };
}

/**
 * Inserts missing entries. Some formats (PO) can replace an entry of a different shape; in others, the obstacle is
 * removed first.
 */
function insertReplacing(
  { source, skeleton, values, locale, replaced = new Map<SlotId, readonly Key[]>() }: TargetInput,
  existing: OpenFile,
  target: Document,
  refused: Map<SlotId, DragomanError>,
): Pick<PreparedTarget, 'document' | 'carried'> {
  const keys = [...replaced].flatMap(([id, those]) => (values.has(id) ? those : []));
  const going = new Set(keys.map(keyId));
  const insert = (into: Document, wanted: TargetInput['values'], failed = refused): Document =>
    insertMissing({ source, skeleton, existing, target: into, wanted, locale, replaced: going }, failed);
  if (keys.length === 0) return { document: insert(target, values) };
  const tried = new Map<SlotId, DragomanError>();
  const document = insert(target, values, tried);
  const standing = new Set(slotIds(document));
  const inTheWay = keys.filter((key) => standing.has(keyId(key)));
  if (inTheWay.length === 0) {
    for (const [id, error] of tried) refused.set(id, error);
    return { document };
  }
  const freed = restructure(existing, target, () => existing.format.remove(target, inTheWay), locale);
  const left = new Set([...slotIds(freed), ...going]);
  const ids = slotIds(target);
  const carried = new Map(target.slots.map(({ value }, i) => [ids[i] ?? '', value] as const));
  for (const id of left) carried.delete(id);
  const known = new Set(slotIds(skeleton));
  // The entry has different content, which would be lost.
  if ([...carried.keys()].some((id) => !known.has(id))) return { document };
  return { document: insert(freed, new Map([...values, ...carried])), carried };
}

/**
 * Whether a multilingual file has no text in this language and now gets all of them. The skeleton, made from the same
 * text, then equals the file with the inserted entries.
 */
function isFilledByAll({ source, skeleton, values }: TargetInput, { format, document }: OpenFile): boolean {
  if (!format.multilingual || document.slots.length > 0 || document.text !== source.document.text)
    return false;
  return slotIds(skeleton).every((id) => values.has(id));
}

/** The existing file in which entries that get a value have the source text from which it was translated. */
function followSources(
  { skeleton, values, locale }: TargetInput,
  existing: OpenFile,
  target: Document,
): Document {
  const { format, scanOptions } = existing;
  if (!format.followSource) return target;
  const ids = slotIds(target, skeleton);
  const keys = target.slots.filter((_, i) => values.has(ids[i] ?? '')).map(({ key }) => key);
  return restructure(
    existing,
    target,
    () => format.followSource?.(target, skeleton, keys, scanOptions) ?? [],
    locale,
  );
}

/** The existing file with its missing plural forms. Copies of other forms are only added if they get a value. */
function completePlurals({ locale, spelling, values }: TargetInput, existing: OpenFile): Document {
  const { format } = existing;
  const edits = format.retarget(existing.document, { locale, spelling, role: 'existing' });
  const document = restructure(existing, existing.document, () => edits, locale);
  if (document === existing.document) return document;
  const before = new Set(slotIds(existing.document));
  const ids = slotIds(document);
  const copies = document.slots.filter(({ value, plural }, i) => {
    const id = ids[i] ?? '';
    return plural !== undefined && value !== '' && !before.has(id) && !values.has(id);
  });
  if (copies.length === 0) return document;
  const wanted = editsWithout(edits, copies);
  return restructure(existing, existing.document, () => wanted, locale);
}

/** Removes the edits that add these slots. Some formats cannot remove a form by its key. */
function editsWithout(edits: readonly Edit[], slots: readonly Slot[]): readonly Edit[] {
  let shift = 0;
  let next = 0;
  return edits
    .toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
    .filter(({ span, text }) => {
      const start = span.start + shift;
      shift += text.length - (span.end - span.start);
      const end = start + text.length;
      while ((slots[next]?.span.start ?? Infinity) < start) next++;
      return (slots[next]?.span.start ?? Infinity) >= end;
    });
}

/**
 * Slots of missing entries that the file's encoding cannot represent because of their keys, comments or attributes;
 * values are refused separately.
 */
function findUnencodable(
  skeleton: Document,
  target: Document,
  encodable: (text: string) => boolean,
): ReadonlySet<SlotId> {
  const ids = slotIds(skeleton);
  const found = new Set<SlotId>();
  let next = 0;
  for (const { span } of missingEntries(skeleton.entries, target.entries)) {
    while ((skeleton.slots[next]?.span.start ?? Infinity) < span.start) next++;
    const inside: SlotId[] = [];
    let at = span.start;
    let fits = true;
    for (; ; next++) {
      const slot = skeleton.slots[next];
      const end = slot && slot.span.start < span.end ? slot.span.start : span.end;
      fits &&= encodable(skeleton.text.slice(at, end));
      if (!slot || end === span.end) break;
      inside.push(ids[next] ?? '');
      at = slot.span.end;
    }
    if (!fits) for (const id of inside) found.add(id);
  }
  return found;
}

/** The topmost entries without a counterpart, in file order. */
function missingEntries(skeleton: readonly Entry[], target: readonly Entry[]): readonly Entry[] {
  const byKey = new EntriesByKey(target);
  return skeleton.flatMap((entry) => {
    const twin = byKey.next(entry.key);
    if (!twin) return [entry];
    return entry.children && twin.children ? missingEntries(entry.children, twin.children) : [];
  });
}

function unencodableEntry(file: OpenFile): DragomanError {
  return new DragomanError(
    'unencodable_value',
    `the file is in ${file.encoding.charset}, which cannot hold the entry's key or comments`,
    { hint: wayOut(file) },
  );
}

function wayOut({ format }: OpenFile): string {
  return format.toUtf8 ? 'Convert the file with --to-utf8.' : 'Convert the file to UTF-8.';
}

/**
 * Encodes a text in the file's encoding.
 *
 * @throws DragomanError `unencodable_value` if the bytes would not read back as the same text
 */
function encodeAs(file: OpenFile, text: string): Uint8Array {
  const encodable = file.scanOptions.encodable ?? (() => true);
  // Keeps a file's broken characters, which UTF-16 can have.
  if (!encodable(text) && encodable(file.document.text)) {
    throw new DragomanError(
      'unencodable_value',
      `the file is in ${file.encoding.charset}, which cannot hold the translation`,
      { hint: wayOut(file), at: { line: 1, column: 1, file: file.path } },
    );
  }
  return file.encode(text);
}
