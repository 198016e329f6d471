import { parseMessage } from '../../text/message.ts';
import type { TmxPiece } from './tmx-reader.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Source and translation as tagged texts, with the name of each tag. */
export interface Spelled {
  readonly source: string;
  readonly target: string;
  /** The names of placeholders by tag. */
  readonly names: ReadonlyMap<string, string>;
}

/** An inline element, or a pair around words. */
interface InlineElement {
  readonly kind: 'pair' | 'single';
  readonly x: string | undefined;
  readonly i: string | undefined;
  readonly content: string;
  readonly type: string;
}

/**
 * Converts segments to tagged texts: an element in both gets the same tag. Elements are matched by their code,
 * otherwise by the attribute `x`, otherwise by `i`. An element that only the target has gets a tag that the source does
 * not contain.
 */
export function spellSegments(source: readonly TmxPiece[], target: readonly TmxPiece[]): Spelled {
  const from = findElements(source);
  const to = findElements(target);
  const stem = freeStem(wordsOf(source) + wordsOf(target));
  const names = new Map<string, string>();
  const numbers = new Map(from.elements.map((element, n) => [element, n + 1]));
  for (const [element, n] of numbers) names.set(`${stem}${n}`, nameOf(element));
  const pool = new ElementPool(from.elements);
  let next = from.elements.length;
  for (const element of to.elements) {
    const twin = pool.take(element);
    numbers.set(element, (twin && numbers.get(twin)) ?? ++next);
    if (!twin) names.set(`${stem}${next}`, nameOf(element));
  }
  const standIn = (element: InlineElement): string => `${stem}${numbers.get(element) ?? 0}`;
  return { source: spell(from, standIn), target: spell(to, standIn), names };
}

interface FoundElements {
  readonly elements: readonly InlineElement[];
  readonly parts: readonly (
    string | { readonly element: InlineElement; readonly end: 'both' | 'open' | 'close' }
  )[];
}

type Inline = Exclude<TmxPiece, { readonly type: 'words' }>;

function findElements(pieces: readonly TmxPiece[]): FoundElements {
  const partners = pairUp(pieces);
  const byOpening = new Map<TmxPiece, InlineElement>();
  const elements: InlineElement[] = [];
  const parts = pieces.map((piece): FoundElements['parts'][number] => {
    if (piece.type === 'words') return piece.text;
    const opening = piece.type === 'ept' ? partners.get(piece) : undefined;
    const begun = opening && byOpening.get(opening);
    if (begun) return { element: begun, end: 'close' };
    const isPair = piece.type === 'bpt' && partners.has(piece);
    const element = elementOf(piece, isPair ? 'pair' : 'single');
    elements.push(element);
    if (isPair) byOpening.set(piece, element);
    return { element, end: isPair ? 'open' : 'both' };
  });
  return { elements, parts };
}

/** Pairs starts and ends by `i`, or by nesting if a tool omits it. */
function pairUp(pieces: readonly TmxPiece[]): ReadonlyMap<TmxPiece, TmxPiece> {
  const partners = new Map<TmxPiece, TmxPiece>();
  const open = new Map<string, Inline[]>();
  for (const piece of pieces) {
    if (piece.type === 'bpt') {
      const i = piece.attributes['i'] ?? '';
      addTo(open, i, piece);
    } else if (piece.type === 'ept') {
      const opening = open.get(piece.attributes['i'] ?? '')?.pop();
      if (opening) partners.set(piece, opening).set(opening, piece);
    }
  }
  return partners;
}

function elementOf({ attributes, content }: Inline, kind: InlineElement['kind']): InlineElement {
  return {
    kind,
    x: attributes['x'],
    i: attributes['i'],
    content: content.trim(),
    type: attributes['type'] ?? '',
  };
}

/** The source's elements that the target has not used yet. */
class ElementPool {
  readonly #ids = new Map<string, InlineElement[]>();
  readonly #used = new Set<InlineElement>();

  constructor(elements: readonly InlineElement[]) {
    for (const element of elements.toReversed()) {
      for (const key of keysOf(element)) {
        addTo(this.#ids, key, element);
      }
    }
  }

  take(element: InlineElement): InlineElement | undefined {
    for (const key of keysOf(element)) {
      const waiting = this.#ids.get(key);
      for (let found = waiting?.pop(); found; found = waiting?.pop()) {
        if (this.#used.has(found)) continue;
        this.#used.add(found);
        return found;
      }
    }
    return undefined;
  }
}

/** The keys that identify an element, the most reliable first. */
function keysOf({ kind, x, i, content, type }: InlineElement): readonly string[] {
  const keys: (string | undefined)[] = [
    content !== '' && x !== undefined ? `${kind} code ${content}\0${x}` : undefined,
    content !== '' ? `${kind} code ${content}` : undefined,
    x !== undefined ? `${kind} x ${x}` : undefined,
    i !== undefined ? `${kind} i ${i}` : undefined,
    content === '' && x === undefined && i === undefined ? `${kind} type ${type}` : undefined,
  ];
  return keys.filter((key) => key !== undefined);
}

function spell({ parts }: FoundElements, standIn: (element: InlineElement) => string): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const name = standIn(part.element);
      return part.end === 'both' ? `<${name}/>` : part.end === 'open' ? `<${name}>` : `</${name}>`;
    })
    .join('');
}

function wordsOf(pieces: readonly TmxPiece[]): string {
  return pieces.map((piece) => (piece.type === 'words' ? piece.text : '')).join('');
}

/** A prefix for tag names that does not occur in the words. */
function freeStem(words: string): string {
  const taken = new Set([...words.matchAll(/tmx(\d{1,9})-/gi)].map((match) => match[1]));
  let number = 0;
  while (taken.has(String(number))) number++;
  return `tmx${number}-`;
}

const WORD = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/u;

/** The placeholder's name in the file: `b` for `<b>`, `name` for `{name}`. */
function nameOf({ content, type }: InlineElement): string {
  const message = parseMessage(`a ${content} a`, 'plain');
  const [name] = message.segments('en')[0] === 'a <x id="1"/> a' ? message.placeholders('en') : [];
  if (name !== undefined) return name;
  return WORD.exec(content)?.[0] ?? type;
}
