import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { makeFromValidPart } from '../../base/sound-part.ts';
import { type Edit, positionsIn, type Span, splice } from '../../base/span.ts';
import {
  type BlockReadOptions,
  type BlockValue,
  readGap,
  readGaps,
  blockValueOf,
  valueOfGap,
} from '../../formats/html/block-value.ts';
import { startOf, type TextBlock } from '../../formats/html/block.ts';
import type { PageFrame } from '../../formats/html/frame.ts';
import { digestMarkup, type Page, readFrame, readPage } from '../../formats/html/page.ts';
import { decodeText } from '../../formats/html/references.ts';
import { parseLocale } from '../../languages/locale.ts';
import type { SegmentContext, Unit, UnitOutcome } from '../../pipeline/unit.ts';
import { translateChunks } from '../../pipeline/units.ts';
import type { DocumentKind, TextFailure } from '../kind.ts';

export { countTextNodes } from '../../formats/html/page.ts';

export interface HtmlContext extends SegmentContext {
  /** Also translates `alt`, `title`, `placeholder`, `aria-label` and the page's description. Default: no. */
  readonly attributes?: boolean | undefined;
  /** Whether the file's encoding can represent a text; other characters become references. Default: always. */
  readonly encodable?: ((text: string) => boolean) | undefined;
  /** A service's answer for the whole page: its verified texts are used. */
  readonly answer?: Page | undefined;
}

export interface TranslatedHtml {
  readonly html: string;
  /** The number of text nodes that are not blank and not in scripts or styles. */
  readonly textNodes: number;
  /** Untranslated texts, with their place in the source. */
  readonly failures: readonly TextFailure[];
}

/**
 * Translates the texts of a page. Sentences are sent to the engine in one piece, with their inline tags; if the tags do
 * not come back in order, the text nodes are translated one by one. No byte outside texts changes, and the result is
 * read back for verification.
 *
 * @throws DragomanError `limit_exceeded` for a page that is too long, too deep or has too many elements,
 * `engine_unavailable`, `interrupted`, `integrity`
 */
export async function translateHtml(html: string, context: HtmlContext): Promise<TranslatedHtml> {
  return translatePage(readPage(html, { attributes: context.attributes }), context);
}

/** Same as {@link translateHtml}, for a parsed page with the same `attributes`. */
async function translatePage(page: Page, context: HtmlContext): Promise<TranslatedHtml> {
  const read: BlockReadOptions = { html: page.html, encodable: encodableOnce(context) };
  const progress: PageProgress = { page, read, context, changes: [], failures: [] };
  const broken = await translateBlocks(progress);
  await translateTextNodes(broken, progress);
  const proven = provenSplice(page, progress.changes, context.attributes);
  const positionOf = positionsIn(page.html);
  return {
    html: proven.html,
    textNodes: page.textNodes,
    failures: [...progress.failures, ...proven.rejected]
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, reason }) => ({ ...positionOf(offset), reason })),
  };
}

interface PageProgress {
  readonly page: Page;
  readonly read: BlockReadOptions;
  readonly context: HtmlContext;
  readonly changes: Change[];
  readonly failures: { readonly offset: number; readonly reason: string }[];
}

/** Translates each block as a whole. @returns those whose tags did not come back in order */
async function translateBlocks({
  page: { html, blocks },
  read,
  context,
  changes,
  failures,
}: PageProgress): Promise<readonly TextBlock[]> {
  const broken: TextBlock[] = [];
  const readAnswer = (block: TextBlock, source: BlockValue, outcome: UnitOutcome): void => {
    const gaps =
      'failure' in outcome ? { problem: outcome.failure } : readGaps(block, source, outcome.value, read);
    if ('gaps' in gaps) {
      const edits = editsOf(block, gaps.gaps);
      if (edits.length > 0) changes.push({ offset: startOf(block), edits });
    } else if (block.markup.length > 0) broken.push(block);
    else failures.push({ offset: wordsOf(html, block.gaps[0]), reason: gaps.problem });
  };
  const valueAt = (block: TextBlock, counterpart?: TextBlock): BlockValue & Value => ({
    ...blockValueOf(block, html),
    answer: counterpart && context.answer && blockValueOf(counterpart, context.answer.html).value,
  });
  const answered = context.answer?.blocks;
  await translateEach(blocks, (block, i) => valueAt(block, answered?.[i]), readAnswer, context);
  return broken;
}

/** Translates the text nodes of blocks one by one, so that no tags can be lost. */
async function translateTextNodes(
  blocks: readonly TextBlock[],
  { page, read, context, changes, failures }: PageProgress,
): Promise<void> {
  const { html } = page;
  const nodes = blocks.flatMap((block) => block.gaps.map((gap, index) => ({ block, gap, index })));
  const answered = new Map(page.blocks.map((block, i) => [block, context.answer?.blocks[i]]));
  const readAnswer = (
    { block, gap, index }: (typeof nodes)[number],
    { value }: Value,
    outcome: UnitOutcome,
  ): void => {
    if ('value' in outcome && outcome.value === value) return;
    const result =
      'failure' in outcome ? { problem: outcome.failure } : readGap(block, index, outcome.value, read);
    if ('text' in result) changes.push({ offset: gap.start, edits: [{ span: gap, text: result.text }] });
    else failures.push({ offset: wordsOf(html, gap), reason: result.problem });
  };
  const valueAt = ({ block, index }: (typeof nodes)[number]): Value => {
    const counterpart = answered.get(block);
    return {
      value: valueOfGap(block, index, html),
      answer: counterpart && context.answer && valueOfGap(counterpart, index, context.answer.html),
    };
  };
  await translateEach(nodes, valueAt, readAnswer, context);
}

interface Value {
  readonly value: string;
  /** A service's answer for the text. */
  readonly answer?: string | undefined;
}

/**
 * Translates values at places of a page. A page can have 100,000 of them, so each is in memory only during its
 * translation.
 */
async function translateEach<Place, Read extends Value>(
  places: readonly Place[],
  readValue: (place: Place, index: number) => Read,
  takeOutcome: (place: Place, value: Read, outcome: UnitOutcome) => void,
  context: HtmlContext,
): Promise<void> {
  const waiting = new Map<number, Read>();
  const unitAt = (index: number): Unit => {
    const place = places[index];
    if (place === undefined) throw new RangeError(`no text ${index}`);
    const read = readValue(place, index);
    waiting.set(index, read);
    return { value: read.value, syntax: 'markup', answer: read.answer };
  };
  const onOutcome = (index: number, outcome: UnitOutcome): void => {
    const place = places[index];
    const read = waiting.get(index);
    waiting.delete(index);
    if (place !== undefined && read) takeOutcome(place, read, outcome);
  };
  await translateChunks(places.length, unitAt, onOutcome, context);
  throwIfAborted(context.signal);
}

/** The offset of the first word of a text. */
function wordsOf(html: string, span: Span | undefined): number {
  if (!span) return 0;
  return span.start + Math.max(0, html.slice(span.start, span.end).search(/\S/));
}

function editsOf(block: TextBlock, gaps: readonly (string | undefined)[]): readonly Edit[] {
  const edits: Edit[] = [];
  for (const [i, span] of block.gaps.entries()) {
    const text = gaps[i];
    if (text !== undefined) edits.push({ span, text });
  }
  return edits;
}

/** Caches the answer per character: encoding whole texts would be slow. */
function encodableOnce({ encodable }: HtmlContext): (text: string) => boolean {
  if (!encodable) return (text) => text.isWellFormed();
  const known = new Map<string, boolean>();
  return (text) => {
    if (/^[\x00-\x7f]*$/.test(text)) return true;
    for (const character of text) {
      let can = known.get(character);
      if (can === undefined) known.set(character, (can = encodable(character)));
      if (!can) return false;
    }
    return true;
  };
}

/** New text for gaps of one block, written together or not at all. */
interface Change {
  readonly offset: number;
  readonly edits: readonly Edit[];
}

/** Each reading of a page costs as much as the first one. */
const MAX_READINGS = 38;

interface ProvenSplice {
  readonly html: string;
  readonly rejected: readonly { readonly offset: number; readonly reason: string }[];
}

/**
 * Writes changes into a page and reads the result: outside texts, bytes and the tree of elements must be the same.
 * Changes that break this are skipped and reported.
 *
 * @throws DragomanError `integrity` if no change is the cause
 */
function provenSplice(page: Page, changes: readonly Change[], attributes: boolean | undefined): ProvenSplice {
  if (changes.every(({ edits }) => edits.length === 0)) return { html: page.html, rejected: [] };
  const attempt = (some: readonly Change[]): { html: string; sound: readonly Change[] } | undefined => {
    const html = splice(
      page.html,
      some.flatMap(({ edits }) => edits),
    );
    return keepsFrame(html, page.frame, attributes) ? { html, sound: some } : undefined;
  };
  const made = makeFromValidPart(changes, attempt, MAX_READINGS) ?? attempt([]);
  if (!made) throw new DragomanError('integrity', 'the translated page does not read back');
  const sound = new Set(made.sound);
  const reason = 'the translation would change the elements around it';
  const rejected = changes.filter((change) => !sound.has(change));
  return { html: made.html, rejected: rejected.map(({ offset }) => ({ offset, reason })) };
}

function keepsFrame(html: string, frame: PageFrame, attributes: boolean | undefined): boolean {
  try {
    const { markup, outline } = readFrame(html, { attributes });
    return markup === frame.markup && outline === frame.outline;
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

export const PAGES: DocumentKind<Page, HtmlContext, TranslatedHtml> = {
  textsOf: (page) =>
    page.blocks.map(({ gaps }) =>
      gaps.map(({ start, end }) => decodeText(page.html.slice(start, end))).join(' '),
    ),
  languageOf: ({ language }) => (language === undefined ? undefined : parseLocale(language)),
  translate: translatePage,
};

/**
 * Reads a service's answer for a page. Only its texts are used, but a page with different elements, attributes, scripts
 * or styles is not a translation and is rejected as a whole.
 *
 * @param name of the page, for messages
 * @throws DragomanError `contract_violation`
 */
export function readAnsweredPage(page: Page, html: string, name: string): Page {
  const answer = readAnswer(html, name);
  const isSame =
    page.frame.outline === answer.frame.outline &&
    (page.frame.markup === answer.frame.markup || digestMarkup(page.html) === digestMarkup(html));
  const isPaired =
    page.blocks.length === answer.blocks.length &&
    page.blocks.every(({ markup }, i) => markup.length === answer.blocks[i]?.markup.length);
  if (isSame && isPaired) return answer;
  const isBlank = answer.blocks.length < page.blocks.length;
  const ofTexts = isBlank ? 'fewer texts' : 'texts in different places';
  const what = isSame ? ofTexts : 'different elements, attributes or scripts';
  throw new DragomanError(
    'contract_violation',
    `the service's answer has ${what} than ${name}: html should be the same page, translated`,
    { hint: 'Nothing was written. --by-text sends only the texts to the service.' },
  );
}

function readAnswer(html: string, name: string): Page {
  try {
    return readPage(html);
  } catch (cause) {
    if (!(cause instanceof DragomanError)) throw cause;
    const message = `the service's translation of ${name} cannot be read: ${cause.message}`;
    throw new DragomanError('contract_violation', message, { cause });
  }
}

/** Writes characters outside the page's encoding as references; no other byte changes. */
export function writeReferences(html: string, encodable: (text: string) => boolean): string {
  if (encodable(html)) return html;
  return html.replace(/[^\x00-\x7f]/gu, (character) =>
    encodable(character) ? character : `&#x${character.codePointAt(0)?.toString(16) ?? 'fffd'};`,
  );
}
