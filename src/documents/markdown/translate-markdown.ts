import { throwIfAborted } from '../../base/interruption.ts';
import { positionsIn } from '../../base/span.ts';
import type { LinkTo } from '../../formats/format.ts';
import { render } from '../../formats/render.ts';
import { parseLocale } from '../../languages/locale.ts';
import type { SegmentContext, UnitOutcome } from '../../pipeline/unit.ts';
import { translateChunks } from '../../pipeline/units.ts';
import { isXmlSource } from '../../text/syntax.ts';
import type { DocumentKind, TextFailure } from '../kind.ts';
import type { OpenFile } from '../localization/open-file.ts';
import { linkDocument, LinkTags } from './links.ts';

export interface TranslatedMarkdown {
  readonly bytes: Uint8Array;
  /** The number of texts, such as paragraphs, headings and cells. */
  readonly texts: number;
  /** Untranslated texts, with their place in the source. */
  readonly failures: readonly TextFailure[];
}

interface MarkdownContext extends SegmentContext {
  /** Destinations of links in the translation; default: those of the source. */
  readonly linkTo?: LinkTo | undefined;
}

/**
 * Translates a document. Each block's text is sent to the engine in one piece, with its inline markup. If the answer is
 * not valid Markdown in the block (emphasis needs adjacent spaces that some languages do not write), the words between
 * the markup are translated one by one. No other byte changes, and the result is read back for verification.
 *
 * @throws DragomanError `engine_unavailable`, `interrupted`, `integrity`
 */
async function translateMarkdown(file: OpenFile, context: MarkdownContext): Promise<TranslatedMarkdown> {
  const { document, format, scanOptions } = file;
  const { slots } = document;
  const { linkTo, target } = context;
  const frame = linkTo ? linkDocument(file, { locale: target, spelling: target, linkTo }) : document;
  const tags = new LinkTags(document, frame);
  const values = new Map<number, string>();
  const reasons = new Map<number, string>();
  await translateChunks(
    slots.length,
    (i) => ({
      value: slots[i]?.value ?? '',
      syntax: slots[i]?.syntax ?? 'plain',
      context: { key: slots[i]?.key ?? [] },
    }),
    (i, outcome) => {
      if ('value' in outcome) values.set(i, tags.link(outcome.value));
      else reasons.set(i, outcome.failure);
    },
    context,
  );
  throwIfAborted(context.signal);
  let rendering = render(format, frame, values, scanOptions);
  const again = [...rendering.rejected.keys()].filter((i) => mayBeSplit(file, i));
  if (again.length > 0) {
    for (const [i, value] of await translateBetween(file, again, context)) values.set(i, tags.link(value));
    rendering = render(format, frame, values, scanOptions);
  }
  for (const [i, { message }] of rendering.rejected) reasons.set(i, message);
  const positionOf = positionsIn(document.text);
  return {
    bytes: file.encode(rendering.text),
    texts: slots.length,
    failures: [...reasons]
      .sort(([a], [b]) => a - b)
      .map(([i, reason]) => ({ ...positionOf(slots[i]?.span.start ?? 0), reason })),
  };
}

/** The tags of a value, which represent inline markup. */
const TAGS = /(<[^>]*>)/;

function mayBeSplit({ document: { slots } }: OpenFile, index: number): boolean {
  const slot = slots[index];
  return slot !== undefined && isXmlSource(slot.syntax) && slot.value.includes('<');
}

/** Translates the words between the tags of some values. @returns the values whose words were all translated */
async function translateBetween(
  { document: { slots } }: OpenFile,
  indexes: readonly number[],
  context: SegmentContext,
): Promise<ReadonlyMap<number, string>> {
  const pieces = indexes.map((index) => (slots[index]?.value ?? '').split(TAGS));
  const words = pieces.flatMap((parts, place) =>
    parts.flatMap((part, i) => (i % 2 === 0 && /\p{L}/u.test(part) ? [{ place, i, part }] : [])),
  );
  const failed = new Set<number>();
  await translateChunks(
    words.length,
    (i) => ({ value: words[i]?.part ?? '', syntax: 'markup' }),
    (at, outcome: UnitOutcome) => {
      const { place = 0, i = 0 } = words[at] ?? {};
      const parts = pieces[place];
      if ('value' in outcome && parts) parts[i] = outcome.value;
      else failed.add(place);
    },
    context,
  );
  throwIfAborted(context.signal);
  return new Map(
    indexes.flatMap((index, place) =>
      failed.has(place) ? [] : [[index, (pieces[place] ?? []).join('')] as const],
    ),
  );
}

export const MARKDOWN_FILES: DocumentKind<OpenFile, MarkdownContext, TranslatedMarkdown> = {
  textsOf: ({ document }) => document.slots.map(({ value }) => value.replace(/<[^>]*>/g, ' ')),
  languageOf: ({ document: { locale } }) => (locale === undefined ? undefined : parseLocale(locale)),
  translate: translateMarkdown,
};
