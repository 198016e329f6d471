import type { DragomanError } from '../../base/errors.ts';
import { mergeWords, tokenize, writeTagged, type TaggedText, type Token } from '../../text/tagged.ts';
import type { EngineOutcome } from '../engine.ts';
import { hasLetters, isBalanced, sameNesting, splitLines, trimLine } from '../lines.ts';
import { toElements, type MarkupElement } from './elements.ts';
import { encodeElements, type EncodingStyle } from './encoding.ts';
import type { ModelAnswer } from './model-pool.ts';
import type { ModelText } from './worker/messages.ts';

/** Models collapse repeated spaces, so the texts between them are translated separately, like lines. */
const SEPARATOR = /((?: *(?:\r\n|[\n\r\t\v\f\u0085\u2028\u2029]) *)+| {2,})/;

/** Translates with each model in turn, line by line. */
export async function translateText(route: readonly AskModel[], tagged: TaggedText): Promise<EngineOutcome> {
  const source = tokenize(tagged);
  if (!source) return { failure: 'the text is not well-formed' };
  let tokens: readonly Token[] = source;
  for (const ask of route) {
    const lines = splitLines(tokens, SEPARATOR);
    const outcomes = await Promise.all(lines.map((line) => translateLine(ask, line.tokens)));
    const translated: Token[] = [];
    for (const [i, outcome] of outcomes.entries()) {
      if ('failure' in outcome) return outcome;
      const end = lines[i]?.end ?? '';
      translated.push(...outcome.tokens);
      if (end !== '') translated.push({ type: 'words', text: end });
    }
    tokens = mergeWords(translated);
  }
  if (!sameNesting(source, tokens)) return { failure: 'the translation model lost a placeholder' };
  return { translation: writeTagged(tokens) };
}

/** Sends a text to the model of one direction. */
export type AskModel = (text: ModelText) => Promise<ModelAnswer>;

/** The translated tokens of a line, or why there are none. */
type TranslatedLine =
  | { readonly tokens: readonly Token[] }
  | { readonly failure: string; readonly error?: DragomanError | undefined };

/**
 * Translates one line. Placeholders are encoded in the suitable ways, the best first, until an answer has all of them
 * in plausible places; otherwise each run of words between them is translated separately, where nothing can be lost.
 * Space at the edges stays.
 */
export async function translateLine(ask: AskModel, line: readonly Token[]): Promise<TranslatedLine> {
  if (!hasLetters(line)) return { tokens: line };
  const { lead, core, trail } = trimLine(line);
  const { before, inner, after } = peel(core);
  const hasTags = inner.some(({ type }) => type !== 'words');
  const whole = hasTags && isBalanced(inner) ? await translateWhole(ask, inner) : undefined;
  const outcome = whole ?? (await translateRuns(ask, inner));
  return 'failure' in outcome
    ? outcome
    : { tokens: [...lead, ...before, ...outcome.tokens, ...after, ...trail] };
}

/** Undefined if every answer was damaged; a failure if there was none. */
async function translateWhole(ask: AskModel, inner: readonly Token[]): Promise<TranslatedLine | undefined> {
  const elements = toElements(inner);
  for (const style of stylesFor(elements)) {
    const encoded = encodeElements(elements, style);
    if (!encoded) continue;
    const reply = await ask(encoded.text);
    if ('failure' in reply) return reply;
    const tokens = encoded.decode(reply.answer);
    if (tokens && isPlausible(inner, tokens)) return { tokens };
  }
  return undefined;
}

/**
 * A number in an atom's place completes the sentence, so it is tried first. If it would touch a letter or digit, tags
 * are better.
 */
function stylesFor(elements: readonly MarkupElement[]): readonly EncodingStyle[] {
  if (!elements.some(({ type }) => type === 'atom')) return ['aligned'];
  const touches = elements.some((element, i) => {
    if (element.type !== 'atom') return false;
    const [left, right] = [elements[i - 1], elements[i + 1]];
    return (
      (left?.type === 'words' && /[\p{L}\p{M}\p{N}]$/u.test(left.text)) ||
      (right?.type === 'words' && /^[\p{L}\p{M}\p{N}]/u.test(right.text))
    );
  });
  return touches ? ['aligned', 'copied'] : ['copied', 'aligned'];
}

/** Whether every tag is inside the same pair as before, and no pair lost all its words to others. */
export function isPlausible(source: readonly Token[], answer: readonly Token[]): boolean {
  if (!hasLetters(answer) || !sameNesting(source, answer)) return false;
  const worded = wordedPairs(answer);
  return [...wordedPairs(source)].every((id) => worded.has(id));
}

function wordedPairs(tokens: readonly Token[]): Set<number> {
  const worded = new Set<number>();
  const open: number[] = [];
  for (const token of tokens) {
    if (token.type === 'open') open.push(token.id);
    else if (token.type === 'close') open.pop();
    else if (hasLetters([token])) for (const id of open) worded.add(id);
  }
  return worded;
}

/** Removes the pairs around the whole line. */
function peel(core: readonly Token[]): Record<'before' | 'inner' | 'after', readonly Token[]> {
  let depth = 0;
  for (;;) {
    const first = core[depth];
    const last = core[core.length - 1 - depth];
    if (first?.type !== 'open' || last?.type !== 'close' || first.id !== last.id) break;
    depth++;
  }
  const end = core.length - depth;
  return { before: core.slice(0, depth), inner: core.slice(depth, end), after: core.slice(end) };
}

async function translateRuns(ask: AskModel, inner: readonly Token[]): Promise<TranslatedLine> {
  const outcomes = await Promise.all(
    inner.map(async (token): Promise<TranslatedLine> => {
      if (token.type !== 'words' || !hasLetters([token])) return { tokens: [token] };
      const { lead, core, trail } = trimLine([token]);
      const text = core.map((part) => (part.type === 'words' ? part.text : '')).join('');
      const reply = await ask({ text, html: false });
      if ('failure' in reply) return reply;
      const words = reply.answer.trim();
      if (words === '') return { failure: 'the translation model returned no words' };
      return { tokens: [...lead, { type: 'words', text: words }, ...trail] };
    }),
  );
  const tokens: Token[] = [];
  for (const outcome of outcomes) {
    if ('failure' in outcome) return outcome;
    tokens.push(...outcome.tokens);
  }
  return { tokens };
}
