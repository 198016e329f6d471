import { escapeWords, type Neighbours, type Writing } from './escape.ts';
import { numberReordered } from './numbering.ts';
import type { Item, PatternPlan, SegmentPlan } from './plan.ts';
import { tokenize, type TaggedText } from './tagged.ts';

/** The value of a plan with these translations, by the index of their segments. */
export function writePattern(
  plan: PatternPlan,
  translations: readonly TaggedText[],
  writing: Writing,
): string {
  const write = (item: Item): string => writeItem(item, translations, writing);
  const lead = plan.lead.map(write).join('');
  const trail = plan.trail.map(write).join('');
  const { segment } = plan;
  if (!segment) return lead + trail;
  const translation = translations[segment.index];
  if (translation === undefined) throw new RangeError(`segment ${segment.index} has no translation`);
  if (translation === segment.tagged) return lead + segment.items.map(write).join('') + trail;
  const end = trail !== '' ? trail : plan.place.nested ? '}' : '';
  return lead + writeTranslation(translation, segment, { plan, write, lead, end, writing }) + trail;
}

interface Surroundings {
  readonly plan: PatternPlan;
  readonly write: (item: Item) => string;
  readonly lead: string;
  readonly end: string;
  readonly writing: Writing;
}

function writeTranslation(translation: TaggedText, segment: SegmentPlan, around: Surroundings): string {
  const tokens = tokenize(translation);
  if (!tokens) throw new RangeError('a translation is not well-formed tagged text');
  const numbered = numberReordered(tokens, segment.pieces, around.writing.syntax);
  const pieces = tokens.map((token): string | { readonly words: string } => {
    if (token.type === 'words') return { words: token.text };
    const found = segment.pieces.get(token.id) ?? [];
    if (token.type === 'placeholder') return numbered?.get(token.id) ?? found.map(around.write).join('');
    return found
      .slice(token.type === 'open' ? 0 : -1)
      .slice(0, 1)
      .map(around.write)
      .join('');
  });
  let value = '';
  // Kept beside the value: reading the end of a string that grows copies all of it each time.
  let last = around.lead.at(-1) ?? '';
  const append = (text: string): void => {
    value += text;
    last = text.at(-1) ?? last;
  };
  pieces.forEach((piece, i) => {
    if (typeof piece === 'string') {
      append(piece);
      return;
    }
    const next = pieces[i + 1];
    const near: Neighbours = {
      before: last,
      after: (typeof next === 'string' ? next[0] : around.end[0]) ?? '',
    };
    append(escapeWords(piece.words, around.writing, around.plan.place, near));
  });
  return value;
}

function writeItem(item: Item, translations: readonly TaggedText[], writing: Writing): string {
  if (item.type !== 'plan') return item.raw;
  return item.parts
    .map((part) => (typeof part === 'string' ? part : writePattern(part, translations, writing)))
    .join('');
}
