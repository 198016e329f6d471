import type { EngineOutcome, EngineRequest, SegmentHint } from '../engine.ts';
import { boundHint, boundTerm } from '../hints.ts';
import { printable } from '../../workers/printable.ts';
import type { ConversationFrame, Wire } from '../../workers/conversation.ts';

/**
 * One request line: `{"id":1,"source":"en","target":"fr","texts":["Hello"]}`. Where something is known about a text
 * there are `hints` too, one for each text, or null; and `terms` and `formality` where they are required. A program may
 * ignore all three.
 */
export type ExecBatch = EngineRequest;

const MAX_LINE_BYTES = 64 * 1024 * 1024;
const EXCERPT = 80;
const MESSAGE = 500;

/** JSON lines of the `exec` engine: answers name the request they belong to, so they may come in any order. */
export const execWire: Wire<ExecBatch, readonly EngineOutcome[]> = {
  delimiter: 10,
  maxFrameBytes: MAX_LINE_BYTES,
  ordered: false,
  encode: (id, batch) => `${JSON.stringify({ id, ...writeBatch(batch) })}\n`,
  decode: (line, batchOf) => readAnswer(line, (id) => batchOf(id)?.texts.length),
};

function writeBatch({ source, target, texts, hints, terms, formality }: ExecBatch): object {
  const known = texts.map((_, i) => writeHint(boundHint(hints?.[i])));
  return {
    source,
    target,
    texts,
    ...(known.some((hint) => hint !== null) && { hints: known }),
    ...(terms && terms.length > 0 && { terms: terms.map(boundTerm) }),
    ...(formality && { formality }),
  };
}

function writeHint(hint: SegmentHint | undefined): object | null {
  if (!hint) return null;
  const { similar, ...rest } = hint;
  const pairs = similar?.map(({ source, translation, similarity }) => ({ source, translation, similarity }));
  return { ...rest, ...(pairs && { similar: pairs }) };
}

/** @param countOf how many texts the request of that id has; undefined for an unknown id */
function readAnswer(
  line: Buffer,
  countOf: (id: number) => number | undefined,
): ConversationFrame<readonly EngineOutcome[]> {
  const answer = parseObject(line);
  if (!answer) return { garbage: `printed a line that is no answer: ${excerpt(line)}` };
  const { id } = answer;
  const count = typeof id === 'number' ? countOf(id) : undefined;
  if (typeof id !== 'number' || count === undefined) {
    return { garbage: `answered with an id that no request has: ${excerpt(line)}` };
  }
  return { id, answer: readOutcomes(answer, count) };
}

function readOutcomes(answer: Record<string, unknown>, count: number): EngineOutcome[] {
  const { translations, error } = answer;
  if (typeof error === 'string')
    return failAll(count, `the engine program says: ${printable(error, MESSAGE)}`);
  if (!Array.isArray(translations)) {
    return failAll(count, 'the answer of the engine program has neither "translations" nor "error"');
  }
  if (translations.length !== count) {
    return failAll(
      count,
      `the engine program answered ${translations.length} translations for ${count} texts`,
    );
  }
  return translations.map(readTranslation);
}

function readTranslation(translation: unknown): EngineOutcome {
  if (translation === null) return { failure: 'the engine program could not translate this text' };
  if (typeof translation !== 'string') {
    return { failure: 'the engine program answered something that is no text' };
  }
  if (/\p{Surrogate}/u.test(translation)) {
    return { failure: 'the engine program answered half a character (a lone surrogate)' };
  }
  return { translation };
}

function failAll(count: number, failure: string): EngineOutcome[] {
  return Array.from({ length: count }, () => ({ failure }));
}

function parseObject(line: Buffer): Record<string, unknown> | undefined {
  try {
    // Fatal: a damaged character must not become a replacement character in a file.
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function excerpt(line: Buffer): string {
  return printable(line.subarray(0, EXCERPT * 4).toString('utf8'), EXCERPT);
}
