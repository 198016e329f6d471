import { attributeOf, elementsOf, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { attributeByLocalName, localName, type TtmlParagraph, type ParagraphContext } from './ttml-text.ts';

/** A time span in milliseconds; without an end, it lasts as long as its parent. */
export interface Interval {
  readonly begin: number;
  readonly end: number | undefined;
}

/** A paragraph with its display time. */
export interface TimedParagraph {
  readonly element: XmlElement;
  readonly paragraph: TtmlParagraph;
  readonly interval: Interval;
  readonly context: ParagraphContext;
}

/** Reads the times of a document according to TTML2 §12 and the parameters of its root. */
class TtmlClock {
  readonly #tree: XmlTree;
  /** Frames and ticks per second. */
  readonly #frames: number;
  readonly #ticks: number;
  /** Times in Apple's lyrics count from the beginning of the song, no matter how deeply an element is nested. */
  readonly #isAbsolute: boolean;

  constructor(tree: XmlTree) {
    this.#tree = tree;
    const parameter = (name: string): string | undefined => attributeByLocalName(tree, tree.root, name);
    const rate = positive(parameter('frameRate')) ?? 30;
    const [, over = '1', under = '1'] =
      /^\s*(\d+)[\s:]+(\d+)\s*$/.exec(parameter('frameRateMultiplier') ?? '') ?? [];
    this.#frames = (rate * (positive(over) ?? 1)) / (positive(under) ?? 1);
    this.#ticks =
      positive(parameter('tickRate')) ?? (parameter('frameRate') === undefined ? 1 : this.#frames);
    this.#isAbsolute = tree.root.attributes.some(({ name }) => name === 'itunes:timing');
  }

  /** The display time of an element. Its times are relative to its parent, except in Apple's lyrics. */
  intervalOf(element: XmlElement, context: Interval): Interval {
    const timeOf = (name: string): number | undefined => {
      const written = attributeOf(this.#tree, element, name);
      return written === undefined ? undefined : this.#read(written);
    };
    const [written, until, duration] = [timeOf('begin'), timeOf('end'), timeOf('dur')];
    const zero = this.#isAbsolute ? 0 : context.begin;
    const begin = written === undefined ? context.begin : zero + written;
    const ends = [
      ...(until === undefined ? [] : [zero + until]),
      ...(duration === undefined ? [] : [begin + duration]),
      ...(context.end === undefined ? [] : [context.end]),
    ];
    return { begin, end: ends.length === 0 ? undefined : Math.min(...ends) };
  }

  /** The display time of a paragraph's words: a paragraph without times may have timed spans. */
  spokenInterval(element: XmlElement, interval: Interval): Interval {
    if (attributeOf(this.#tree, element, 'begin') !== undefined) return interval;
    const spans = elementsOf(element)
      .filter(
        (child) => localName(child.name) === 'span' && attributeOf(this.#tree, child, 'begin') !== undefined,
      )
      .map((child) => this.intervalOf(child, interval));
    if (spans.length === 0) return interval;
    const ends = spans.map(({ end }) => end ?? 0);
    const end = Math.max(...ends);
    return { begin: Math.min(...spans.map(({ begin }) => begin)), end: end > 0 ? end : interval.end };
  }

  /** A time in milliseconds; undefined for an invalid one, which players ignore. */
  #read(written: string): number | undefined {
    const clock = /^\s*(?:(\d{1,6}):)?(\d{1,4}):(\d{2})(?:[.,](\d{1,9})|:(\d{1,4})(?:\.\d{1,9})?)?\s*$/.exec(
      written,
    );
    if (clock) {
      const [hours = 0, minutes = 0, seconds = 0] = clock.slice(1, 4).map((part) => Number(part ?? 0));
      const fraction = Number(`0.${clock[4] ?? 0}`) + Number(clock[5] ?? 0) / this.#frames;
      return Math.round((hours * 3600 + minutes * 60 + seconds + fraction) * 1000);
    }
    const [, number, unit = 's'] = /^\s*(\d{1,15}(?:\.\d{1,9})?)(h|m|s|ms|f|t)?\s*$/.exec(written) ?? [];
    if (number === undefined) return undefined;
    const units: Readonly<Record<string, number>> = {
      h: 3_600_000,
      m: 60_000,
      s: 1000,
      ms: 1,
      f: 1000 / this.#frames,
      t: 1000 / this.#ticks,
    };
    return Math.round(Number(number) * (units[unit] ?? 1000));
  }
}

/** An element that may contain paragraphs. */
interface TimeContainer {
  readonly interval: Interval;
  readonly preserves: boolean;
  readonly isSequence: boolean;
  /** When the next child begins: in a sequence, at the end of the previous child. */
  begin: number;
}

const CONTAINERS: ReadonlySet<string> = new Set(['body', 'div', 'p']);

/**
 * Visits the paragraphs in file order, with their display time and white-space handling. Paragraphs must be inside a
 * body and not inside another paragraph.
 */
export function visitParagraphs(
  tree: XmlTree,
  visit: (element: XmlElement, interval: Interval, preserves: boolean) => void,
): void {
  const clock = new TtmlClock(tree);
  const visitChildren = (parent: XmlElement, around: TimeContainer): void => {
    for (const child of elementsOf(parent)) {
      const name = localName(child.name);
      if (parent === tree.root ? name !== 'body' : !CONTAINERS.has(name)) continue;
      const interval = clock.intervalOf(child, { begin: around.begin, end: around.interval.end });
      const space = attributeOf(tree, child, 'xml:space');
      const preserves = space === undefined ? around.preserves : space === 'preserve';
      const isSequence = attributeOf(tree, child, 'timeContainer') === 'seq';
      if (name === 'p') visit(child, clock.spokenInterval(child, interval), preserves);
      else visitChildren(child, { interval, preserves, isSequence, begin: interval.begin });
      if (around.isSequence) around.begin = interval.end ?? interval.begin;
    }
  };
  visitChildren(tree.root, {
    interval: { begin: 0, end: undefined },
    preserves: attributeOf(tree, tree.root, 'xml:space') === 'preserve',
    isSequence: false,
    begin: 0,
  });
}

function positive(written: string | undefined): number | undefined {
  const number = Number(written);
  return number > 0 && Number.isFinite(number) ? number : undefined;
}
