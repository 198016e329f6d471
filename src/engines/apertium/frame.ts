/**
 * A record must end in a blank: without one the last word stays in a stage, NUL does not flush it, and the answer
 * never comes. A full stop, where the text has none, keeps its last word apart from the next record's first.
 */
const RECORD_END = '[]';
const SENTENCE_END = /[.!?]$/;
const BLANK = /\[b(\d+)\]/g;
const NAMED_BLANK = /\[b(\d+)-(\d+)\]/g;
const BLANKS_ONLY = /^(?:\s|\[[^\]]*\])*$/;

/**
 * Records in one frame, which the stages flush once. Each begins with a blank of its number, and its blanks bear it too,
 * so that one that gets into another record is seen there. Unescaped brackets are blanks' alone.
 */
export function encodeFrame(id: number, records: readonly string[]): string {
  const encoded = records.map((record, k) => {
    const named = record.replace(BLANK, `[b$1-${k}]`);
    return `[${id}-${k}]${named}${SENTENCE_END.test(record) ? '' : '.'}${RECORD_END}`;
  });
  return `${encoded.join('\n')}\0`;
}

/** The number of the frame that an answer is to; undefined where it begins like none. */
export function readFrameId(answer: string): number | undefined {
  const number = /^\[(\d+)-0\]/.exec(answer)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The answer to each record. Undefined for those that cannot be distinguished, or that have another record's blank. */
export function decodeFrame(
  id: number,
  records: readonly string[],
  answer: string,
): readonly (string | undefined)[] {
  const bodies: string[] = [];
  let rest = answer;
  for (let k = records.length - 1; k >= 0; k--) {
    const marker = `[${id}-${k}]`;
    const at = rest.lastIndexOf(marker);
    if (at < 0) return records.map(() => undefined);
    bodies.unshift(rest.slice(at + marker.length));
    rest = rest.slice(0, at);
  }
  return records.map((record, k) => decodeRecord(record, bodies[k] ?? '', k));
}

function decodeRecord(record: string, body: string, k: number): string | undefined {
  const end = body.lastIndexOf(RECORD_END);
  if (end < 0) return undefined;
  let isOwn = true;
  const answer = (body.slice(0, end) + body.slice(end + RECORD_END.length)).replace(
    NAMED_BLANK,
    (_, blank: string, owner: string) => {
      if (Number(owner) !== k) isOwn = false;
      return `[b${blank}]`;
    },
  );
  if (!isOwn) return undefined;
  return SENTENCE_END.test(record) ? answer : withoutStop(answer);
}

/**
 * Takes the full stop back that was added. Blanks may have moved behind it, and an abbreviation, which a short text often
 * is taken for, has it as a part: then it is gone.
 */
function withoutStop(answer: string): string {
  const at = answer.lastIndexOf('.');
  if (at < 0 || !BLANKS_ONLY.test(answer.slice(at + 1))) return answer;
  return answer.slice(0, at) + answer.slice(at + 1);
}
