import type { DragomanError } from '../base/errors.ts';
import { mergeWords, tokenize, writeTagged, type TaggedText, type Token } from '../text/tagged.ts';
import type { EngineOutcome } from './engine.ts';

export interface TokenLine {
  readonly tokens: readonly Token[];
  /** The separator after the line; empty for the last line. */
  readonly end: string;
}

const LINE_BREAK = /(\r\n|[\n\r\v\f\u0085\u2028\u2029])/;

/**
 * Splits at line breaks, because sentences do not cross them.
 *
 * @param separator matches the end of a line, in one capturing group
 */
export function splitLines(tokens: readonly Token[], separator = LINE_BREAK): TokenLine[] {
  const lines: TokenLine[] = [];
  let current: Token[] = [];
  for (const token of tokens) {
    if (token.type !== 'words') {
      current.push(token);
      continue;
    }
    const parts = token.text.split(separator);
    for (const [i, part] of parts.entries()) {
      if (i % 2 === 1) {
        lines.push({ tokens: current, end: part });
        current = [];
      } else if (part !== '') current.push({ type: 'words', text: part });
    }
  }
  lines.push({ tokens: current, end: '' });
  return lines;
}

/** The translated tokens of a line, or why there are none. */
export type TranslatedLine =
  | { readonly tokens: readonly Token[] }
  | { readonly failure: string; readonly error?: DragomanError | undefined };

/**
 * Translates a text with each model in turn, line by line.
 *
 * @param lost the failure if the placeholders of the result differ from those of the text
 * @param separator see {@link splitLines}
 */
export async function translateByLines<Model>(
  models: readonly Model[],
  tagged: TaggedText,
  translateLine: (model: Model, line: readonly Token[]) => Promise<TranslatedLine>,
  { lost, separator }: { readonly lost: string; readonly separator?: RegExp },
): Promise<EngineOutcome> {
  const source = tokenize(tagged);
  if (!source) return { failure: 'the text is not well-formed' };
  let tokens: readonly Token[] = source;
  for (const model of models) {
    const lines = splitLines(tokens, separator);
    const outcomes = await Promise.all(lines.map((line) => translateLine(model, line.tokens)));
    const translated: Token[] = [];
    for (const [i, outcome] of outcomes.entries()) {
      if ('failure' in outcome) return outcome;
      translated.push(...outcome.tokens);
      const end = lines[i]?.end ?? '';
      if (end !== '') translated.push({ type: 'words', text: end });
    }
    tokens = mergeWords(translated);
  }
  return sameNesting(source, tokens) ? { translation: writeTagged(tokens) } : { failure: lost };
}

/** Translates each run of words between placeholders separately, where nothing can be lost. */
export async function translateRuns(
  tokens: readonly Token[],
  translate: (run: readonly Token[]) => Promise<TranslatedLine>,
): Promise<TranslatedLine> {
  const outcomes = await Promise.all(
    tokens.map(async (token): Promise<TranslatedLine> => {
      if (!hasLetters([token])) return { tokens: [token] };
      const { lead, core, trail } = trimLine([token]);
      const outcome = await translate(core);
      return 'failure' in outcome ? outcome : { tokens: [...lead, ...outcome.tokens, ...trail] };
    }),
  );
  const translated: Token[] = [];
  for (const outcome of outcomes) {
    if ('failure' in outcome) return outcome;
    translated.push(...outcome.tokens);
  }
  return { tokens: translated };
}

/** The index of the tag that closes the pair opened at `opened`, among balanced tokens. */
export function closeOf(tokens: readonly Token[], opened: number): number {
  let depth = 0;
  for (let i = opened; i < tokens.length; i++) {
    const { type } = tokens[i] ?? {};
    if (type === 'open') depth++;
    else if (type === 'close' && --depth === 0) return i;
  }
  return tokens.length - 1;
}

/** The outcome for a text that no service needs to see: one without words, or one that is not well-formed. */
export function outcomeWithoutAsking(text: TaggedText): EngineOutcome | undefined {
  const tokens = tokenize(text);
  if (!tokens || !text.isWellFormed()) return { failure: 'the text is not well-formed' };
  return hasLetters(tokens) ? undefined : { translation: text };
}

/** Whether the tokens contain both ends of each pair that opens among them. */
export function isBalanced(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const token of tokens) {
    if (token.type === 'open') depth++;
    else if (token.type === 'close' && --depth < 0) return false;
  }
  return depth === 0;
}

export function hasLetters(tokens: readonly Token[]): boolean {
  return tokens.some((token) => token.type === 'words' && /\p{L}/u.test(token.text));
}

/**
 * Whether both texts have the same placeholders and pairs, each directly inside the same pair: `%s` stays in its link.
 */
export function sameNesting(a: readonly Token[], b: readonly Token[]): boolean {
  const left = parents(a);
  const right = parents(b);
  if (!left || !right || left.size !== right.size) return false;
  for (const [id, parent] of left) if (right.get(id) !== parent) return false;
  return true;
}

/** Whether both texts have the same sequence of tags, for a part of a text whose pairs continue elsewhere. */
export function sameOrder(a: readonly Token[], b: readonly Token[]): boolean {
  return tagOrder(a) === tagOrder(b);
}

function tagOrder(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.type === 'words' ? '' : `${token.type} ${token.id};`)).join('');
}

/** The enclosing pair of each placeholder and pair, 0 for none. Undefined if pairs cross or repeat. */
function parents(tokens: readonly Token[]): Map<number, number> | undefined {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const token of tokens) {
    if (token.type === 'words') continue;
    if (token.type === 'close') {
      if (open.pop() !== token.id) return undefined;
      continue;
    }
    if (found.has(token.id)) return undefined;
    found.set(token.id, open.at(-1) ?? 0);
    if (token.type === 'open') open.push(token.id);
  }
  return open.length === 0 ? found : undefined;
}

/** A line and the untranslated space at its edges. */
interface Trimmed {
  readonly lead: readonly Token[];
  readonly core: readonly Token[];
  readonly trail: readonly Token[];
}

export function trimLine(tokens: readonly Token[]): Trimmed {
  const core = [...tokens];
  const first = core[0];
  let lead = '';
  if (first?.type === 'words') {
    const rest = first.text.trimStart();
    lead = first.text.slice(0, first.text.length - rest.length);
    core[0] = { type: 'words', text: rest };
  }
  const last = core.at(-1);
  let trail = '';
  if (last?.type === 'words') {
    const rest = last.text.trimEnd();
    trail = last.text.slice(rest.length);
    core[core.length - 1] = { type: 'words', text: rest };
  }
  return {
    lead: wordsOf(lead),
    core: core.filter((token) => token.type !== 'words' || token.text !== ''),
    trail: wordsOf(trail),
  };
}

function wordsOf(text: string): Token[] {
  return text === '' ? [] : [{ type: 'words', text }];
}
