import type { Document } from '../../src/formats/format.ts';
import { type BuiltInFormatId, describeFormat } from '../../src/formats/registry.ts';
import type { Entry, Reading } from '../../test/readers/reader.ts';
import { isXmlSource } from '../../src/text/syntax.ts';
import { xmlText } from '../../test/readers/xml.ts';
import { placeSlots, readerKey } from './places.ts';

/** A document as the program and the independent reader see it. */
export interface Both {
  readonly document: Document;
  readonly reading: Reading & { readonly entries: readonly Entry[] };
}

/** The values of slots that are XML source: the reader converts them to its notation. */
export function fragmentsOf(format: BuiltInFormatId, document: Document): readonly string[] {
  if (format === 'fluent') return document.slots.map(({ value }) => value);
  if (!isXml(format)) return [];
  return document.slots.filter(({ syntax }) => isXmlSource(syntax)).map(({ value }) => value);
}

/** Formats whose readers write texts as XML source. */
function isXml(format: BuiltInFormatId): boolean {
  return format === 'xml' || format === 'xliff' || format === 'qt';
}

/** Reports values and keys that the reader and the program see differently. */
export function compareOne(
  format: BuiltInFormatId,
  { document, reading }: Both,
  lastWins: boolean,
): readonly string[] {
  // Readers of running text only see its structure, so two versions are compared instead.
  if (describeFormat(format).isProse) return [];
  const { entryOf, problems } = placeSlots(format, document, reading.entries, lastWins);
  const found = [...problems];
  const values = notation(format, document, reading);
  for (const [index, entryIndex] of entryOf) {
    const entry = reading.entries[entryIndex];
    const slot = document.slots[index];
    if (!entry || !slot) continue;
    const value = values[index] ?? '';
    if (entry.value !== value) {
      found.push(
        `${slot.key.join(' › ')}: the reader reads ${quote(entry.value)}, the program ${quote(value)}`,
      );
    }
    const keyed = format !== 'xml' || document.dialect === 'Android';
    if (keyed && !endsWith(entry.key, readerKey(format, slot))) {
      found.push(`${slot.key.join(' › ')} has the key ${entry.key.join(' › ')} according to the reader`);
    }
  }
  return found;
}

/**
 * Reports differences between two versions of a file in the reader's view, other than new values of slots:
 * both must have the same entries in the same order, with equal values outside of slots.
 */
export function compareTwo(
  format: BuiltInFormatId,
  before: Both,
  after: Both,
  lastWins: boolean,
): readonly string[] {
  const found: string[] = [];
  const old = before.reading.entries;
  const now = after.reading.entries;
  if (old.length !== now.length) return [`the reader saw ${old.length} entries and sees ${now.length}`];
  const slots = new Set(
    describeFormat(format).isProse ? [] : placeSlots(format, before.document, old, lastWins).entryOf.values(),
  );
  for (const [index, entry] of old.entries()) {
    const other = now[index];
    if (!other) continue;
    if (entry.kind !== other.kind || JSON.stringify(entry.key) !== JSON.stringify(other.key)) {
      found.push(`${entry.key.join(' › ')} (${entry.kind}) is now ${other.key.join(' › ')} (${other.kind})`);
    } else if (!slots.has(index) && entry.value !== other.value) {
      found.push(`${entry.key.join(' › ')} is not a slot, but changed to ${quote(other.value)}`);
    }
  }
  return found;
}

/** The slots' values in the reader's notation. */
function notation(
  format: BuiltInFormatId,
  document: Document,
  { fragments }: Both['reading'] & { fragments?: readonly string[] },
): readonly string[] {
  if (format === 'fluent') return fragments ?? [];
  if (!isXml(format)) return document.slots.map(({ value }) => value);
  let next = 0;
  return document.slots.map(({ value, syntax }) =>
    isXmlSource(syntax) ? (fragments?.[next++] ?? '') : xmlText(value),
  );
}

/**
 * Readers also see the levels above the keys of slots: the number of a YAML document, the locale as Rails'
 * root key.
 */
function endsWith(key: readonly string[], end: readonly string[]): boolean {
  return plain(key.slice(key.length - end.length)) === plain(end);
}

/**
 * In a flow map such as `{?4: x}`, YAML 1.1 reads `?` as a key indicator, and YAML 1.2 as the first character
 * of the key.
 */
function plain(segments: readonly string[]): string {
  return JSON.stringify(segments.map((segment) => segment.replace(/^\?/, '')));
}

function quote(text: string): string {
  const quoted = JSON.stringify(text);
  return quoted.length > 120 ? `${quoted.slice(0, 117)}…"` : quoted;
}
