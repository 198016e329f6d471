import type { Edit, Span } from '../../base/span.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Key, ReviewCause, ReviewMark, Slot, TranslationState } from '../format.ts';
import { indentAt } from '../lines.ts';
import { contentOf, textOf, type ContentKind } from '../xml/content.ts';
import { encodeCdata, encodeText, type Encodable } from '../xml/encode.ts';
import { encodeSource, styleOf } from '../xml/reading.ts';
import { isEmptyTag, placeOfValue, type XmlElement, type XmlFrame, type XmlTree } from '../xml/tree.ts';
import { REVIEW_STATE, reviewDetail, type StatedTarget, type XliffUnit } from './units.ts';

/** Values that the slots of a file share. */
export interface SlotContext {
  readonly frame: XmlFrame;
  readonly version: 1 | 2;
  readonly encodable: Encodable | undefined;
  /** Whether a translation in the file has a state; final after the scan. */
  hasStates: boolean;
}

/** The texts of a unit: XML source if the source has inline elements, otherwise plain text. */
export interface UnitTexts {
  readonly kind: ContentKind;
  readonly source: string;
  /** The target's text; undefined without a target. */
  readonly value: string | undefined;
}

export function textsOf(tree: XmlTree, { source, target }: XliffUnit): UnitTexts {
  const { kind } = contentOf(tree, source);
  const isMarkup = kind === 'markup';
  return { kind, source: textOf(tree, source, isMarkup), value: target && textOf(tree, target, isMarkup) };
}

/** To save memory in files of many units, stores offsets instead of spans, and omits empty properties. */
export class XliffSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly source: string;
  /** Known only after the whole file is read. */
  syntax: Syntax = 'xliff';
  readonly state: TranslationState;
  readonly provisional: boolean | undefined;
  readonly review: ReviewMark | undefined;
  readonly comment: string | undefined;
  declare limit?: LengthLimit;
  readonly #context: SlotContext;
  readonly #kind: ContentKind;
  readonly #start: number;
  readonly #end: number;
  /** The content whose style a new value follows. */
  readonly #modelStart: number;
  readonly #modelEnd: number;
  readonly #place: TargetPlace;
  /** The name of the element, for creating it. */
  readonly #name: string;
  /** A new target gets the indentation of its source. */
  readonly #sourceStart: number;
  /** Offsets of the unit and of the element with the state; negative without one. */
  readonly #unitStart: number;
  readonly #statedStart: number;

  constructor(
    tree: XmlTree,
    unit: XliffUnit,
    { kind, source, value }: UnitTexts,
    { state, isGuess, needsReview }: StatedTarget,
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
    this.review = needsReview ? FOR_REVIEW : undefined;
    this.comment = unit.note;
    if (unit.limit) this.limit = unit.limit;
    this.#context = context;
    this.#kind = ownKind === 'markup' && kind !== 'markup' ? 'text' : ownKind;
    this.#modelStart = model.openEnd;
    this.#modelEnd = model.closeStart;
    this.#place = !target ? 'absent' : isEmptyTag(target) ? 'closed' : 'open';
    const { start, end } = target ? placeOfValue(target) : { start: unit.source.end, end: unit.source.end };
    this.#start = start;
    this.#end = end;
    this.#name = target?.name ?? targetName(unit.source);
    this.#sourceStart = unit.source.start;
    this.#unitStart = unit.element.start;
    this.#statedStart = unit.stated?.start ?? -1;
  }

  get span(): Span {
    return { start: this.#start, end: this.#end };
  }

  /** The state of our translations: translated, not approved. A file without states gets none. */
  get companions(): readonly Edit[] | undefined {
    const edits = this.#stateEdits(this.#context.hasStates, 'translated', undefined);
    return edits.length > 0 ? edits : undefined;
  }

  marking(cause: ReviewCause): readonly Edit[] {
    const { version } = this.#context;
    return this.#stateEdits(true, version === 1 ? REVIEW_STATE : 'translated', reviewDetail(version, cause));
  }

  approving(state: 'reviewed' | 'final'): readonly Edit[] {
    const written = this.#context.version === 1 && state === 'reviewed' ? 'signed-off' : state;
    return this.#stateEdits(true, written, undefined);
  }

  /** @param detail the state's qualifier or sub-state; those of an earlier state are removed */
  #stateEdits(insertsState: boolean, state: string, detail: string | undefined): readonly Edit[] {
    const { frame, version } = this.#context;
    const unit = new StartTag(frame.text, this.#unitStart);
    const approval = version === 1 && unit.get('approved') === 'yes' ? unit.set('approved', 'no') : [];
    if (this.#statedStart < 0) return approval;
    const stated =
      version === 2 && this.#statedStart === this.#unitStart
        ? unit
        : new StartTag(frame.text, this.#statedStart);
    const isStated = insertsState || stated.get('state') !== undefined;
    const name = DETAIL[version];
    const edits = [
      ...(isStated ? stated.set('state', state) : []),
      ...(detail === undefined ? stated.remove(name) : stated.set(name, detail, 'state')),
      ...approval,
    ];
    return edits.sort((a, b) => a.span.start - b.span.start);
  }

  encode(value: string, _syntax?: Syntax, review?: ReviewCause): string {
    const { frame, version, hasStates } = this.#context;
    if (this.#place === 'open') return this.#encodeContent(value);
    if (value === '') return frame.text.slice(this.#start, this.#end);
    const content = `>${this.#encodeContent(value)}</${this.#name}>`;
    if (this.#place === 'closed') return content;
    const indent = indentAt(frame.text, this.#sourceStart);
    const separator = indent === undefined ? '' : frame.lineEnd + indent;
    const isStated = version === 1 && (hasStates || review !== undefined);
    const state = isStated ? ` state="${review ? REVIEW_STATE : 'translated'}"` : '';
    const detail = version === 1 && review ? reviewDetail(version, review) : undefined;
    const qualifier = detail === undefined ? '' : ` ${DETAIL[version]}="${detail}"`;
    return `${separator}<${this.#name}${state}${qualifier}${content}`;
  }

  #encodeContent(value: string): string {
    const { frame, encodable } = this.#context;
    const raw = frame.text.slice(this.#modelStart, this.#modelEnd);
    // The source has inline elements, so even a value without elements is XML source.
    if (this.#kind === 'markup') return encodeSource(value, raw, this.#context);
    const style = styleOf(frame, raw, encodable);
    return this.#kind === 'cdata' ? encodeCdata(value, style) : encodeText(value, style);
  }
}

function targetName(source: XmlElement): string {
  const colon = source.name.indexOf(':');
  return `${source.name.slice(0, colon + 1)}target`;
}

/** The kind of place for a translation: an empty `<target/>` is `closed`, and its value replaces the end of the tag. */
type TargetPlace = 'open' | 'closed' | 'absent';

/** The attribute with details of a state. */
const DETAIL = { 1: 'state-qualifier', 2: 'subState' } as const;

const FOR_REVIEW: ReviewMark = {};

/** A start tag, parsed again when its attributes change; only its place is kept. */
export class StartTag {
  readonly #nameEnd: number;
  readonly #attributes = new Map<string, Span & { readonly value: string }>();

  constructor(text: string, start: number) {
    const [head = ''] = /<[^\s/>]+/y.exec(text.slice(start, start + MAX_NAME)) ?? [];
    this.#nameEnd = start + head.length;
    ATTRIBUTE.lastIndex = this.#nameEnd;
    for (let found = ATTRIBUTE.exec(text); found; found = ATTRIBUTE.exec(text)) {
      const [whole, name = '', quoted = ''] = found;
      const span = { start: found.index, end: found.index + whole.length };
      this.#attributes.set(name, { ...span, value: quoted.slice(1, -1) });
    }
  }

  /** The value as written in the tag. */
  get(name: string): string | undefined {
    return this.#attributes.get(name)?.value;
  }

  /** A new attribute is inserted after another one, or after the element's name, in the order of the calls. */
  set(name: string, value: string, other?: string): readonly Edit[] {
    const found = this.#attributes.get(name);
    if (found?.value === value) return [];
    const at = this.#attributes.get(other ?? '')?.end ?? this.#nameEnd;
    if (!found) return [{ span: { start: at, end: at }, text: ` ${name}="${value}"` }];
    const end = found.end - 1;
    return [{ span: { start: end - found.value.length, end }, text: value }];
  }

  /** Also removes the white space before the attribute. */
  remove(name: string): readonly Edit[] {
    const found = this.#attributes.get(name);
    return found ? [{ span: { start: found.start, end: found.end }, text: '' }] : [];
  }
}

const MAX_NAME = 1000;
const ATTRIBUTE = /\s+([^\s=>/]+)\s*=\s*("[^"]*"|'[^']*')/gy;
