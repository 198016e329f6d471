import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Edit } from '../../base/span.ts';
import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import { declaredCharset } from '../xml/charset.ts';
import { parseXml } from '../xml/parser.ts';
import { attributeOf, elementsOf, findAttribute, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { documentOfCues, type FoundCue } from './cue-list.ts';
import type { SubtitleNotation } from './document.ts';
import { OPEN_END } from './styled-cue.ts';
import { TtmlClock, type Interval, type TimedParagraph } from './ttml-times.ts';
import { styleTtml, writeTtml } from './ttml-styles.ts';
import {
  localName,
  readParagraph,
  rubyStylesOf,
  ttmlText,
  writeParagraph,
  type ParagraphContext,
} from './ttml-text.ts';

/**
 * TTML, DFXP and IMSC. A paragraph is a cue; spans, metadata and ruby texts in it stay, and so do paragraphs whose words
 * are timed one by one. The document is well-formed XML, but prefixes need not be declared, nor identifiers unique.
 */
export const ttml: SubtitleNotation & { readonly id: 'ttml' } = {
  id: 'ttml',
  title: 'TTML',
  extensions: ['ttml', 'dfxp'],
  recognises: (text) => /^\ufeff?\s*(?:<[?!][^<>]{0,2000}>\s*){0,20}<(?:[\w-]{1,40}:)?tt[\s>]/.test(text),
  charset: { within: 1024, find: declaredCharset },
  isUtf8: true,
  cueText: ttmlText,
  timeGrid: () => 1,
  scan(text, options = {}) {
    const { tree, paragraphs } = readDocument(text);
    const cues = paragraphs.map(({ paragraph, element, interval, context }): FoundCue => {
      const [start, end] = [interval.begin, interval.end ?? interval.begin];
      const head = { start: element.start, end: paragraph.span.start };
      const span = paragraph.isText ? paragraph.span : undefined;
      const writing = {
        encode: (value: string) => writeParagraph(value, paragraph),
        decode: (raw: string) => readContent(tree, raw, context),
      };
      const id = attributeOf(tree, element, 'xml:id');
      return { id, head, start, end, text: paragraph.value, span, writing };
    });
    const locale = attributeOf(tree, tree.root, 'xml:lang')?.trim();
    const found = { cues, blocks: [], problems: [], locale: locale === '' ? undefined : locale };
    return documentOfCues(text, ttml, found, options);
  },
  retarget: ({ text }, locale) => languageEdits(parseXml(text), locale),
  toStyled({ text }, lose) {
    const { tree, paragraphs } = readDocument(text);
    const shown = paragraphs
      .map((paragraph, i) => ({ ...paragraph, end: paragraph.interval.end ?? endOf(paragraphs, i) }))
      .toSorted((a, b) => a.interval.begin - b.interval.begin);
    return styleTtml(tree, shown, lose);
  },
  fromStyled: (cues, lose, language) => writeTtml(cues, lose, language),
};

interface TtmlDocument {
  readonly tree: XmlTree;
  readonly paragraphs: readonly TimedParagraph[];
}

function readDocument(text: string): TtmlDocument {
  const tree = parseXml(text);
  if (localName(tree.root.name) !== 'tt') {
    throw new DragomanError('unreadable_input', `a TTML file has the root <tt>, not <${tree.root.name}>`, {
      at: positionAt(text, tree.root.start),
    });
  }
  const clock = new TtmlClock(tree);
  const rubyStyles = rubyStylesOf(tree);
  const paragraphs: TimedParagraph[] = [];
  const visit = (element: XmlElement, context: Interval, isPreserved: boolean): Interval => {
    const interval = clock.intervalOf(element, context);
    const space = attributeOf(tree, element, 'xml:space');
    const preserves = space === undefined ? isPreserved : space === 'preserve';
    if (localName(element.name) === 'p') {
      const inside = { preserves, rubyStyles };
      const paragraph = readParagraph(tree, element, inside);
      if (paragraph) {
        const spoken = clock.spokenInterval(element, interval);
        paragraphs.push({ element, paragraph, interval: spoken, context: inside });
      }
      return interval;
    }
    const isSequence = attributeOf(tree, element, 'timeContainer') === 'seq';
    let { begin } = interval;
    for (const child of elementsOf(element)) {
      if (!CONTAINERS.has(localName(child.name))) continue;
      const inner = visit(child, { begin, end: interval.end }, preserves);
      if (isSequence) begin = inner.end ?? inner.begin;
    }
    return interval;
  };
  for (const body of elementsOf(tree.root)) {
    if (localName(body.name) === 'body') visit(body, { begin: 0, end: undefined }, false);
  }
  return { tree, paragraphs };
}

/** What the content of a paragraph would be read as; undefined for what is not well-formed, or no text. */
function readContent({ entities }: XmlTree, raw: string, context: ParagraphContext): string | undefined {
  try {
    const fragment = parseXml(`<p>${raw}</p>`, { entities });
    const paragraph = readParagraph(fragment, fragment.root, context);
    return paragraph?.isText === true ? paragraph.value : undefined;
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

const CONTAINERS: ReadonlySet<string> = new Set(['body', 'div', 'p']);

/** Of a paragraph without an end: the next one's beginning, or a while later. */
function endOf(paragraphs: readonly TimedParagraph[], index: number): number {
  const begin = paragraphs[index]?.interval.begin ?? 0;
  const next = paragraphs[index + 1]?.interval.begin ?? Infinity;
  return next > begin ? Math.min(next, begin + OPEN_END) : begin + OPEN_END;
}

/** The root's language, and those of its parts that say the same. */
function languageEdits(tree: XmlTree, locale: string): readonly Edit[] {
  const edits: Edit[] = [];
  const source = attributeOf(tree, tree.root, 'xml:lang') ?? '';
  const visit = (element: XmlElement): void => {
    const attribute = findAttribute(element, 'xml:lang');
    const isSource = attribute && isSameTag(attributeOf(tree, element, 'xml:lang') ?? '', source);
    if (attribute && isSource)
      edits.push({ span: { start: attribute.start, end: attribute.end }, text: locale });
    for (const child of elementsOf(element)) if (localName(child.name) !== 'head') visit(child);
  };
  visit(tree.root);
  return edits;
}

function isSameTag(tag: string, source: string): boolean {
  if (tag === source) return true;
  const [one, other] = [parseLocale(tag), parseLocale(source)];
  return one !== undefined && other !== undefined && sameLanguage(one, other);
}
