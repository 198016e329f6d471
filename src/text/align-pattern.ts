import { isProseTag } from './nesting.ts';
import type { ComplexNode, MessageNode, TextNode, CodeNode, TagNode } from './node.ts';
import { pairTags } from './tag.ts';
import type { ComplexPlan, PlannedNode, PatternPlan, SegmentPlan } from './plan.ts';
import { isPluralCategory } from './plural.ts';
import type { Syntax } from './syntax.ts';
import { mergeWords, writeTagged, type TaggedText, type Token } from './tagged.ts';
import { isArgument } from './adapt.ts';
import { addTo } from '../base/map-of-lists.ts';

/** How a translation is compared. */
export interface AlignmentOptions {
  readonly syntax: Syntax;
  /** `bytes`: white space at the ends and notation are significant. */
  readonly keep: 'bytes' | 'reading';
  /** The meaning of `%%` if the source does not contain it: one escaped percent sign, or two percent signs. */
  readonly percent: '%' | '%%';
}

/** A pattern of the source, with the translation's nodes at its position. */
interface Aligned {
  readonly plan: PatternPlan;
  readonly nodes: readonly MessageNode[];
  /** The argument of the plural around it, for which `#` and `{n}` are equivalent. */
  readonly number?: string | undefined;
}

/** The texts of the patterns by segment index; undefined if the translation does not match. */
export function readPatterns(
  patterns: readonly Aligned[],
  options: AlignmentOptions,
): ReadonlyMap<number, TaggedText> | undefined {
  const texts = new Map<number, TaggedText>();
  return patterns.every((pattern) => readPattern(pattern, options, texts)) ? texts : undefined;
}

type Texts = Map<number, TaggedText>;

function readPattern(aligned: Aligned, options: AlignmentOptions, texts: Texts): boolean {
  const { plan } = aligned;
  if (!plan.segment) return readOutside(aligned, options, texts);
  const nodes = withoutEnds(aligned.nodes, plan, options);
  const tokens = nodes && readSegment(plan.segment, { ...aligned, nodes }, options, texts);
  if (!tokens) return false;
  texts.set(plan.segment.index, writeTagged(mergeWords(tokens)));
  return true;
}

/** Untranslatable parts must be unchanged, except branches. */
function readOutside({ plan, nodes, number }: Aligned, options: AlignmentOptions, texts: Texts): boolean {
  const expected = joinRaw(plan.lead);
  const found = joinRaw(nodes);
  if (expected.length !== found.length) return false;
  return expected.every((item, i) => {
    const other = found[i];
    if (typeof item === 'string' || other === undefined || typeof other === 'string')
      return typeof item === 'string' && typeof other === 'string' && isSameRaw(item, other, options);
    return readComplex(item, other, number, options, texts);
  });
}

function isSameRaw(a: string, b: string, { keep }: AlignmentOptions): boolean {
  return a === b || (keep === 'reading' && a.trim() === b.trim());
}

/** The source text between arguments with branches. */
function joinRaw<T extends ComplexPlan | ComplexNode>(
  items: readonly (T | Exclude<PlannedNode, ComplexPlan>)[],
): (string | T)[] {
  const joined: (string | T)[] = [];
  let raw = '';
  for (const item of items) {
    if (item.type === 'plan' || item.type === 'complex') {
      joined.push(raw, item);
      raw = '';
    } else raw += item.raw;
  }
  return [...joined, raw];
}

/** Leaves out the white space that engines do not receive. */
function withoutEnds(
  nodes: readonly MessageNode[],
  { lead, trail }: PatternPlan,
  { keep }: AlignmentOptions,
): readonly MessageNode[] | undefined {
  const inner = [...nodes];
  const space = (items: readonly PlannedNode[]): string =>
    items.map((item) => (item.type === 'plan' ? '' : item.raw)).join('');
  const [before, after] = [space(lead), space(trail)];
  const first = inner[0];
  if (first?.type === 'text') {
    if (keep === 'reading') inner[0] = textOf(first.text.trimStart());
    else if (first.raw.startsWith(before) && first.text.startsWith(before))
      inner[0] = textOf(first.text.slice(before.length));
    else return undefined;
  } else if (before !== '' && keep === 'bytes') return undefined;
  const last = inner.at(-1);
  if (last?.type === 'text') {
    if (keep === 'reading') inner[inner.length - 1] = textOf(last.text.trimEnd());
    else if (last.raw.endsWith(after) && last.text.endsWith(after))
      inner[inner.length - 1] = textOf(last.text.slice(0, last.text.length - after.length));
    else return undefined;
  } else if (after !== '' && keep === 'bytes') return undefined;
  return inner;
}

function textOf(text: string): TextNode {
  return { type: 'text', raw: text, text };
}

function readSegment(
  segment: SegmentPlan,
  { nodes, number }: Aligned,
  options: AlignmentOptions,
  texts: Texts,
): Token[] | undefined {
  const pool = new PlaceholderPool(segment, number);
  const pairs = pairTags(nodes);
  const ends = new Map<number, number>();
  const tokens: Token[] = [];
  for (const [i, node] of nodes.entries()) {
    if (node.type === 'text') {
      if (node.text !== '') tokens.push({ type: 'words', text: node.text });
      continue;
    }
    const partner = pairs.get(i);
    const other = partner === undefined ? undefined : nodes[partner];
    if (node.type === 'close' && ends.has(i)) {
      const id = ends.get(i) ?? 0;
      const plan = pool.asideOf(id);
      if (plan && !readPattern({ plan, nodes: node.aside?.nodes ?? [] }, options, texts)) return undefined;
      // A pair without content is one placeholder.
      if (partner === i - 1) tokens[tokens.length - 1] = { type: 'placeholder', id };
      else tokens.push({ type: 'close', id });
      continue;
    }
    if (node.type === 'open' && other?.type === 'close' && partner !== undefined) {
      const id = pool.takePair(node, other);
      if (id !== undefined) {
        ends.set(partner, id);
        tokens.push({ type: 'open', id });
        continue;
      }
    }
    const token = readSingle(node, partner !== undefined, pool, options);
    if (!token) return undefined;
    tokens.push(token);
    if (node.type !== 'complex' || token.type !== 'placeholder') continue;
    const plan = pool.complexOf(token.id);
    if (!plan || !readComplex(plan, node, number, options, texts)) return undefined;
  }
  return pool.hasLostMarkup(options.syntax) ? undefined : tokens;
}

function readSingle(
  node: Exclude<MessageNode, TextNode>,
  paired: boolean,
  pool: PlaceholderPool,
  options: AlignmentOptions,
): Token | undefined {
  const id = node.type === 'complex' ? pool.takeComplex(node) : pool.take(node);
  if (id !== undefined) return { type: 'placeholder', id };
  const words = wordsOf(node, paired, options);
  return words === undefined ? undefined : { type: 'words', text: words };
}

/** The characters that a translator may add. Any other addition is a mistake, or means that the structures differ. */
function wordsOf(
  node: MessageNode,
  paired: boolean,
  { syntax, percent }: AlignmentOptions,
): string | undefined {
  if (node.type === 'open') return !paired && isProseTag(node, syntax) ? node.raw : undefined;
  if (node.type !== 'code') return undefined;
  if (node.kind === 'link') return node.raw;
  if (node.kind !== 'literal') return undefined;
  return node.raw === '%%' ? percent : characterOf(node.raw);
}

/** `{{`, `$$`, or `{'@'}`. */
function characterOf(raw: string): string {
  const quoted = /^\{\s*(?:'(.*)'|"(.*)")\s*\}$/s.exec(raw);
  return quoted?.[1] ?? quoted?.[2] ?? raw.charAt(0);
}

function readComplex(
  plan: ComplexPlan,
  node: ComplexNode,
  outer: string | undefined,
  options: AlignmentOptions,
  texts: Texts,
): boolean {
  if (plan.argument !== node.argument || plan.style !== node.style) return false;
  const number = plan.style === 'select' ? outer : plan.argument;
  const bodies = new Map(node.branches.map(({ selector, body }) => [selector, body]));
  const used = new Set<string>();
  const complete = plan.branches.every(({ selector, pattern }) => {
    const isOptional = options.keep === 'reading' && plan.style !== 'select' && isPluralCategory(selector);
    const chosen = bodies.has(selector) || !isOptional ? selector : 'other';
    const nodes = bodies.get(chosen);
    used.add(chosen);
    return nodes !== undefined && readPattern({ plan: pattern, nodes, number }, options, texts);
  });
  // Words would be lost if a branch is for a category that the language does not have here.
  return complete && used.size === bodies.size;
}

/** The unused placeholders of a segment, found by their meaning. */
class PlaceholderPool {
  readonly #placeholders: SegmentPlan['placeholders'];
  readonly #number: string | undefined;
  readonly #used = new Set<number>();
  /** The ids in order, by spelling and by meaning. */
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

  /** Includes the attributes: markup with a different address is a different placeholder. */
  takePair(open: TagNode, close: TagNode): number | undefined {
    return this.#take(this.#bySpelling.get(pairKey(open, close)));
  }

  take(node: CodeNode | TagNode): number | undefined {
    // Always counted: the placeholder takes the next position, no matter which one it matches.
    const meaning = node.type === 'code' ? this.#meaningOf(node, this.#positions) : undefined;
    return (
      this.#take(this.#bySpelling.get(node.raw)) ??
      (meaning === undefined ? undefined : this.#take(this.#byMeaning.get(meaning)))
    );
  }

  takeComplex(node: ComplexNode): number | undefined {
    return this.#take(this.#bySpelling.get(complexKey(node)));
  }

  /** The text in the end tag of a pair, which is displayed apart from the sentence. */
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
  addTo(ids, key, id);
}

/** Ignores the text that is translated separately. */
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
