import { escapeWords, type Neighbours, type WordStyle } from './escape.ts';
import { numberReordered } from './numbering.ts';
import type { PlannedNode, PatternPlan, SegmentPlan } from './plan.ts';
import { tokenize, type TaggedText, type Token } from './tagged.ts';

/** The value of a plan with these translations, by the index of their segments. */
export function writePattern(
  plan: PatternPlan,
  translations: readonly TaggedText[],
  style: WordStyle,
): string {
  const write = (item: PlannedNode): string => writeItem(item, translations, style);
  const lead = writeAll(plan.lead, write);
  const trail = writeAll(plan.trail, write);
  const { segment } = plan;
  if (!segment) return lead + trail;
  const translation = translations[segment.index];
  if (translation === undefined) throw new RangeError(`segment ${segment.index} has no translation`);
  if (translation === segment.tagged) return lead + writeAll(segment.items, write) + trail;
  const end = trail !== '' ? trail : plan.context.nested ? '}' : '';
  return lead + writeTranslation(translation, segment, { plan, write, lead, end, style }) + trail;
}

interface SegmentSurroundings {
  readonly plan: PatternPlan;
  readonly write: (item: PlannedNode) => string;
  readonly lead: string;
  readonly end: string;
  readonly style: WordStyle;
}

function writeTranslation(
  translation: TaggedText,
  segment: SegmentPlan,
  around: SegmentSurroundings,
): string {
  const tokens = tokenize(translation);
  if (!tokens) throw new RangeError('a translation is not well-formed tagged text');
  const numbered = numberReordered(tokens, segment.pieces, around.style.syntax);
  const writeCode = (token: Exclude<Token, { type: 'words' }>): string => {
    const number = token.type === 'placeholder' ? numbered?.get(token.id) : undefined;
    return number ?? writePieces(token, segment.pieces.get(token.id) ?? [], around.write);
  };
  let value = '';
  // Kept beside the value: reading the end of a string that grows copies all of it each time.
  let last = around.lead.at(-1) ?? '';
  let next: string | undefined;
  for (const [i, token] of tokens.entries()) {
    let text: string;
    if (token.type === 'words') {
      const behind = tokens[i + 1];
      next = behind && behind.type !== 'words' ? writeCode(behind) : undefined;
      const near: Neighbours = { before: last, after: (next ?? around.end)[0] ?? '' };
      text = escapeWords(token.text, around.style, around.plan.context, near);
    } else {
      text = next ?? writeCode(token);
      next = undefined;
    }
    value += text;
    last = text.at(-1) ?? last;
  }
  return value;
}

/** What stands for a token: all of a placeholder, one end of a pair. */
function writePieces(
  { type }: Token,
  pieces: readonly PlannedNode[],
  write: (item: PlannedNode) => string,
): string {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (!first || !last) return '';
  if (type === 'open' || first === last) return write(first);
  return type === 'close' ? write(last) : writeAll(pieces, write);
}

function writeAll(items: readonly PlannedNode[], write: (item: PlannedNode) => string): string {
  let text = '';
  for (const item of items) text += write(item);
  return text;
}

function writeItem(item: PlannedNode, translations: readonly TaggedText[], style: WordStyle): string {
  if (item.type !== 'plan') return item.raw;
  return item.parts
    .map((part) => (typeof part === 'string' ? part : writePattern(part, translations, style)))
    .join('');
}
