import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import type { Key, ReviewCause, TranslationState } from '../format.ts';
import { joinNotes } from '../xml/blocks.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import { characterDataOf } from '../xml/content.ts';
import { attributeOf, elementsOf, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { maxWidthOf, type SizeProfiles, sizeProfilesOf, sizeRestrictionOf } from './limits.ts';

/** A unit with one translation: a `trans-unit` of XLIFF 1.2, a `segment` of 2.x. */
export interface XliffUnit {
  /** File, unit, and the segment if the unit has several. The file is empty for programs that look up units by name. */
  readonly key: Key;
  /** The parent of source and target. */
  readonly element: XmlElement;
  /** The text to translate: in 1.2, the segmented source if one exists. */
  readonly source: XmlElement;
  readonly target: XmlElement | undefined;
  /** The element with the state attribute; in 1.2 the target. */
  readonly stated: XmlElement | undefined;
  readonly note: string | undefined;
  readonly limit: LengthLimit | undefined;
}

/** Receives the parts of a file in order. */
export interface UnitVisitor {
  /** @param parts number of segments in a unit of 2.x; 1 in version 1.2 */
  unit(unit: XliffUnit): void;
  /** A file, its body, a group or a whole unit; `leave` is called for each. */
  enter?(element: XmlElement, key: Key): void;
  leave?(): void;
}

/** The name of an element without its prefix. */
export function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}

/** 1 or 2. @throws DragomanError `unreadable_input` for a document that is not XLIFF */
export function versionOf(tree: XmlTree): 1 | 2 {
  const { root, text } = tree;
  if (localName(root) !== 'xliff') {
    throw new DragomanError('unreadable_input', `<${root.name}> is not the root of an XLIFF file`, {
      at: positionAt(text, root.start),
      hint: 'dragoman reads XLIFF 1.2 and 2.x; their root is <xliff>.',
    });
  }
  return attributeOf(tree, root, 'version')?.startsWith('2') === true ? 2 : 1;
}

export function filesOf(tree: XmlTree): readonly XmlElement[] {
  return elementsOf(tree.root).filter((element) => localName(element) === 'file');
}

/**
 * Visits the translatable units in file order. `translate="no"` applies to all descendants, up to a nested `yes`.
 *
 * @param byName see `MessageRules.unitsByName`
 */
export function visitUnits(tree: XmlTree, visitor: UnitVisitor, byName = false): void {
  new Walk(tree, visitor, byName).visitFiles();
}

/** A parent of units: a file, its body, or a group. */
interface Container {
  readonly file: string;
  readonly isTranslatable: boolean;
  /** Only in version 2. */
  readonly profiles?: SizeProfiles | undefined;
}

class Walk {
  readonly #tree: XmlTree;
  readonly #version: 1 | 2;
  readonly #visitor: UnitVisitor;
  readonly #unitName: string;
  readonly #byName: boolean;
  readonly #containers = new Map<XmlElement, Container | undefined>();

  constructor(tree: XmlTree, visitor: UnitVisitor, byName: boolean) {
    this.#tree = tree;
    this.#byName = byName;
    this.#version = versionOf(tree);
    this.#visitor = visitor;
    this.#unitName = this.#version === 1 ? 'trans-unit' : 'unit';
  }

  visitFiles(): void {
    for (const file of filesOf(this.#tree)) this.#visit(file);
  }

  /** Visits an element, if it is a unit. */
  take(element: XmlElement): boolean {
    if (!element.name.endsWith(this.#unitName) || localName(element) !== this.#unitName) return false;
    const container = element.parent && this.#containerOf(element.parent);
    if (container) this.#visitUnit(element, container);
    return container !== undefined;
  }

  #visit(element: XmlElement): void {
    const container = this.#containerOf(element);
    if (!container) return;
    this.#visitor.enter?.(element, this.#containerKey(element, container.file));
    for (const child of elementsOf(element)) if (!this.take(child)) this.#visit(child);
    this.#visitor.leave?.();
  }

  #containerOf(element: XmlElement): Container | undefined {
    if (this.#containers.has(element)) return this.#containers.get(element);
    const container = this.#readContainer(element);
    this.#containers.set(element, container);
    return container;
  }

  #readContainer(element: XmlElement): Container | undefined {
    const { parent } = element;
    if (!parent) return undefined;
    const name = localName(element);
    if (parent === this.#tree.root) {
      if (name !== 'file') return undefined;
      const profiles = this.#version === 2 ? sizeProfilesOf(this.#tree, element) : undefined;
      return { file: this.#nameOf(element), isTranslatable: this.#isTranslatable(element, true), profiles };
    }
    if (name !== 'group' && (name !== 'body' || this.#version !== 1)) return undefined;
    const outer = this.#containerOf(parent);
    return outer && { ...outer, isTranslatable: this.#isTranslatable(element, outer.isTranslatable) };
  }

  #visitUnit(unit: XmlElement, { file, isTranslatable, profiles }: Container): void {
    const key = [file, this.#byName ? this.#lookedUpName(unit) : this.#idOf(unit)];
    this.#visitor.enter?.(unit, key);
    if (this.#isTranslatable(unit, isTranslatable)) {
      if (this.#version === 1) this.#read(unit, key, this.#noteOf(unit), maxWidthOf(this.#tree, unit));
      else this.#readSegments(unit, key, profiles);
    }
    this.#visitor.leave?.();
  }

  #readSegments(unit: XmlElement, key: Key, profiles: SizeProfiles | undefined): void {
    const elements = elementsOf(unit);
    const segments = elements.filter((element) => localName(element) === 'segment');
    const notes = elements.find((element) => localName(element) === 'notes');
    const note = notes && this.#noteOf(notes);
    // The limit of a unit with several segments applies to all of them together.
    const isOne = segments.length === 1;
    const limit = isOne && profiles ? sizeRestrictionOf(this.#tree, unit, profiles) : undefined;
    for (const [i, segment] of segments.entries()) {
      const own = attributeOf(this.#tree, segment, 'id') ?? String(i + 1);
      this.#read(segment, isOne ? key : key.concat(own), note, limit);
    }
  }

  #read(element: XmlElement, key: Key, note: string | undefined, limit: LengthLimit | undefined): void {
    const children = new Map<string, XmlElement>();
    // Repeated elements are invalid; the first one is used.
    for (const child of elementsOf(element)) {
      const name = localName(child);
      if (!children.has(name)) children.set(name, child);
    }
    const source = children.get('seg-source') ?? children.get('source');
    if (!source) return;
    const target = children.get('target');
    const stated = this.#version === 1 ? target : element;
    this.#visitor.unit({ key, element, source, target, stated, note, limit });
  }

  #nameOf(file: XmlElement): string {
    if (this.#byName) return '';
    return attributeOf(this.#tree, file, this.#version === 1 ? 'original' : 'id') ?? '';
  }

  #isTranslatable(element: XmlElement, outer: boolean): boolean {
    const own = attributeOf(this.#tree, element, 'translate');
    return own === undefined ? outer : own !== 'no';
  }

  #idOf(element: XmlElement): string {
    const tree = this.#tree;
    return attributeOf(tree, element, 'id') ?? attributeOf(tree, element, 'resname') ?? '';
  }

  /** A unit's name, or else its source text. */
  #lookedUpName(unit: XmlElement): string {
    const name = attributeOf(this.#tree, unit, NAME_ATTRIBUTES[this.#version]);
    if (name) return name;
    const holder = this.#version === 1 ? unit : elementsOf(unit).find((one) => localName(one) === 'segment');
    const source = holder && elementsOf(holder).find((one) => localName(one) === 'source');
    return source ? characterDataOf(this.#tree, source) : '';
  }

  /** A key that units never have, by which containers are found among their siblings. */
  #containerKey(element: XmlElement, file: string): Key {
    const name = localName(element);
    return name === 'file' ? [file] : [file, '', name, this.#idOf(element)];
  }

  #noteOf(holder: XmlElement): string | undefined {
    const notes = elementsOf(holder).filter((element) => this.#isHint(element));
    return joinNotes(notes.map((note) => characterDataOf(this.#tree, note).trim()));
  }

  /** Notes by tools record where a text is and what happened to it; they are not hints and change often. */
  #isHint(note: XmlElement): boolean {
    if (localName(note) !== 'note') return false;
    const about = attributeOf(this.#tree, note, this.#version === 1 ? 'annotates' : 'appliesTo');
    const category = attributeOf(this.#tree, note, 'category');
    return about !== 'target' && (category === undefined || HINTS.has(category.toLowerCase()));
  }
}

/** The attributes with the names of units. */
export const NAME_ATTRIBUTES = { 1: 'resname', 2: 'name' } as const;

const HINTS: ReadonlySet<string> = new Set(['comment', 'context', 'description', 'meaning', 'note']);

/** The state that dragoman writes for translations that need review. */
export const REVIEW_STATE = 'needs-review-translation';

/**
 * The detail that dragoman writes beside that state: 1.2 (§2.3) has a term for machine translation; 2.x lets tools
 * define terms.
 */
export function reviewDetail(version: 1 | 2, cause: ReviewCause): string | undefined {
  if (version === 1) return cause === 'machine' ? 'mt-suggestion' : undefined;
  return cause === 'machine' ? 'dragoman:needs-review-machine' : 'dragoman:needs-review';
}

/** XLIFF 1.2 (§2.3), and the sub-states of 2.x, whose prefix names a tool. */
const REVIEW_STATES = /^needs-(?:review-|adaptation$|l10n$)/;
const REVIEW_SUB_STATES = /^[^:]*:needs-review/;

/**
 * States of XLIFF 1.2 (§2.3) on the scale of 2.x. A text that only needs review is translated, as are tool-specific
 * states.
 */
const STATES: ReadonlyMap<string, TranslationState> = new Map([
  ['new', 'initial'],
  ['needs-translation', 'initial'],
  ['initial', 'initial'],
  ['signed-off', 'reviewed'],
  ['reviewed', 'reviewed'],
  ['final', 'final'],
]);

export interface StatedTarget {
  readonly state: TranslationState;
  /** Whether the file requests a translation of a text that has one. */
  readonly isGuess: boolean;
  /** Whether the file requests a review. */
  readonly needsReview: boolean;
}

/**
 * The state of a translation. Tools give the states `new` and `initial` to every unit: they request a translation if
 * the target repeats its source, as in .NET, perhaps without the spaces around it. `needs-translation` always requests
 * one.
 */
export function stateOf(
  tree: XmlTree,
  { element, stated, target }: XliffUnit,
  value: string | undefined,
  source: string,
): StatedTarget {
  const written = stated && attributeOf(tree, stated, 'state');
  const known = written === undefined ? undefined : STATES.get(written);
  if (value !== undefined && attributeOf(tree, element, 'approved') === 'yes')
    return { state: known === 'reviewed' ? known : 'final', isGuess: false, needsReview: false };
  const isApproved = known === 'reviewed' || known === 'final';
  const isAbsent = value === undefined || (value === '' && !isApproved);
  const isCopy = value?.trim() === source.trim();
  const isGuess = !isAbsent && known === 'initial' && (written === 'needs-translation' || isCopy);
  const subState = stated && stated !== target ? attributeOf(tree, stated, 'subState') : undefined;
  const isMarked = REVIEW_STATES.test(written ?? '') || REVIEW_SUB_STATES.test(subState ?? '');
  const needsReview = value !== undefined && value !== '' && !isApproved && isMarked;
  return { state: isAbsent || isGuess ? 'initial' : (known ?? 'translated'), isGuess, needsReview };
}
