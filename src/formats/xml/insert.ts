import type { Edit } from '../../base/span.ts';
import type { Document, Entry, Key } from '../format.ts';
import { type Placement, planInsertions } from '../entry-changes.ts';
import { isBlank } from './characters.ts';
import { indentAt, insertAt } from '../lines.ts';
import { type XmlLayout, layOut, unitOf } from './layout.ts';
import type { Findings } from './findings.ts';
import { behindAttribute, type XmlElement, type XmlTree, findAttribute, isEmptyTag } from './tree.ts';
import { replaceReferences } from './entities.ts';
import { piecesOf } from './fragment.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** A document with its entries, for all formats in XML. */
export interface EntryTree {
  readonly tree: XmlTree;
  readonly entries: readonly Entry[];
  /** The element of every entry, and the elements whose content is text. */
  readonly findings: Pick<Findings, 'elements' | 'owners'>;
  /** One level of indentation, if the depth of elements does not show it. */
  readonly indentUnit?: string | undefined;
}

export function insertXml(
  target: Document<EntryTree>,
  skeleton: Document<EntryTree>,
  missing: readonly Key[],
): readonly Edit[] {
  const structure = skeleton.tree;
  const wanted = [...missing, ...countedBefore(skeleton.entries, missing, structure.findings.elements)];
  const placements = planInsertions(target.entries, skeleton.entries, wanted);
  if (placements.length === 0) return [];
  return new Inserter(target.tree, structure).insert(placements);
}

/**
 * Keys that are numbers count the preceding elements, including those without translatable text, which are never
 * reported missing: without them an inserted element would get a different number.
 */
function countedBefore(
  entries: readonly Entry[],
  missing: readonly Key[],
  elements: ReadonlyMap<Entry, XmlElement>,
): readonly Key[] {
  const wanted = new Set(missing.map((key) => key.join('\0')));
  const counted: Key[] = [];
  const visit = (siblings: readonly Entry[]): boolean => {
    const last = new Map<string, number>();
    for (const [i, entry] of siblings.entries()) {
      const inside = entry.children !== undefined && visit(entry.children);
      if (inside || wanted.has(entry.key.join('\0'))) last.set(elements.get(entry)?.name ?? '', i);
    }
    if (last.size > 0) {
      for (const [i, entry] of siblings.entries()) {
        const element = elements.get(entry);
        if (element && i < (last.get(element.name) ?? 0) && isCounted(entry.key, element)) {
          counted.push(entry.key);
        }
      }
    }
    return last.size > 0;
  };
  visit(entries);
  return counted;
}

/** Whether the key is the element's position: `0` in an array, `item` or `item[2]` elsewhere. */
function isCounted(key: Key, { name, parent }: XmlElement): boolean {
  const segment = key.at(-1) ?? '';
  if (parent?.name === 'string-array') return true;
  return segment === name || (segment.startsWith(`${name}[`) && segment.endsWith(']'));
}

class Inserter {
  readonly #target: EntryTree;
  readonly #skeleton: EntryTree;
  /** The skeleton's elements that hold a value: white space in them is not layout. */
  readonly #values: ReadonlySet<XmlElement>;
  /** The last of the target's elements whose key is their position, by parent and name. */
  readonly #lastCounted = new Map<XmlElement | undefined, Map<string, Entry>>();

  constructor(target: EntryTree, skeleton: EntryTree) {
    this.#target = target;
    this.#skeleton = skeleton;
    this.#values = new Set(skeleton.findings.owners);
    for (const [entry, element] of target.findings.elements) {
      if (!isCounted(entry.key, element)) continue;
      const last = this.#lastCounted.get(element.parent) ?? new Map<string, Entry>();
      this.#lastCounted.set(element.parent, last.set(element.name, entry));
    }
  }

  insert(placements: readonly Placement[]): Edit[] {
    const edits: Edit[] = [];
    const fillings = new Map<XmlElement, Entry[]>();
    for (const placement of placements) {
      if ('into' in placement) {
        const parent = placement.into
          ? this.#elementOf(this.#target, placement.into)
          : this.#target.tree.list;
        // A document that is a single text cannot contain elements.
        if (this.#target.findings.owners.includes(parent)) continue;
        addTo(fillings, parent, placement.entry);
      } else edits.push(this.#insertBeside(placement));
    }
    for (const [parent, entries] of fillings) edits.push(this.#fill(parent, entries));
    const inserted = placements.map(({ entry }) => this.#elementOf(this.#skeleton, entry));
    return [...declareMissing(this.#target.tree, this.#skeleton.tree, inserted), ...edits];
  }

  #insertBeside(placement: Exclude<Placement, { readonly into: Entry | undefined }>): Edit {
    const after = 'after' in placement;
    const anchor = after ? this.#behindNamesakes(placement.entry, placement.after) : placement.before;
    const { text, lineEnd } = this.#target.tree;
    const indent = indentAt(text, anchor.span.start);
    const unit = this.#unitOf(this.#target, indent, this.#elementOf(this.#target, anchor));
    const separator = indent === undefined ? '' : lineEnd + indent;
    const inserted = this.#layOut(placement.entry, indent, unit);
    const at = after ? anchor.span.end : anchor.span.start;
    return { span: { start: at, end: at }, text: after ? separator + inserted : inserted + separator };
  }

  /**
   * An element whose key is its position goes after all elements that are counted with it, so that their keys do not
   * change.
   */
  #behindNamesakes(entry: Entry, previous: Entry): Entry {
    const element = this.#elementOf(this.#skeleton, entry);
    if (!isCounted(entry.key, element)) return previous;
    const { parent } = this.#elementOf(this.#target, previous);
    const last = this.#lastCounted.get(parent)?.get(element.name);
    return last && last.span.start > previous.span.start ? last : previous;
  }

  /** Inserts entries into an element without entries, after its other content. */
  #fill(parent: XmlElement, entries: readonly Entry[]): Edit {
    const { text, lineEnd } = this.#target.tree;
    const first = entries[0];
    const model = first && this.#elementOf(this.#skeleton, first);
    const modelIndent = model && indentAt(this.#skeleton.tree.text, first.span.start);
    const outer = indentAt(text, parent.start) ?? '';
    const unit =
      this.#unitOf(this.#target, outer, parent) ??
      (model && this.#unitOf(this.#skeleton, modelIndent, model)) ??
      '';
    // If the source is on one line, so is the target.
    const indent = modelIndent === undefined ? undefined : outer + unit;
    const start = indent === undefined ? '' : lineEnd + indent;
    const end = indent === undefined ? '' : lineEnd + outer;
    const content = entries.map((entry) => start + this.#layOut(entry, indent, unit)).join('') + end;
    if (isEmptyTag(parent)) {
      const tag = text.slice(parent.start, parent.openEnd - 2).trimEnd();
      return {
        span: { start: parent.start + tag.length, end: parent.end },
        text: `>${content}</${parent.name}>`,
      };
    }
    const last = parent.children.at(-1);
    const blank = last?.type === 'text' && isBlank(text.slice(last.start, last.end));
    return { span: { start: blank ? last.start : parent.closeStart, end: parent.closeStart }, text: content };
  }

  #layOut(entry: Entry, indent: string | undefined, unit: string | undefined): string {
    const element = this.#elementOf(this.#skeleton, entry);
    const own = this.#unitOf(this.#skeleton, indentAt(this.#skeleton.tree.text, entry.span.start), element);
    const layout: XmlLayout = { lineEnd: this.#target.tree.lineEnd, indent, unit: unit ?? own ?? '' };
    return layOut(this.#skeleton.tree, this.#values, entry, element, layout);
  }

  #unitOf(
    { indentUnit, tree }: EntryTree,
    indent: string | undefined,
    element: XmlElement,
  ): string | undefined {
    return indentUnit ?? unitOf(tree.text, indent, element);
  }

  #elementOf(structure: EntryTree, entry: Entry): XmlElement {
    const element = structure.findings.elements.get(entry);
    if (!element) throw new RangeError(`entry ${entry.key.join(' › ')} does not belong to this document`);
    return element;
  }
}

/** Declares in the target the namespace prefixes and entities of the source that inserted elements use. */
function declareMissing(target: XmlTree, source: XmlTree, inserted: readonly XmlElement[]): Edit[] {
  return [...declareEntities(target, source, inserted), ...declarePrefixes(target, source, inserted)];
}

function declarePrefixes(target: XmlTree, source: XmlTree, inserted: readonly XmlElement[]): Edit[] {
  const prefixes = new Set<string>();
  const visit = (element: XmlElement): void => {
    for (const { name } of [element, ...element.attributes]) {
      const colon = name.indexOf(':');
      if (colon > 0) prefixes.add(name.slice(0, colon));
    }
    for (const child of element.children) if (child.type === 'element') visit(child);
  };
  inserted.forEach(visit);
  const { root } = target;
  const at = behindAttribute(root, root.attributes.at(-1));
  return [...prefixes].flatMap((prefix) => {
    const declaration = `xmlns:${prefix}`;
    const value = findAttribute(source.root, declaration);
    if (!value || findAttribute(root, declaration)) return [];
    // Also copies the quotes, because the value may contain the other kind.
    const quoted = source.text.slice(value.start - 1, value.end + 1);
    return [insertAt(at, ` ${declaration}=${quoted}`)];
  });
}

function declareEntities(target: XmlTree, source: XmlTree, inserted: readonly XmlElement[]): Edit[] {
  const needed = new Map<string, string>();
  const collect = (text: string): void => {
    replaceReferences(text, ({ name, character }) => {
      const declaration = source.entities.get(name);
      if (character !== undefined || !declaration || target.entities.get(name) || needed.has(name)) return '';
      // The entity is entered first, because its replacement may use it again.
      needed.set(name, source.text.slice(declaration.span.start, declaration.span.end));
      collect(declaration.replacement ?? '');
      return '';
    });
  };
  for (const element of inserted) {
    collect(source.text.slice(element.start, element.openEnd));
    for (const { type, span } of piecesOf(element)) {
      if (type !== 'other') collect(source.text.slice(span.start, span.end));
    }
  }
  if (needed.size === 0) return [];
  const { lineEnd, doctype, root } = target;
  const lines = [...needed.values()].map((declaration) => `  ${declaration}${lineEnd}`).join('');
  if (!doctype) {
    const text = `<!DOCTYPE ${root.name} [${lineEnd}${lines}]>${lineEnd}`;
    return [{ span: { start: root.start, end: root.start }, text }];
  }
  const at = doctype.subsetEnd ?? doctype.span.end - 1;
  const text = doctype.subsetEnd === undefined ? ` [${lineEnd}${lines}]` : lines;
  return [{ span: { start: at, end: at }, text }];
}
