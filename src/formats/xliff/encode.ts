import type { Edit, Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Key, Slot, TranslationState } from '../format.ts';
import { isSpace, normalizeLineEnds } from '../xml/characters.ts';
import { characterDataOf, contentOf, type ContentKind } from '../xml/content.ts';
import { encodeCdata, encodeText, type Encodable } from '../xml/encode.ts';
import { indentAt } from '../xml/layout.ts';
import { encodeSource, styleOf } from '../xml/reading.ts';
import { findAttribute, isEmptyTag, type XmlElement, type XmlFrame, type XmlTree } from '../xml/tree.ts';
import type { StatedTarget, XliffUnit } from './units.ts';

/** What the slots of a file share. */
export interface SlotContext {
  readonly frame: XmlFrame;
  readonly version: 1 | 2;
  readonly encodable: Encodable | undefined;
  /** Whether a translation of the file says its state; known when all of it is read. */
  hasStates: boolean;
}

/** The texts of a unit: both are XML source where the source has inline elements, else plain text. */
export interface UnitTexts {
  readonly kind: ContentKind;
  readonly source: string;
  /** Undefined: there is no target. */
  readonly value: string | undefined;
}

export function textsOf(tree: XmlTree, { source, target }: XliffUnit): UnitTexts {
  const { kind } = contentOf(tree, source);
  const isMarkup = kind === 'markup';
  return { kind, source: textOf(tree, source, isMarkup), value: target && textOf(tree, target, isMarkup) };
}

function textOf(tree: XmlTree, element: XmlElement, asMarkup: boolean): string {
  const { kind, span } = contentOf(tree, element);
  return asMarkup || kind === 'markup'
    ? normalizeLineEnds(tree.text.slice(element.openEnd, element.closeStart))
    : characterDataOf(tree, element, span);
}

/** Offsets instead of spans, and nothing of its own where units have nothing to say: a file has a slot for each unit. */
export class XliffSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly source: string;
  /** Known only when all values are. */
  syntax: Syntax = 'xliff';
  readonly state: TranslationState;
  readonly provisional: boolean | undefined;
  readonly comment: string | undefined;
  readonly #context: SlotContext;
  readonly #kind: ContentKind;
  readonly #start: number;
  readonly #end: number;
  /** The content that tells how a value is written. */
  readonly #modelStart: number;
  readonly #modelEnd: number;
  readonly #place: TargetPlace;
  /** The name that a new element gets. */
  readonly #name: string;
  /** A new target gets the indentation of its source. */
  readonly #sourceStart: number;
  readonly #stateEdits: StateEdits;

  constructor(
    tree: XmlTree,
    unit: XliffUnit,
    { kind, source, value }: UnitTexts,
    { state, isGuess }: StatedTarget,
    context: SlotContext,
  ) {
    const { target } = unit;
    const model = target && target.children.length > 0 ? target : unit.source;
    const ownKind = kind === 'markup' ? kind : contentOf(tree, model).kind;
    this.key = unit.key;
    this.value = value ?? '';
    this.source = source;
    this.state = state;
    this.provisional = isGuess || undefined;
    this.comment = unit.note;
    this.#context = context;
    this.#kind = ownKind === 'markup' && kind !== 'markup' ? 'text' : ownKind;
    this.#modelStart = model.openEnd;
    this.#modelEnd = model.closeStart;
    this.#place = !target ? 'absent' : isEmptyTag(target) ? 'closed' : 'open';
    const { start, end } = target ? placeOf(target) : { start: unit.source.end, end: unit.source.end };
    this.#start = start;
    this.#end = end;
    this.#name = target?.name ?? targetName(unit.source);
    this.#sourceStart = unit.source.start;
    this.#stateEdits = stateEditsOf(tree, unit);
  }

  get span(): Span {
    return { start: this.#start, end: this.#end };
  }

  /** What a translation of ours is: done, and not approved. A file that says no states gets none. */
  get companions(): readonly Edit[] | undefined {
    const { insertion, changes } = this.#stateEdits;
    const edits = insertion && this.#context.hasStates ? [insertion, ...changes] : changes;
    return edits.length > 0 ? edits : undefined;
  }

  encode(value: string): string {
    const { frame, version, hasStates } = this.#context;
    if (this.#place === 'open') return this.#encodeContent(value);
    if (value === '') return frame.text.slice(this.#start, this.#end);
    const content = `>${this.#encodeContent(value)}</${this.#name}>`;
    if (this.#place === 'closed') return content;
    const indent = indentAt(frame.text, this.#sourceStart);
    const separator = indent === undefined ? '' : frame.lineEnd + indent;
    const state = version === 1 && hasStates ? ' state="translated"' : '';
    return `${separator}<${this.#name}${state}${content}`;
  }

  #encodeContent(value: string): string {
    const { frame, encodable } = this.#context;
    const raw = frame.text.slice(this.#modelStart, this.#modelEnd);
    // The source has inline elements, so that a value without any is XML source too.
    if (this.#kind === 'markup') return encodeSource(value, raw, this.#context);
    const style = styleOf(frame, raw, encodable);
    return this.#kind === 'cdata' ? encodeCdata(value, style) : encodeText(value, style);
  }
}

function targetName(source: XmlElement): string {
  const colon = source.name.indexOf(':');
  return `${source.name.slice(0, colon + 1)}target`;
}

/** Where a translation stands: `<target/>` has its place in the tag. */
type TargetPlace = 'open' | 'closed' | 'absent';

function placeOf(target: XmlElement): Span {
  if (!isEmptyTag(target)) return { start: target.openEnd, end: target.closeStart };
  const last = target.attributes.at(-1);
  return { start: last ? last.end + 1 : target.start + 1 + target.name.length, end: target.end };
}

/** What makes a unit one with a translation of ours. */
interface StateEdits {
  /** Adds the state that is not there. */
  readonly insertion?: Edit;
  readonly changes: readonly Edit[];
}

const NO_EDITS: StateEdits = { changes: [] };

function stateEditsOf(tree: XmlTree, { element, target, stated }: XliffUnit): StateEdits {
  const approval = changeAttribute(tree, element, 'approved', (value) => (value === 'yes' ? 'no' : value));
  // What qualified the earlier state is not true of the new one.
  const qualifier =
    stated && removeAttribute(tree, stated, stated === target ? 'state-qualifier' : 'subState');
  if (!stated) return approval.length === 0 ? NO_EDITS : { changes: approval };
  const changes = [
    ...changeAttribute(tree, stated, 'state', () => 'translated'),
    ...(qualifier ?? []),
    ...approval,
  ];
  if (findAttribute(stated, 'state')) return { changes };
  const at = stated.start + 1 + stated.name.length;
  return { insertion: { span: { start: at, end: at }, text: ' state="translated"' }, changes };
}

/** @param change gets the value as written */
export function changeAttribute(
  tree: XmlTree,
  element: XmlElement,
  name: string,
  change: (value: string) => string,
): readonly Edit[] {
  const attribute = findAttribute(element, name);
  if (!attribute) return [];
  const { start, end } = attribute;
  const value = tree.text.slice(start, end);
  const text = change(value);
  return text === value ? [] : [{ span: { start, end }, text }];
}

/** Removes an attribute with the white space before it. */
export function removeAttribute({ text }: XmlTree, element: XmlElement, name: string): readonly Edit[] {
  const attribute = findAttribute(element, name);
  if (!attribute) return [];
  let start = text.lastIndexOf(name, attribute.start);
  while (isSpace(text.charCodeAt(start - 1))) start--;
  return [{ span: { start, end: attribute.end + 1 }, text: '' }];
}
