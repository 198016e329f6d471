import { mergeWords, type TaggedText, type Token } from '../../text/tagged.ts';
import type { EngineOutcome } from '../engine.ts';
import {
  hasLetters,
  isBalanced,
  sameNesting,
  sameOrder,
  translateByLines,
  translateRuns,
  trimLine,
  type TranslatedLine,
} from '../lines.ts';
import type { Pipeline } from './pipeline.ts';
import { encodeRecord, readItems, type RecordItem, type PairStyle } from './record.ts';

/** Translates with each pipeline in turn, line by line. */
export function translateText(
  route: readonly Pipeline[],
  tagged: TaggedText,
  signal: AbortSignal,
): Promise<EngineOutcome> {
  const translate = (pipeline: Pipeline, line: readonly Token[]): Promise<TranslatedLine> =>
    translateLine(pipeline, line, signal);
  return translateByLines(route, tagged, translate, { lost: 'apertium lost a placeholder' });
}

/**
 * Translates one line: with pairs bound to their words; if the answer is damaged, with tags in place; otherwise each
 * run between placeholders separately, where nothing can be lost. Keeps the space at the edges.
 */
async function translateLine(
  pipeline: Pipeline,
  line: readonly Token[],
  signal: AbortSignal,
): Promise<TranslatedLine> {
  if (!hasLetters(line)) return { tokens: line };
  const { lead, core, trail } = trimLine(line);
  const paired = core.some((token) => token.type === 'open');
  const balanced = isBalanced(core);
  const keepsTags = balanced ? sameNesting : sameOrder;
  const styles: PairStyle[] = balanced && paired ? ['bound', 'loose'] : ['loose'];
  for (const style of styles) {
    const outcome = await translateWhole(pipeline, core, style, signal);
    if ('failure' in outcome) return outcome;
    if (keepsTags(core, outcome.tokens) && hasLetters(outcome.tokens)) {
      return { tokens: [...lead, ...outcome.tokens, ...trail] };
    }
  }
  const runs = await translateRuns(core, async (run) => {
    const outcome = await translateWhole(pipeline, run, 'loose', signal);
    const isLost = 'tokens' in outcome && outcome.tokens.length === 0;
    return isLost ? { failure: 'apertium lost part of the text' } : outcome;
  });
  if ('failure' in runs) return runs;
  if (!hasLetters(runs.tokens)) return { failure: 'apertium returned no words' };
  return { tokens: [...lead, ...runs.tokens, ...trail] };
}

/**
 * Returns no tokens for a damaged answer, and a failure if the pipeline did not answer, which another style would not
 * change.
 */
async function translateWhole(
  pipeline: Pipeline,
  core: readonly Token[],
  style: PairStyle,
  signal: AbortSignal,
): Promise<TranslatedLine> {
  const { stream, blanks } = encodeRecord(core, style);
  // The run has only literals, which need no translation.
  if (!/\p{L}/u.test(stream.replace(/\[\[[^\]]*\]\]|\[b\d+\]/g, ''))) return { tokens: core };
  const reply = await pipeline.ask(stream, signal);
  if ('failure' in reply) return { failure: reply.failure };
  // A dropped word leaves its space. Runs of spaces in the source are in blanks.
  const items = readItems(reply.answer.trim().replace(/ {2,}/g, ' '), blanks);
  if (!items) return { tokens: [] };
  const pairs = core.flatMap((token) => (token.type === 'open' ? [token.id] : []));
  const tokens = style === 'loose' ? joinItems(items) : rebuildPairs(items, pairs);
  return { tokens: restoreCase(core, tokens ?? []) };
}

/**
 * Filling the gaps of pairs takes time in proportion to pairs times items; texts with more pairs are translated run by
 * run.
 */
const MAX_PAIRS = 100;

/** Tags sent as separate blanks are in place in the answer. */
export function joinItems(items: readonly RecordItem[]): Token[] {
  return mergeWords(items.flatMap((item) => item.tokens));
}

/**
 * Puts the tags of word-bound pairs around the words that returned with them.
 *
 * @returns undefined if the words of a pair are separated, or pairs would cross
 */
export function rebuildPairs(items: readonly RecordItem[], pairs: readonly number[]): Token[] | undefined {
  if (pairs.length > MAX_PAIRS) return undefined;
  const spans = new Map<number, { first: number; last: number }>();
  for (const [i, item] of items.entries()) {
    for (const id of item.owners) {
      const span = spans.get(id);
      if (span) span.last = i;
      else spans.set(id, { first: i, last: i });
    }
  }
  const tokens: Token[] = [];
  const open: number[] = [];
  const depth = new Map(pairs.map((id, i) => [id, i]));
  const lastOf = (id: number): number => spans.get(id)?.last ?? -1;
  for (const [i, item] of items.entries()) {
    const starting = pairs.filter((id) => spans.get(id)?.first === i);
    starting.sort((a, b) => lastOf(b) - lastOf(a) || (depth.get(a) ?? 0) - (depth.get(b) ?? 0));
    for (const id of starting) {
      tokens.push({ type: 'open', id });
      open.push(id);
    }
    if (open.some((id) => !item.owners.has(id)) && !isSpace(item)) return undefined;
    tokens.push(...item.tokens);
    let ending = pairs.filter((id) => spans.get(id)?.last === i).length;
    for (; ending > 0; ending--) {
      const id = open.pop();
      if (id === undefined || lastOf(id) !== i) return undefined;
      tokens.push({ type: 'close', id });
    }
  }
  return mergeWords(tokens);
}

function isSpace(item: RecordItem): boolean {
  return item.tokens.every((token) => token.type === 'words' && token.text.trim() === '');
}

/**
 * Reverts the capital that some directions give to every first word: their rules treat a record as a sentence, but a
 * segment may begin in the middle of one. A word capitalized in the source keeps its capital.
 */
export function restoreCase(source: readonly Token[], answer: readonly Token[]): readonly Token[] {
  const original = firstWord(source);
  const word = firstWord(answer);
  if (!original || !word || !/^\p{Ll}/u.test(original.text) || !/^\p{Lu}(?!\p{Lu})/u.test(word.text))
    return answer;
  if (source.some((token) => token.type === 'words' && token.text.includes(word.text))) return answer;
  const token = answer[word.token];
  if (token?.type !== 'words') return answer;
  const at = token.text.indexOf(word.text);
  const [capital = ''] = word.text;
  const text = token.text.slice(0, at) + capital.toLowerCase() + token.text.slice(at + capital.length);
  return answer.with(word.token, { type: 'words', text });
}

/** The first sequence of letters, and its token. */
function firstWord(tokens: readonly Token[]): { readonly token: number; readonly text: string } | undefined {
  for (const [i, token] of tokens.entries()) {
    const text = token.type === 'words' ? /\p{L}[\p{L}\p{M}\p{N}_]*/u.exec(token.text)?.[0] : undefined;
    if (text !== undefined) return { token: i, text };
  }
  return undefined;
}
