import { splice, type Span } from '../../src/base/span.ts';
import { DragomanError } from '../../src/base/errors.ts';
import { openBytes, type OpenFile } from '../../src/documents/localization/open-file.ts';
import { keyId, slotIds, type SlotId } from '../../src/documents/localization/pairing.ts';
import { makeSkeleton, type Target, type TargetInput } from '../../src/documents/localization/target.ts';
import { buildWholePlurals } from '../../src/documents/localization/whole-plurals.ts';
import type { Document, Entry } from '../../src/formats/format.ts';
import { describeFormat, FORMAT_IDS, type KnownFormat, loadFormat } from '../../src/formats/registry.ts';
import { Caught, Defect } from '../../src/plugins/contract/promises.ts';
import { mutateOnce, randomValue } from '../../src/plugins/contract/mutation.ts';
import type { Random } from '../../src/plugins/contract/random.ts';
import type { Fuzzed } from './documents.ts';

/** Separates the source from the target in one text, so that a trial of two files is minimized like any other. */
const BETWEEN = '\u0000 into \u0000';

/**
 * The format, if its translations are inserted into an existing target file: running text gets the structure
 * of its source instead.
 */
export async function mergedFormat(fuzzed: Fuzzed): Promise<KnownFormat | undefined> {
  const id = FORMAT_IDS.find((one) => one === fuzzed);
  const description = id && describeFormat(id);
  return description === undefined || description.isProse ? undefined : loadFormat(description);
}

/** Makes sources, each with a target file that has fewer, more or other entries. Both are readable. */
export function pairMaker(format: KnownFormat, documents: readonly string[]): (random: Random) => string {
  const readable = documents.filter((text) => scanned(format, text));
  const change = (text: string, random: Random): string => {
    for (let left = random.below(12); left > 0; left--) {
      const changed = random.once(4) ? withLess(format, text, random) : mutateOnce(text, readable, random);
      if (scanned(format, changed)) text = changed;
    }
    return text;
  };
  return (random) => {
    const source = change(random.pick(readable) ?? '', random);
    return source + BETWEEN + change(random.once(3) ? (random.pick(readable) ?? '') : source, random);
  };
}

function scanned(format: KnownFormat, text: string): Document | undefined {
  try {
    return format.scan(text);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

function withLess(format: KnownFormat, text: string, random: Random): string {
  const document = scanned(format, text);
  if (!document) return text;
  const keys = document.slots.filter(() => random.once(2)).map(({ key }) => key);
  return splice(text, format.remove(document, keys));
}

/**
 * Inserts some texts of a source into a target file, as `sync` does, and reads the result: it must have these
 * texts, the other texts of the file and no more, and everything else in the file.
 */
export async function tryMerge(format: KnownFormat, text: string, random: Random): Promise<void> {
  const [from, into] = text.split(BETWEEN);
  if (from === undefined || into === undefined) return;
  const locale = random.pick(['fr', 'pl', 'ja', 'ar', 'pt-BR']);
  const [extension = ''] = format.extensions;
  const source = await openBytes(Buffer.from(from), `en.${extension}`, { format, locale: 'en' });
  const options = { format, locale, source: source.document };
  const open = (bytes: Uint8Array): Promise<OpenFile> => openBytes(bytes, `target.${extension}`, options);
  // A file with all languages is its own target.
  const existing = await open(Buffer.from(format.multilingual ? from : into));
  const target = { locale, spelling: locale };
  const skeleton = makeSkeleton(source, target, existing.document);
  const values = new Map<SlotId, string>();
  for (const one of slotIds(skeleton))
    if (!random.once(3)) values.set(one, random.once(2) ? `text ${values.size}` : randomValue(random));
  const built = builtOrCaught({ source, skeleton, existing, values, ...target });
  const { document } = await open(built.bytes).catch((error: unknown) => {
    throw error instanceof DragomanError ? new Defect(`the result does not open: ${error.message}`) : error;
  });
  requireValues(built, values, document);
  // In a different dialect, or if a message with forms is a table of texts, other strings are texts.
  const [before, after] = [existing.document, document];
  const isSame = after.dialect === before.dialect && skeleton.dialect === before.dialect;
  if (!isSame || pluralsIn(before).some((id) => !pluralsIn(after).includes(id))) return;
  requireTexts({ values, skeleton, before, after });
  requireKept(existing, after, { values, skeleton, locale });
  for (const [one, { code, message }] of built.rejected)
    if (code === 'integrity' && message.includes('read back'))
      throw new Caught(`writes ${JSON.stringify(values.get(one))}, and ${message}`);
}

function builtOrCaught(input: TargetInput): Target {
  try {
    return buildWholePlurals(input);
  } catch (error) {
    // The program noticed, and kept the file.
    if (error instanceof DragomanError && error.code === 'integrity') throw new Caught(error.message);
    throw error;
  }
}

function pluralsIn({ slots }: Document): readonly string[] {
  return slots.flatMap(({ plural }) => (plural ? [keyId(plural.group)] : []));
}

interface Merge {
  readonly values: ReadonlyMap<SlotId, string>;
  readonly skeleton: Document;
  readonly before: Document;
  readonly after: Document;
}

function requireValues(built: Target, values: ReadonlyMap<SlotId, string>, after: Document): void {
  const has = textsById(after);
  for (const [id, value] of values) {
    if (built.rejected.has(id)) continue;
    const read = has.get(id);
    if (read !== value)
      throw new Defect(
        `${JSON.stringify(id)} should be ${JSON.stringify(value)}, but is ${JSON.stringify(read)}`,
      );
  }
}

function requireTexts({ values, skeleton, before, after }: Merge): void {
  const had = textsById(before);
  const brought = broughtWith(skeleton, new Set(values.keys()));
  const plurals = new Set(pluralsIn(before));
  const ids = slotIds(after);
  for (const [i, { value, plural }] of after.slots.entries()) {
    const id = ids[i] ?? '';
    // Forms that the target lacks may be copies of existing forms.
    const isOwn = had.has(id) || (plural !== undefined && plurals.has(keyId(plural.group)));
    if (value !== '' && !isOwn && !brought.has(id)) throw new Defect(`brings ${JSON.stringify(id)}`);
  }
}

/**
 * The texts inserted together with a text: an entry without nested entries is inserted as a whole, and so are
 * all entries of one key.
 */
function broughtWith(document: Document, wanted: ReadonlySet<SlotId>): ReadonlySet<SlotId> {
  const ids = slotIds(document);
  const brought = new Set(wanted);
  const visit = (all: readonly Entry[]): void => {
    for (const { span, key, children = [] } of all) {
      visit(children);
      const inside = document.slots.flatMap((slot, i) => {
        const isInside = slot.span.start >= span.start && slot.span.end <= span.end;
        return keyId(slot.key) === keyId(key) || (isInside && children.length === 0) ? [ids[i] ?? ''] : [];
      });
      if (inside.some((id) => wanted.has(id))) for (const id of inside) brought.add(id);
    }
  };
  visit(document.entries);
  return brought;
}

function textsById(document: Document): ReadonlyMap<SlotId, string> {
  const ids = slotIds(document);
  return new Map(document.slots.map(({ value }, i) => [ids[i] ?? '', value]));
}

/** The other texts must stay unchanged, and everything outside of them must be in the result in the same order. */
function requireKept(
  { format, document, scanOptions }: OpenFile,
  after: Document,
  { values, skeleton, locale }: Pick<Merge, 'values' | 'skeleton'> & { readonly locale: string },
): void {
  // Added forms may come first, and the mark of an unfinished message is removed with them.
  if (format.retarget(document, { locale, spelling: locale, role: 'existing' }).length > 0) return;
  const has = textsById(after);
  for (const [id, value] of textsById(document)) {
    const read = values.has(id) ? value : has.get(id);
    // A string may no longer be a text: the comparison of bytes below still finds it.
    if (read !== undefined && read !== value)
      throw new Defect(
        `${JSON.stringify(id)} was ${JSON.stringify(value)}, and is now ${JSON.stringify(read)}`,
      );
  }
  const ids = slotIds(document);
  // A message that became a plural, or stopped being one, counts as a different message.
  const shapes = new Map(skeleton.slots.map(({ key, plural }) => [keyId(plural?.group ?? key), !plural]));
  const replaced = document.slots.filter(
    ({ key, plural }, i) =>
      values.has(ids[i] ?? '') || shapes.get(keyId(plural?.group ?? key)) === Boolean(plural),
  );
  const keys = replaced.map(({ key }) => key);
  const edits = [
    ...(format.followSource?.(document, skeleton, keys, scanOptions) ?? []),
    ...replaced.flatMap(({ companions }) => companions ?? []),
  ];
  const loose = [...replaced, ...edits].map(({ span }) => span);
  const kept = without(document.text, loose).replace(REPLACEABLE[format.id] ?? /(?!)/, '');
  const lost = firstLost(kept, after.text);
  if (lost !== undefined) throw new Defect(`loses ${JSON.stringify(lost)}`);
}

/** `null` is a place for a text. */
const NULL = /\bnull\b/gi;

/** A part that is not a text and may be replaced by an insertion. */
const REPLACEABLE: Readonly<Record<string, RegExp>> = {
  // An obsolete entry with its comments, even after a text on the same line, if its message exists again.
  po: /(?:(?:^[ \t]*|(?<="[ \t]*))#[^\n]*\n)*^[ \t]*#~[^\n]*$/gm,
  // The header of a block that is no longer last, and an empty value that gets entries or a text.
  yaml: /[>|][-+\d]*(?=\s*$)|~|\bnull\b/gim,
  json: NULL,
  json5: NULL,
  module: NULL,
  php: NULL,
};

function without(text: string, spans: readonly Span[]): string {
  let at = 0;
  let rest = '';
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start > at) rest += text.slice(at, start);
    at = Math.max(at, end);
  }
  return rest + text.slice(at);
}

/**
 * The first part of a text that `all` lacks after the parts before it; undefined if there is none. White space may be
 * removed next to an insertion.
 */
function firstLost(text: string, all: string): string | undefined {
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (/\s/.test(character)) continue;
    const found = all.indexOf(character, from);
    if (found < 0) return text.slice(at, at + 40);
    from = found + 1;
  }
  return undefined;
}
