import { isArgument } from './adapt.ts';
import { isProseTag } from './nesting.ts';
import type { CodeNode, ComplexNode, TagNode } from './node.ts';
import type { ComplexPlan, PatternPlan, PlannedNode, SegmentPlan } from './plan.ts';
import type { Syntax } from './syntax.ts';

/** The unused placeholders of a segment, found by their meaning. */
export class PlaceholderPool {
  readonly #placeholders: SegmentPlan['placeholders'];
  readonly #number: string | undefined;
  readonly #used = new Set<number>();
  /** Ids in order, by spelling and by the meaning of a spelling. */
  readonly #bySpelling = new Map<string, number[]>();
  readonly #byMeaning = new Map<string, number[]>();
  readonly #positions = new NextArgument();

  /** @param number the argument of the plural around it */
  constructor({ placeholders }: SegmentPlan, number: string | undefined) {
    this.#placeholders = placeholders;
    this.#number = number;
    const positions = new NextArgument();
    for (const [id, items] of [...placeholders].sort(([a], [b]) => a - b)) {
      const [first, second] = items;
      if (!first || first.type === 'text') continue;
      if (first.type === 'plan') append(this.#bySpelling, complexKey(first), id);
      else if (second && second.type !== 'plan') append(this.#bySpelling, pairKey(first, second), id);
      else {
        append(this.#bySpelling, first.raw, id);
        if (first.type === 'code') append(this.#byMeaning, this.#meaningOf(first, positions), id);
      }
    }
    for (const ids of [...this.#bySpelling.values(), ...this.#byMeaning.values()]) ids.reverse();
  }

  /** Includes the attributes: markup with another address is another placeholder. */
  takePair(open: TagNode, close: TagNode): number | undefined {
    return this.#take(this.#bySpelling.get(pairKey(open, close)));
  }

  take(node: CodeNode | TagNode): number | undefined {
    // Always counted: it takes the next position, regardless of the placeholder that it matches.
    const meaning = node.type === 'code' ? this.#meaningOf(node, this.#positions) : undefined;
    return (
      this.#take(this.#bySpelling.get(node.raw)) ??
      (meaning === undefined ? undefined : this.#take(this.#byMeaning.get(meaning)))
    );
  }

  takeComplex(node: ComplexNode): number | undefined {
    return this.#take(this.#bySpelling.get(complexKey(node)));
  }

  /** The text that stands beside the sentence, in the end tag of a pair. */
  asideOf(id: number): PatternPlan | undefined {
    const item = this.#placeholders.get(id)?.[1];
    return item?.type === 'aside' ? item.pattern : undefined;
  }

  complexOf(id: number): ComplexPlan | undefined {
    const item = this.#placeholders.get(id)?.[0];
    return item?.type === 'plan' ? item : undefined;
  }

  /**
   * Whether the translation lacks required markup. It may spell out a value (`one file`), and may reword literal
   * characters and prose in angle brackets.
   */
  hasLostMarkup(syntax: Syntax): boolean {
    return [...this.#placeholders].some(([id, items]) => {
      const [item] = items;
      if (this.#used.has(id) || !item) return false;
      return items.length > 1 || !mayBeLost(item, syntax);
    });
  }

  #take(ids: number[] | undefined): number | undefined {
    for (let id = ids?.pop(); id !== undefined; id = ids?.pop()) {
      if (this.#used.has(id)) continue;
      this.#used.add(id);
      return id;
    }
    return undefined;
  }

  #meaningOf({ kind, raw }: CodeNode, positions: NextArgument): string {
    if (kind === 'printf') return positions.ofPrintf(raw);
    if (kind !== 'argument') return raw;
    return this.#number !== undefined && isArgument(raw, this.#number) ? '#' : positions.ofArgument(raw);
  }
}

function mayBeLost(item: PlannedNode, syntax: Syntax): boolean {
  if (item.type === 'open') return isProseTag(item, syntax);
  return item.type === 'code' && ['argument', 'printf', 'pound', 'literal'].includes(item.kind);
}

function append(ids: Map<string, number[]>, key: string, id: number): void {
  const known = ids.get(key);
  if (known) known.push(id);
  else ids.set(key, [id]);
}

/** Without the text that is translated separately. */
function pairKey(open: { readonly raw: string }, close: TagNode | Exclude<PlannedNode, ComplexPlan>): string {
  if (close.type === 'aside') return `pair ${open.raw}${close.tail}`;
  const aside = close.type === 'close' ? close.aside : undefined;
  return `pair ${open.raw}${aside ? aside.tail : close.raw}`;
}

function complexKey({ style, argument }: Pick<ComplexNode, 'style' | 'argument'>): string {
  return `complex ${style} ${argument}`;
}

/** Numbers placeholders that take the next argument, so that `%s %d` equals `%1$s %2$d`. */
class NextArgument {
  #next = 1;

  ofPrintf(raw: string): string {
    if (/^%(?:\d+\$|n$|arg$)/.test(raw) || raw.includes('*')) return raw;
    return `%${this.#next++}$${raw.slice(1)}`;
  }

  ofArgument(raw: string): string {
    const body = raw.replace(/\s+/g, '');
    return /^\{[:!}]/.test(body) ? `{${this.#next++ - 1}${body.slice(1)}` : body;
  }
}
