import { describe, DragomanError } from '../../src/base/errors.ts';
import { type Edit, splice } from '../../src/base/span.ts';
import type { Engine } from '../../src/engines/engine.ts';
import type { Document } from '../../src/formats/format.ts';
import { render } from '../../src/formats/render.ts';
import { parseLocale } from '../../src/languages/locale.ts';
import { openBytes, type OpenFile } from '../../src/documents/localization/open-file.ts';
import { pairWith, slotIds } from '../../src/documents/localization/pairing.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import { createEncodableEngine } from './encodable-engine.ts';
import { differingBytes, type Outside } from './outside.ts';
import { translateUnits } from '../../src/pipeline/units.ts';

/** A result of the program for the readers to examine. */
export interface Version {
  readonly bytes: Uint8Array;
  readonly document: Document;
}

export interface Translated extends Version {
  readonly changed: number;
  readonly kept: number;
  /** Why values were kept, with their keys. */
  readonly failures: readonly string[];
  readonly problems: readonly string[];
}

export type Examination =
  | { readonly refused: string }
  | {
      readonly file: OpenFile;
      readonly identical: boolean;
      /** Translated in place, with the file's own language as the target. */
      readonly pseudo: Translated & { readonly outside: Outside };
      /** Translated into a new file. */
      readonly i18n: Translated;
    };

/** Defects that must never happen with a correct engine; other failures belong to the file or the encoding. */
const EXCUSED = new Set(['malformed-source', 'unencodable']);

/** Runs all checks on a file, except those that need an independent reader. */
export async function examine(path: string, bytes: Uint8Array): Promise<Examination> {
  let file: OpenFile;
  try {
    file = await openBytes(bytes, path);
  } catch (error) {
    if (error instanceof DragomanError) return { refused: describe(error) };
    throw error;
  }
  const engine = createEncodableEngine(file);
  return {
    file,
    identical: isIdentical(file, bytes),
    pseudo: await translateInPlace(file, path, engine),
    i18n: await translateAnew(file, engine),
  };
}

function isIdentical(file: OpenFile, bytes: Uint8Array): boolean {
  const { document, format, scanOptions } = file;
  // Writing a marked value removes its mark, which is a change.
  const settled = [...document.slots.entries()].filter(([, slot]) => !slot.provisional && !slot.review);
  const values = new Map(settled.map(([index, { value }]) => [index, value]));
  const { document: rendered } = render(format, document, values, scanOptions);
  return Buffer.from(file.encode(rendered.text)).equals(bytes);
}

async function translateInPlace(
  file: OpenFile,
  path: string,
  engine: Engine,
): Promise<Translated & { readonly outside: Outside }> {
  const { document, format, scanOptions } = file;
  const locale = ownLocale(document, path);
  const sourceOf = pairWith(document, { locale });
  const ids = slotIds(document);
  const units = document.slots.map((slot, index) => {
    const from = sourceOf(slot, ids[index] ?? '');
    return { value: from?.text ?? slot.value, syntax: slot.syntax, forms: from?.forms };
  });
  const context = { engine, source: locale, target: locale, signal: AbortSignal.timeout(60_000) };
  const outcomes = await translateUnits(units, context);
  const values = new Map<number, string>();
  const failures: string[] = [];
  const problems: string[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const key = document.slots[index]?.key.join(' › ') ?? '';
    if ('value' in outcome) values.set(index, outcome.value);
    else (EXCUSED.has(outcome.kind) ? failures : problems).push(`${key}: ${outcome.failure}`);
  }
  const { document: rendered, rejected } = render(format, document, values, scanOptions);
  for (const [index, { code, message }] of rejected) {
    const key = document.slots[index]?.key.join(' › ') ?? '';
    (code === 'unencodable_value' ? failures : problems).push(`${key}: ${message}`);
    values.delete(index);
  }
  const outside = outsideOf(document, rendered, values);
  if (outside.changed > 0) problems.push(`${outside.changed} bytes outside of the slots changed`);
  const changed = [...values].filter(([index, value]) => document.slots[index]?.value !== value).length;
  const kept = document.slots.length - changed;
  return {
    bytes: file.encode(rendered.text),
    document: rendered,
    outside,
    changed,
    kept,
    failures,
    problems,
  };
}

/** The differences between the two texts outside the written slots and the accompanying edits. */
function outsideOf(before: Document, after: Document, values: ReadonlyMap<number, string>): Outside {
  // The forms of a message share their companion edits.
  const companions = new Map<string, Edit>();
  for (const [index, value] of values) {
    const slot = before.slots[index];
    if (!slot || !(slot.provisional || slot.review || slot.value !== value)) continue;
    for (const edit of slot.companions ?? [])
      companions.set(`${edit.span.start}-${edit.span.end} ${edit.text}`, edit);
  }
  const edits = before.slots.flatMap((slot, index) => {
    const written = after.slots[index];
    if (!written) return [];
    // Content inserted with a new element belongs to it.
    const isNew = slot.span.start === slot.span.end && slot.value === '' && slot.source !== undefined;
    const text = isNew ? slot.encode(written.value) : after.text.slice(written.span.start, written.span.end);
    return [{ span: slot.span, text }];
  });
  const inside = before.slots.map(({ span }) => before.text.slice(span.start, span.end)).join('');
  return {
    bytes: Buffer.byteLength(before.text) - Buffer.byteLength(inside),
    changed: differingBytes(splice(before.text, [...edits, ...companions.values()]), after.text),
  };
}

function isExcused({ reason }: { readonly reason: string }): boolean {
  return /malformed|cannot|no such characters/.test(reason);
}

const TARGET = { locale: 'es', spelling: 'es' };

async function translateAnew(file: OpenFile, engine: Engine): Promise<Translated> {
  const context = { engine, source: 'en', signal: AbortSignal.timeout(60_000) };
  try {
    const { bytes, translated, failed } = await translateFile(file, TARGET, context);
    const { document } = await openBytes(bytes, file.path, { format: file.format, locale: TARGET.locale });
    const reasons = failed.map(({ key, reason }) => ({ key: key.join(' › '), reason }));
    return {
      bytes,
      document,
      changed: translated,
      kept: document.slots.length - translated,
      failures: reasons.filter(isExcused).map(({ key, reason }) => `${key}: ${reason}`),
      problems: [
        ...reasons.filter((failure) => !isExcused(failure)).map(({ key, reason }) => `${key}: ${reason}`),
        ...(file.format.id === 'xml' ? wrongCategories(document) : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { document } = file;
    const problems = [describe(error)];
    return { bytes: file.encode(document.text), document, changed: 0, kept: 0, failures: [], problems };
  }
}

/** Plurals whose categories differ from those of the target language; Apple's may have `zero` in every language. */
function wrongCategories({ slots, dialect }: Document): readonly string[] {
  const wanted = new Intl.PluralRules(TARGET.locale).resolvedOptions().pluralCategories.toSorted().join(' ');
  const groups = new Map<string, string[]>();
  for (const { plural } of slots) {
    if (plural && !(dialect === 'stringsdict' && plural.category === 'zero'))
      groups.set(plural.group.join(' › '), [
        ...(groups.get(plural.group.join(' › ')) ?? []),
        plural.category,
      ]);
  }
  return [...groups]
    .filter(([, categories]) => categories.toSorted().join(' ') !== wanted)
    .map(
      ([group, categories]) =>
        `${group} has the plural forms ${categories.join(' ')}, ${TARGET.locale} has ${wanted}`,
    );
}

/** The language that the file declares, or that its name contains; otherwise English. */
function ownLocale(document: Document, path: string): string {
  const named = document.locale === undefined ? undefined : parseLocale(document.locale);
  if (named !== undefined) return named;
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  for (const part of stem.split(/[.-]|_(?=[a-z]{2}(?:[_.]|$))/)) {
    const locale = /^[a-z]{2}(?:_[A-Z]{2})?$/.test(part) ? parseLocale(part) : undefined;
    if (locale !== undefined) return locale;
  }
  return 'en';
}
