import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Edit } from '../../base/span.ts';
import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import type { Entities } from '../xml/entities.ts';
import { parseXml } from '../xml/parser.ts';
import {
  attributeOf,
  decodeAttribute,
  descendantsOf,
  findAttribute,
  type XmlElement,
  type XmlTree,
} from '../xml/tree.ts';
import { documentOfCues, type FindCues, type TextWriting } from './cue-list.ts';
import { SUBTITLE_NAMES } from './names.ts';
import type { SubtitleNotation } from './document.ts';
import { OPEN_END } from './styled-cue.ts';
import { visitParagraphs, type TimedParagraph } from './ttml-times.ts';
import { styleTtml, writeTtml } from './ttml-styles.ts';
import {
  isWithin,
  localName,
  readParagraph,
  rubyStylesOf,
  ttmlText,
  writeParagraph,
  type ParagraphContext,
  type ParagraphMarkup,
} from './ttml-text.ts';

/**
 * TTML, DFXP and IMSC. A paragraph is a cue; its spans, metadata and ruby texts do not change, nor do paragraphs that
 * are timed word by word. The document must be well-formed XML, but prefixes may be undeclared and identifiers
 * repeated.
 */
export const ttml: SubtitleNotation & { readonly id: 'ttml' } = {
  ...SUBTITLE_NAMES.ttml,
  recognizes: (text) => /^\ufeff?\s*(?:<[?!][^<>]{0,2000}>\s*){0,20}<(?:[\w-]{1,40}:)?tt[\s>]/.test(text),
  isUtf8: true,
  cueText: ttmlText,
  timeGrid: () => 1,
  scan: (text, options = {}) => documentOfCues(text, ttml, findCues, options),
  retarget: languageEdits,
  toStyled({ text }, lose) {
    const paragraphs: TimedParagraph[] = [];
    const tree = readParagraphs(text, (paragraph) => paragraphs.push(paragraph));
    const shown = paragraphs
      .map((paragraph, i) => ({ ...paragraph, end: paragraph.interval.end ?? endOf(paragraphs, i) }))
      .toSorted((a, b) => a.interval.begin - b.interval.begin);
    return styleTtml(tree, shown, lose);
  },
  fromStyled: (cues, lose, language) => writeTtml(cues, lose, language),
};

const findCues: FindCues = (text, take) => {
  const writings = new Map<string, TextWriting>();
  const speakers = new Map<string, string>();
  /** Most paragraphs share the line breaks and gaps of others, or have none. */
  const writingOf = ({ paragraph, context }: TimedParagraph, { entities }: XmlTree): TextWriting => {
    const { short, lineBreaks, gaps, lead } = paragraph;
    const own = new ParagraphWriting({ short, lineBreaks, gaps, lead }, context, entities);
    if (short.size > 0) return own;
    const id = JSON.stringify([context.preserves, lineBreaks, gaps, lead]);
    const writing = writings.get(id) ?? own;
    writings.set(id, writing);
    return writing;
  };
  const tree = readParagraphs(text, (timed, around) => {
    const { element, paragraph, interval } = timed;
    const speaker = speakerOf(around, element);
    if (!speakers.has(speaker)) speakers.set(speaker, speaker);
    take({
      id: attributeOf(around, element, 'xml:id'),
      head: { start: element.start, end: paragraph.span.start },
      start: interval.begin,
      end: interval.end ?? interval.begin,
      speaker: speakers.get(speaker),
      text: paragraph.value,
      span: paragraph.isText ? paragraph.span : undefined,
      writing: writingOf(timed, around),
    });
  });
  const locale = attributeOf(tree, tree.root, 'xml:lang')?.trim();
  return { blocks: [], problems: [], locale: locale === '' ? undefined : locale };
};

/** Attributes that distinguish speakers, with any prefix. */
const OF_SPEAKER: ReadonlySet<string> = new Set(['agent', 'region', 'style', 'color', 'backgroundColor']);

/** The speaker of the paragraph and its ancestors: see `Cue.speaker`. */
function speakerOf(tree: XmlTree, element: XmlElement | undefined): string {
  const parts: string[] = [];
  for (let at = element; at && at !== tree.root; at = at.parent)
    for (const attribute of at.attributes)
      if (OF_SPEAKER.has(localName(attribute.name)))
        parts.push(`${localName(attribute.name)}=${decodeAttribute(tree, attribute)}`);
  return parts.join('\0');
}

/** Keeps the markup around a paragraph's words, but no part of the tree. */
class ParagraphWriting implements TextWriting {
  readonly #markup: ParagraphMarkup;
  readonly #context: ParagraphContext;
  readonly #entities: Entities;

  constructor(markup: ParagraphMarkup, context: ParagraphContext, entities: Entities) {
    this.#markup = markup;
    this.#context = context;
    this.#entities = entities;
  }

  encode(value: string): string {
    return writeParagraph(value, this.#markup);
  }

  /** Decodes the content of a paragraph; undefined if it is malformed or has no text. */
  decode(raw: string): string | undefined {
    try {
      const fragment = parseXml(`<p>${this.#markup.lead}${raw}</p>`, this.#entities);
      const paragraph = readParagraph(fragment, fragment.root, this.#context);
      return paragraph?.isText === true ? paragraph.value : undefined;
    } catch (error) {
      if (error instanceof DragomanError) return undefined;
      throw error;
    }
  }
}

/** Passes on the displayed paragraphs in file order. */
function readParagraphs(text: string, visit: (paragraph: TimedParagraph, tree: XmlTree) => void): XmlTree {
  const tree = parseXml(text);
  if (localName(tree.root.name) !== 'tt') {
    throw new DragomanError('unreadable_input', `a TTML file has the root <tt>, not <${tree.root.name}>`, {
      at: positionAt(text, tree.root.start),
    });
  }
  const rubyStyles = rubyStylesOf(tree);
  visitParagraphs(tree, (element, interval, preserves) => {
    const context = { preserves, rubyStyles };
    const paragraph = readParagraph(tree, element, context);
    if (paragraph) visit({ element, paragraph, interval, context }, tree);
  });
  return tree;
}

/** The end of a paragraph without one: the next one's beginning, or a default duration. */
function endOf(paragraphs: readonly TimedParagraph[], index: number): number {
  const begin = paragraphs[index]?.interval.begin ?? 0;
  const next = paragraphs[index + 1]?.interval.begin ?? Infinity;
  return next > begin ? Math.min(next, begin + OPEN_END) : begin + OPEN_END;
}

/** Sets the language of the root and of the parts with the same language. */
function languageEdits(text: string, locale: string): readonly Edit[] {
  const tree = parseXml(text);
  const source = attributeOf(tree, tree.root, 'xml:lang') ?? '';
  return [tree.root, ...descendantsOf(tree.root)].flatMap((element): readonly Edit[] => {
    const attribute = findAttribute(element, 'xml:lang');
    if (!attribute || isWithin(element, 'head')) return [];
    const { start, end } = attribute;
    return isSameTag(decodeAttribute(tree, attribute), source)
      ? [{ span: { start, end }, text: locale }]
      : [];
  });
}

function isSameTag(tag: string, source: string): boolean {
  if (tag === source) return true;
  const [one, other] = [parseLocale(tag), parseLocale(source)];
  return one !== undefined && other !== undefined && sameLanguage(one, other);
}
