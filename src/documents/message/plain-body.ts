import { splice, type Edit } from '../../base/span.ts';
import { readParagraphs } from '../../formats/email/paragraph.ts';
import type { TextPart } from '../../formats/email/text-part.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import { translateUnits } from '../../pipeline/units.ts';

/** A translated text of a message. */
export interface TranslatedBody {
  readonly text: string;
  /** Paragraphs or text nodes that were to be translated. */
  readonly texts: number;
  /** What keeps its source text; lines of the text from 0. */
  readonly failures: readonly { readonly line: number; readonly reason: string }[];
}

/**
 * Translates a text/plain part by paragraphs; one that fails keeps its source text.
 *
 * @throws DragomanError as {@link translateUnits}.
 */
export async function translatePlain(part: TextPart, context: SegmentContext): Promise<TranslatedBody> {
  const paragraphs = readParagraphs(part.text, part.flowed);
  const units = paragraphs.map(({ value }) => ({ value, syntax: 'plain' as const }));
  const outcomes = await translateUnits(units, context);
  const edits: Edit[] = [];
  const failures: { line: number; reason: string }[] = [];
  for (const [i, paragraph] of paragraphs.entries()) {
    const outcome = outcomes[i];
    if (!outcome || 'failure' in outcome) {
      failures.push({ line: paragraph.line, reason: outcome?.failure ?? 'no outcome' });
    } else if (outcome.value !== paragraph.value) {
      edits.push({ span: paragraph.span, text: paragraph.write(outcome.value) });
    }
  }
  return { text: splice(part.text, edits), texts: paragraphs.length, failures };
}
