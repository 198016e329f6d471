import type { Edit } from '../../base/span.ts';
import type { Document, Entry, Key } from '../format.ts';
import { planFillings, planInsertions, type Placement } from '../entry-changes.ts';
import { countBreaks, insertAt } from '../lines.ts';
import {
  allComments,
  behindComma,
  commentTexts,
  endOfLineComments,
  leadComments,
  lineIndent,
  ownStart,
} from './layout.ts';
import { entryKeys, siteOf, type Outline, type Site } from './outline.ts';
import { restyle, separatorAt, styleOf, type JsonStyle } from './style.ts';
import type { Node } from './tree.ts';

/**
 * Skips entries whose parent is a different kind of container in the target, and array elements that would not get
 * their index; a scan of the result still reports them missing.
 */
export function insert(
  target: Document<Outline>,
  skeleton: Document<Outline>,
  missing: readonly Key[],
): readonly Edit[] {
  return new Insertion(target.tree, skeleton.tree).place(missing);
}

interface Group {
  readonly container: Node;
  readonly anchor: { readonly mode: 'after' | 'before'; readonly index: number } | undefined;
  readonly sites: Site[];
}

type Groups = Readonly<Record<'after' | 'before' | 'into', Map<Entry | undefined, Group>>>;

class Insertion {
  readonly #target: Outline;
  readonly #source: Outline;
  readonly #sourceStyle: JsonStyle;
  readonly #style: JsonStyle;
  readonly #spell: (raw: string) => string;
  #knownComments: ReadonlySet<string> | undefined;

  constructor(target: Outline, source: Outline) {
    this.#target = target;
    this.#source = source;
    this.#sourceStyle = styleOf(source.text, source.root);
    this.#style = styleOf(target.text, target.root, this.#sourceStyle);
    this.#spell = target.makeSpeller(this.#style.lineEnd);
  }

  place(missing: readonly Key[]): readonly Edit[] {
    const keys = entryKeys(this.#source.shape, missing).filter(
      (key) => this.#bringsMetadata() || !(key[0] ?? '').startsWith('@'),
    );
    const placements = planInsertions(this.#target.entries, this.#source.entries, keys);
    const groups: Groups = { after: new Map(), before: new Map(), into: new Map() };
    for (const placement of placements) this.#group(placement, groups);
    const inserted = Object.values(groups).flatMap((anchored) =>
      [...anchored.values()].flatMap((group) => this.#write(group)),
    );
    const filled = planFillings(this.#target.entries, this.#source.entries, keys);
    return [...inserted, ...filled.map(({ entry, at }) => this.#fillNull(entry, at))];
  }

  #fillNull(entry: Entry, at: Entry): Edit {
    const { text } = this.#target;
    const { start, end, nameStart } = siteOf(this.#target, at).node;
    const { node } = siteOf(this.#source, entry);
    const { spread, lineEnd, colon } = this.#style;
    const separator = spread ? lineEnd + lineIndent(text, nameStart) : colon.endsWith(' ') ? ' ' : '';
    return { span: { start, end }, text: this.#restyle(node, node.start, separator) };
  }

  /** A translated ARB file with messages but no metadata leaves metadata to its template. */
  #bringsMetadata(): boolean {
    const { shape, root } = this.#target;
    if (this.#source.shape !== 'ARB') return true;
    const names = root.children.map(({ name }) => name).filter((name) => !name.startsWith('@@'));
    return names.length === 0 || (shape === 'ARB' && names.some((name) => name.startsWith('@')));
  }

  #group(placement: Placement, groups: Groups): void {
    const site = siteOf(this.#source, placement.entry);
    const mode = 'after' in placement ? 'after' : 'before' in placement ? 'before' : 'into';
    const key =
      'after' in placement ? placement.after : 'before' in placement ? placement.before : placement.into;
    let group = groups[mode].get(key);
    if (!group) {
      const at = key && siteOf(this.#target, key);
      group =
        at && mode !== 'into'
          ? { container: at.parent, anchor: { mode, index: this.#endOf(at, mode) }, sites: [] }
          : { container: at?.node ?? this.#target.root, anchor: undefined, sites: [] };
      groups[mode].set(key, group);
    }
    // Where elements can have identities other than their index, inserting an element would shift the later indexes.
    const isMixed = group.container.isWhole === true || site.parent.isWhole === true;
    const renumbers = isMixed && /^\d+$/.test(site.node.name);
    const isSameKind = group.container.isOpen === true || group.container.kind === site.parent.kind;
    if (isSameKind && !renumbers) group.sites.push(site);
  }

  /** The index of a member; for an insertion after a message of an ARB file, the index of the message's metadata. */
  #endOf({ node, parent, index }: Site, mode: 'after' | 'before'): number {
    const hasMetadata = this.#target.shape === 'ARB' && parent.children[index + 1]?.name === `@${node.name}`;
    return mode === 'after' && hasMetadata ? index + 1 : index;
  }

  /** Whether the elements of the document's list have names. */
  #hasIds(): boolean {
    const { shape, root } = this.#target;
    return this.#source.shape !== 'values' && (shape === this.#source.shape || root.children.length === 0);
  }

  #write({ container, anchor, sites }: Group): Edit[] {
    const isCounted =
      sites[0]?.parent.kind === 'array' && !(container === this.#target.root && this.#hasIds());
    const wanted = isCounted ? contiguous(container, sites) : sites;
    if (wanted.length === 0) return [];
    if (!anchor) return this.#fill(container, wanted);
    const { mode, index } = anchor;
    if (mode === 'before') return this.#putBefore(container, index, wanted);
    const next = index + 1;
    const known = new Set(container.children[next] && leadComments(this.#target, container, next));
    const below = known.size === 0 ? -1 : wanted.findIndex((site) => this.#isUnder(site, known));
    if (below < 0) return this.#putAfter(container, index, wanted);
    // A heading that starts a section in the source is already above the next member here: the rest goes below it.
    return [
      ...this.#putAfter(container, index, wanted.slice(0, below)),
      ...this.#putBefore(container, next, wanted.slice(below)),
    ];
  }

  #putAfter(container: Node, index: number, sites: readonly Site[]): Edit[] {
    if (sites.length === 0) return [];
    const separator = separatorAt(this.#target, container, index, this.#style);
    const mark = markOf(container);
    const added = sites.map((site) => {
      const gap = /[\r\n]/.test(separator) ? this.#style.lineEnd.repeat(this.#blankLinesAbove(site)) : '';
      return gap + separator + this.#member(site, separator);
    });
    const end = container.children[index]?.end ?? container.end;
    const comma = behindComma(this.#target, end);
    const at = /[\r\n]/.test(separator) ? endOfLineComments(this.#target, comma ?? end) : (comma ?? end);
    if (comma !== undefined) return [insertAt(at, added.map((member) => member + mark).join(''))];
    return [insertAt(end, mark), insertAt(at, added.join(mark))];
  }

  /**
   * Inserts above the comments of the member at `index`, unless the source has these comments above the inserted
   * entries.
   */
  #putBefore(container: Node, index: number, sites: readonly Site[]): Edit[] {
    const separator = separatorAt(this.#target, container, index, this.#style);
    const added = sites.map((site) => this.#member(site, separator) + markOf(container) + separator);
    const known = new Set(leadComments(this.#target, container, index));
    const under = sites[0] && this.#isUnder(sites[0], known);
    const start = container.children[index]?.nameStart ?? container.end;
    return [insertAt(under ? start : ownStart(this.#target, container, index), added.join(''))];
  }

  #isUnder({ parent, index }: Site, comments: ReadonlySet<string>): boolean {
    return leadComments(this.#source, parent, index).some((comment) => comments.has(comment));
  }

  /**
   * Inserts into a container with only white space and comments; a body may also have statements that are not entries.
   */
  #fill(container: Node, sites: readonly Site[]): Edit[] {
    const { text } = this.#target;
    const close = container.end - 1;
    let blank = close;
    while (blank > container.start + 1 && /\s/.test(text.charAt(blank - 1))) blank--;
    const outer = lineIndent(text, container.start);
    const spread = this.#style.spread || /[\r\n]/.test(text.slice(container.start, close));
    const { lineEnd } = this.#style;
    const isBody = container.kind === 'statements';
    const unit = isBody ? '' : this.#style.unit;
    const mark = markOf(container);
    const pad = text.slice(blank, close);
    const separator = spread ? lineEnd + outer + unit : this.#style.colon.endsWith(' ') ? ' ' : '';
    const members = sites.map((site) => this.#member(site, separator));
    const body = spread
      ? `${members.map((member) => separator + member).join(mark)}${isBody ? mark : ''}${lineEnd}${outer}`
      : pad + members.join(mark + separator) + (isBody ? mark : '') + pad;
    const edit = { span: { start: blank, end: close }, text: body };
    return isBody && this.#isUnended(container)
      ? [insertAt(container.children.at(-1)?.end ?? blank, mark), edit]
      : [edit];
  }

  /** Whether the last statement needs no terminator because the code ends. */
  #isUnended({ children }: Node): boolean {
    const end = children.at(-1)?.end;
    if (end === undefined || this.#target.text.charAt(end - 1) === '}') return false;
    return behindComma(this.#target, end) === undefined;
  }

  #member({ node, parent, index }: Site, separator: string): string {
    const own = ownStart(this.#source, parent, index);
    const news = /[\r\n]/.test(separator) && own < node.nameStart && this.#isNew(own, node.nameStart);
    return this.#restyle(node, news ? own : node.nameStart, separator);
  }

  #restyle(node: Node, start: number, separator: string): string {
    return restyle(this.#source, node, start, {
      from: { indent: lineIndent(this.#source.text, node.nameStart), unit: this.#sourceStyle.unit },
      to: { separator, style: this.#style, spell: this.#spell },
    });
  }

  /** How many blank lines, at most one, the source has above a member and its own comments. */
  #blankLinesAbove({ parent, index }: Site): number {
    if (index === 0) return 0;
    const { text } = this.#source;
    const own = ownStart(this.#source, parent, index);
    let at = own;
    while (/\s/.test(text.charAt(at - 1))) at--;
    return countBreaks(text, at, own) > 1 ? 1 : 0;
  }

  /** Skips comments that the target already has, such as section headings. */
  #isNew(from: number, to: number): boolean {
    const known = (this.#knownComments ??= allComments(this.#target));
    return commentTexts(this.#source, from, to).every((comment) => !known.has(comment));
  }
}

/** The separator between two members of a container. */
function markOf({ kind }: Node): string {
  return kind === 'statements' ? ';' : ',';
}

/** The elements that keep their index when appended to the container, with the non-text values between them. */
function contiguous(container: Node, sites: readonly Site[]): readonly Site[] {
  const wanted: Site[] = [];
  let next = container.children.length;
  for (const site of sites) {
    for (; next < site.index; next++) {
      const node = site.parent.children[next];
      if (node?.kind !== 'other') return wanted;
      wanted.push({ node, parent: site.parent, index: next });
    }
    wanted.push(site);
    next++;
  }
  return wanted;
}
