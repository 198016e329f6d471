import type { Edit, Span } from '../../base/span.ts';
import { DragomanError } from '../../base/errors.ts';
import { DuplicateKeys, makeDocument } from '../document.ts';
import type {
  Document,
  DocumentWarning,
  Entry,
  ReviewMark,
  ScanOptions,
  Slot,
  TranslationState,
} from '../format.ts';
import { TextSlot, type TextWriter } from '../text-slot.ts';
import { stringEncoder, withOptionalEscapes, type StringEncoder } from '../json/encode.ts';
import { decodeString, type Node } from '../json/tree.ts';
import {
  isSourceLanguage,
  localeOf,
  memberOf,
  objectIn,
  indexOf,
  readStrings,
  substitutionsIn,
  textIn,
  textsOf,
  type CatalogIndex,
  type CatalogString,
  type CatalogText,
  type CatalogTree,
} from './catalog.ts';
import { indentAt, newlineOf } from '../lines.ts';
import { NEEDS_REVIEW, TRANSLATED, UNTRANSLATED } from './encode.ts';

/** Reads one language of a catalogue: the one in the options, otherwise its source language. */
export function scan(text: string, { locale: wanted, encodable }: ScanOptions = {}): Document<CatalogTree> {
  const index = indexOf(text);
  const writer = textWriter(index.text, stringEncoder(index.text, encodable));
  const keys = keyWriter(index.text);
  const slots: Slot[] = [];
  const locale = wanted ?? localeOf(index.sourceLanguage);
  const isSource = isSourceLanguage(index.sourceLanguage, locale);
  let spelling = isSource ? index.sourceLanguage : undefined;
  readStrings(index.text, (string) => {
    const localization = string.localization(locale);
    if (localization) {
      spelling ??= localization.name;
      for (const found of textsOf(localization, string.key))
        slots.push(new CatalogSlot(writer, found, string.comment, isSource));
    } else if (isSource && string.key.trim() !== '') slots.push(keySlot(keys, string));
  });
  return makeDocument(
    {
      // Shares one string among all languages; otherwise each would hold a copy of the file.
      text: index.text,
      slots,
      dialect: 'String Catalog',
      // Set even if the language has no text yet, because edits may add one.
      locale: spelling ?? locale,
      // Warnings concern the file, so only the source language reports them.
      warnings: isSource ? duplicatesIn : [],
    },
    treeReader(locale, index),
  );
}

/** A separate function, so that the closure it returns does not keep the scan's data alive, except the shared index. */
function treeReader(locale: string, index: CatalogIndex): () => CatalogTree {
  return () => {
    const entries: Entry[] = [];
    readStrings(index.text, (string, language) => {
      const own = isSourceLanguage(language, locale) ? string.node : undefined;
      const node = string.localization(locale) ?? own;
      if (node) entries.push({ key: [string.key], span: { start: node.nameStart, end: node.end } });
    });
    return { entries };
  };
}

function duplicatesIn(text: string): readonly DocumentWarning[] {
  const keys = new DuplicateKeys();
  readStrings(text, ({ key, name }) => keys.add([key], name.start));
  return keys.warnings;
}

/** The conversions of a localization's substitutions, by name. */
type Substitutions = ReadonlyMap<string, Substitution>;

function textWriter(text: string, encoder: StringEncoder): TextWriter<Substitutions> {
  return {
    text,
    write: (value, raw, substitutions) => {
      const old = decodeString(raw, 0, raw.length);
      // Without its substitutions, the translation would display their names.
      for (const name of substitutionsIn(value)) {
        if (substitutions.has(name) || old.includes(`#@${name}@`)) continue;
        throw new DragomanError('unencodable_value', `this localization has no substitution ${name}`, {
          hint: 'Remove the localization of the key: sync creates it again from the source language.',
        });
      }
      const isEscaped = raw.length - 2 !== old.length;
      return isEscaped ? withOptionalEscapes(encoder(value), raw) : encoder(value);
    },
  };
}

function keyWriter(text: string): TextWriter {
  return {
    text,
    write: (value, raw) => {
      if (value === decodeString(raw, 0, raw.length)) return raw;
      const message = 'the key is the text itself, by which the program looks it up';
      throw new DragomanError('unencodable_value', message);
    },
  };
}

class CatalogSlot extends TextSlot<Substitutions> {
  readonly state: TranslationState | undefined;
  /** A value in state `new` is untranslated, even if it contains text. */
  readonly provisional: boolean | undefined;
  readonly review: ReviewMark | undefined;
  readonly companions: readonly Edit[] | undefined;
  readonly #substitutions: Substitutions;
  readonly #text: string;
  /** The place of the state, or of the object that lacks one; undefined for an element of a set without a state. */
  readonly #state: Span | undefined;
  readonly #nameEnd: number;

  constructor(
    writer: TextWriter<Substitutions>,
    { key, value: span, plural, holders, state }: CatalogText,
    comment: string | undefined,
    isSource: boolean,
  ) {
    const { text } = writer;
    const substitutions = substitutionsOf(text, holders[0]);
    const value = decodeString(text, span.start, span.end);
    super(writer, { key, value, span, syntax: 'apple', comment, plural }, substitutions);
    this.#substitutions = substitutions;
    this.#text = text;
    const { nameStart, nameEnd } = span;
    this.#nameEnd = nameEnd;
    if (state) this.#state = { start: state.start, end: state.end };
    else if (nameStart < span.start) this.#state = { start: nameStart, end: nameStart };
    if (isSource) return;
    // Like all others, a value that needs review is translated but not approved.
    this.state = 'translated';
    if (!state) return;
    const name = decodeString(text, state.start, state.end);
    if (name === UNTRANSLATED) {
      this.state = 'initial';
      this.provisional = true;
    }
    if (name === NEEDS_REVIEW && value !== '') this.review = FOR_REVIEW;
    if (name !== TRANSLATED && this.#state)
      this.companions = [{ span: this.#state, text: JSON.stringify(TRANSLATED) }];
  }

  marking(): readonly Edit[] | undefined {
    const span = this.#state;
    if (this.state === undefined || !span) return undefined;
    const state = JSON.stringify(NEEDS_REVIEW);
    if (span.start < span.end) return [{ span, text: state }];
    const colon = this.#text.slice(this.#nameEnd, this.span.start);
    const indent = indentAt(this.#text, span.start);
    const gap = indent === undefined ? ' ' : newlineOf(this.#text) + indent;
    return [{ span, text: `"state"${colon}${state},${gap}` }];
  }

  get resolved(): string {
    if (this.#substitutions.size === 0) return this.value;
    const own = this.key.lastIndexOf('substitutions') + 1;
    const substitution = own > 1 ? this.#substitutions.get(this.key[own] ?? '') : undefined;
    return substitution ? nameOwn(this.value, substitution) : resolve(this.value, this.#substitutions);
  }
}

interface Substitution {
  /** `lld` */
  readonly specifier: string;
  /** The number of its argument, from 1. */
  readonly number: string | undefined;
  /** The text that is displayed for most numbers. */
  readonly shown: string | undefined;
}

const NONE: Substitutions = new Map();

function substitutionsOf(text: string, localization: Node | undefined): Substitutions {
  const node = localization && objectIn(localization, 'substitutions');
  if (!node) return NONE;
  return new Map(
    node.children.map((child) => {
      const number = memberOf(child, 'argNum');
      const specifier = textIn(text, child, 'formatSpecifier') ?? '@';
      const shown = textsOf(child, '').find(({ plural }) => plural?.category === 'other')?.value;
      return [
        child.name,
        {
          specifier,
          number: number && text.slice(number.start, number.end),
          shown: shown && decodeString(text, shown.start, shown.end),
        },
      ];
    }),
  );
}

/** A text of a substitution with `%arg` for its argument, regardless of its spelling: `%lld`, `%2$lld`. */
function nameOwn(value: string, { specifier, number }: Substitution): string {
  const own = new Set([`%${specifier}`, `%${number ?? '1'}$${specifier}`]);
  return value.replace(CONVERSION, (raw) => (own.has(raw) ? '%arg' : raw));
}

/** A conversion, or the name of a substitution. */
const CONVERSION =
  /%(?:%|(?:(\d{1,3})\$)?(?:#@([^@\s]{1,200})@|[-+ 0#']*[\d.*]*(?:hh?|ll?|[qLztj])?[A-Za-z@]))/g;

/**
 * A text with its substitutions expanded. Argument numbers are omitted if the order implies them, because one text must
 * not mix conversions with and without numbers.
 */
function resolve(value: string, substitutions: Substitutions): string {
  let order = 0;
  return value.replace(CONVERSION, (raw: string, written?: string, name?: string) => {
    if (raw === '%%') return raw;
    order++;
    const found = name === undefined ? undefined : substitutions.get(name);
    if (!found) return raw;
    const number = written ?? (found.number === String(order) ? undefined : found.number);
    const argument = `%${number === undefined ? '' : `${number}$`}${found.specifier}`;
    if (found.shown === undefined) return argument;
    return nameOwn(found.shown, found).replaceAll('%arg', () => argument);
  });
}

const FOR_REVIEW: ReviewMark = {};

/** A key that is also its text in the source language. */
function keySlot(writer: TextWriter, { key, name: span, comment }: CatalogString): Slot {
  return new TextSlot(writer, { key: [key], value: key, span, syntax: 'apple', comment }, undefined);
}
