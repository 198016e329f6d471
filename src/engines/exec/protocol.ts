import type { EngineOutcome, EngineRequest, SegmentHint } from '../engine.ts';
import { boundHint, boundTerm } from '../hints.ts';
import { printable } from '../../workers/printable.ts';
import type { ConversationFrame, Wire } from '../../workers/conversation.ts';
import { MAX_LINE_BYTES, readAnswerLine } from '../../workers/json-lines.ts';

/**
 * One request line: `{"id":1,"source":"en","target":"fr","texts":["Hello"]}`. Where something is known about a text
 * there are `hints` too, one for each text, or null; and `terms` and `formality` where they are required. A program may
 * ignore all three.
 */
export type ExecBatch = EngineRequest;

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
  const read = readAnswerLine(line, (id) => countOf(id) !== undefined);
  return 'garbage' in read
    ? read
    : { id: read.id, answer: readOutcomes(read.members, countOf(read.id) ?? 0) };
}

function readOutcomes(answer: Readonly<Record<string, unknown>>, count: number): EngineOutcome[] {
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
