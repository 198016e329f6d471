import type { Token } from '../../text/tagged.ts';
import { readItems } from './answer.ts';
import { hasLetters, isBalanced, sameNesting, sameOrder, trimLine } from '../lines.ts';
import type { Pipeline } from './pipeline.ts';
import { restoreCase } from './letter-case.ts';
import { joinItems, rebuildPairs } from './rebuild.ts';
import { encodeRecord, type PairStyle } from './record.ts';

/** The tokens of a line in the other language, or why there are none. */
export type LineOutcome = { readonly tokens: readonly Token[] } | { readonly failure: string };

/**
 * Translates one line: with its pairs bound to their words; if that comes back damaged, with the tags as they stand;
 * else each run between placeholders alone, where nothing can be lost. Space at the edges stays as it is.
 */
export async function translateLine(
  pipeline: Pipeline,
  line: readonly Token[],
  signal: AbortSignal,
): Promise<LineOutcome> {
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
  const runs = await translateRuns(pipeline, core, signal);
  return 'failure' in runs ? runs : { tokens: [...lead, ...runs.tokens, ...trail] };
}

/** No tokens for a damaged answer; a failure when there is none, which another style would not change. */
async function translateWhole(
  pipeline: Pipeline,
  core: readonly Token[],
  style: PairStyle,
  signal: AbortSignal,
): Promise<LineOutcome> {
  const { stream, blanks } = encodeRecord(core, style);
  // Only literals: the stages have nothing to do.
  if (!/\p{L}/u.test(stream.replace(/\[\[[^\]]*\]\]|\[b\d+\]/g, ''))) return { tokens: core };
  const reply = await pipeline.ask(stream, signal);
  if ('failure' in reply) return { failure: reply.failure };
  // A dropped word leaves its space. Real runs of spaces are in blanks.
  const items = readItems(reply.answer.trim().replace(/ {2,}/g, ' '), blanks);
  if (!items) return { tokens: [] };
  const pairs = core.flatMap((token) => (token.type === 'open' ? [token.id] : []));
  const tokens = style === 'loose' ? joinItems(items) : rebuildPairs(items, pairs);
  return { tokens: restoreCase(core, tokens ?? []) };
}

async function translateRuns(
  pipeline: Pipeline,
  core: readonly Token[],
  signal: AbortSignal,
): Promise<LineOutcome> {
  const outcomes = await Promise.all(
    core.map(async (token): Promise<LineOutcome> => {
      if (!hasLetters([token])) return { tokens: [token] };
      const run = trimLine([token]);
      const outcome = await translateWhole(pipeline, run.core, 'loose', signal);
      if ('failure' in outcome) return outcome;
      if (outcome.tokens.length === 0) return { failure: 'apertium lost part of the text' };
      return { tokens: [...run.lead, ...outcome.tokens, ...run.trail] };
    }),
  );
  const tokens: Token[] = [];
  for (const outcome of outcomes) {
    if ('failure' in outcome) return outcome;
    tokens.push(...outcome.tokens);
  }
  return hasLetters(tokens) ? { tokens } : { failure: 'apertium answered without words' };
}
