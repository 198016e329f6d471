import type { Junk, Message, Pattern } from '@fluent/syntax';
import type { Span } from '../../base/span.ts';
import { DuplicateKeys, makeDocument } from '../document.ts';
import type { Document, DocumentWarning, Entry, Key, Slot } from '../format.ts';
import { TextSlot, type TextWriter } from '../text-slot.ts';
import { encodeRun } from './encode.ts';
import {
  type FluentEntry,
  isEntry,
  shiftSpan,
  type ResourcePart,
  readParts,
  type PatternRun,
  spanOf,
  visitMessage,
  type ResourcePlace,
  selectIn,
} from './resource.ts';

export interface FluentTree {
  readonly entries: readonly Entry[];
  /** The entries before junk: without them the junk could become part of an earlier entry. */
  readonly fixed: ReadonlySet<Entry>;
}

class FluentSlot extends TextSlot<PatternRun> {
  readonly whole: Key | undefined;
  readonly resolved: string | undefined;

  /** @param shown the displayed texts of a pattern with selections */
  constructor(
    writer: TextWriter<PatternRun>,
    found: Pick<Slot, 'key' | 'comment' | 'plural'>,
    run: PatternRun,
    shown: ReadonlyMap<number, string> | undefined,
  ) {
    super(writer, { ...found, value: run.value, span: run.span }, run);
    if (!shown || shown.size === 0) return;
    this.whole = found.key.slice(0, attributeIn(found.key) === '' ? 1 : 2);
    // Text around a selection is displayed only with one of its variants.
    this.resolved = shown.get(run.span.start) ?? '';
  }
}

export function scan(text: string): Document<FluentTree> {
  const slots: Slot[] = [];
  const writer: TextWriter<PatternRun> = { text, write: (value, _raw, run) => encodeRun(text, run, value) };
  const keys = new DuplicateKeys();
  const junk: DocumentWarning[] = [];
  for (const part of readParts(text)) {
    for (const entry of part.body) if (entry.type === 'Junk') junk.push(warningOf(part, entry));
    for (const message of messagesIn(part)) {
      keys.add([message.id.name], shiftSpan(spanOf(message.id), part).start);
      const comment = message.comment?.content.trim() || undefined;
      const shown = shownIn(part, message);
      visitMessage(part, message, {
        run: (key, run, plural) =>
          void slots.push(new FluentSlot(writer, { key, comment, plural }, run, shown.get(attributeIn(key)))),
      });
    }
  }
  return makeDocument({ text, slots, dialect: 'Fluent', warnings: [...keys.warnings, ...junk] }, readTree);
}

function warningOf(part: ResourcePart, junk: Junk): DocumentWarning {
  const [annotation] = junk.annotations;
  const name = /^-?[A-Za-z][\w-]*/.exec(junk.content)?.[0];
  const reason = annotation
    ? annotation.message.replace(/^[A-Z](?![A-Z])/, (c) => c.toLowerCase())
    : 'no entry';
  return {
    rule: 'unreadable-entry',
    key: name === undefined ? undefined : [name],
    offset: shiftSpan(spanOf(annotation ?? junk), part).start,
    message: `programs skip the entry: ${reason}`,
  };
}

/** The displayed texts of patterns with selections, by attribute. */
function shownIn(
  part: ResourcePart,
  { value, attributes }: Message,
): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const shown = new Map<string, ReadonlyMap<number, string>>();
  if (value) shown.set('', shownTexts(part, value));
  for (const attribute of attributes) shown.set(`.${attribute.id.name}`, shownTexts(part, attribute.value));
  return shown;
}

/** The attribute of a key; empty for the value of the message. */
function attributeIn([, second = '']: Key): string {
  return second.startsWith('.') ? second : '';
}

/** Terms are names that are not translated, so they have no slots. */
function messagesIn({ body }: ResourcePart): readonly Message[] {
  return body.filter((entry) => entry.type === 'Message');
}

/** The entry key of a term, which differs from the keys of messages. */
function entryName({ type, id }: FluentEntry): string {
  return type === 'Term' ? `-${id.name}` : id.name;
}

function readTree(text: string): FluentTree {
  const fixed = new Set<Entry>();
  const entries: Entry[] = [];
  let above: Entry | undefined;
  for (const part of readParts(text)) {
    for (const message of part.body) {
      if (above && message.type === 'Junk') fixed.add(above);
      above = isEntry(message) ? entryOf(part, message) : undefined;
      if (above) entries.push(above);
    }
  }
  return { entries, fixed };
}

function entryOf(part: ResourcePart, message: FluentEntry): Entry {
  const name = entryName(message);
  const span = trimmed(part, spanOf(message));
  if (message.type === 'Term') return { key: [name], span };
  const children = message.attributes.map((attribute): Entry => ({
    key: [name, `.${attribute.id.name}`],
    span: trimmed(part, spanOf(attribute)),
  }));
  // The value cannot be added or removed separately if attributes follow it.
  const value = message.value && { key: [name, '='], span: trimmed(part, spanOf(message.value)) };
  return { key: [name], span, children: value ? [value, ...children] : children };
}

/** The span in the file, without trailing blanks. */
function trimmed(part: ResourcePart, { start, end }: Span): Span {
  while (end > start && /[ \r\n]/.test(part.text.charAt(end - 1))) end--;
  return shiftSpan({ start, end }, part);
}

/** The keys of the entries that hold these slots: messages and their attributes. */
export function entryKeys(keys: readonly Key[]): readonly Key[] {
  return keys.map((key) => key.slice(0, key[1]?.startsWith('.') === true ? 2 : 1));
}

/**
 * The texts that a pattern with selections displays, by the offset of the variant: the text around the selection, the
 * variant, and the default of other selections. Empty for a pattern without selections.
 */
function shownTexts(part: ResourcePlace, pattern: Pattern): ReadonlyMap<number, string> {
  const shown = new Map<number, string>();
  if (pattern.elements.some((element) => selectIn(element)))
    collect(part, pattern, { before: '', after: '' }, shown);
  return shown;
}

interface Around {
  readonly before: string;
  readonly after: string;
}

function collect(
  part: ResourcePlace,
  pattern: Pattern,
  { before, after }: Around,
  shown: Map<number, string>,
): void {
  const texts = pattern.elements.map((_, i) => defaultText(part, pattern, i));
  let hasSelection = false;
  pattern.elements.forEach((element, i) => {
    const select = selectIn(element);
    if (!select) return;
    hasSelection = true;
    const around = {
      before: before + texts.slice(0, i).join(''),
      after: texts.slice(i + 1).join('') + after,
    };
    for (const { value } of select.variants) collect(part, value, around, shown);
  });
  if (!hasSelection) shown.set(part.start + spanOf(pattern).start, before + texts.join('') + after);
}

/** An element as displayed when every selection takes its default. */
function defaultText(part: ResourcePlace, { elements }: Pattern, at: number): string {
  const element = elements[at];
  if (element?.type === 'TextElement') return element.value;
  const variants = selectIn(element)?.variants;
  const usual = variants?.find((variant) => variant.default)?.value;
  if (usual) return usual.elements.map((_, i) => defaultText(part, usual, i)).join('');
  return element ? part.text.slice(spanOf(element).start, spanOf(element).end) : '';
}
