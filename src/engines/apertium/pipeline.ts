import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutKeys } from '../../base/child-environment.ts';
import { DragomanError, type ErrorDetails } from '../../base/errors.ts';
import { Conversation, type Wire } from '../child/conversation.ts';
import type { Mode } from './modes.ts';

/** One direction: a shell pipeline of Apertium's programs that lives as long as it is used. */
export type Pipeline = Conversation<string, string>;

const WINDOW = 512;
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const COMMAND_TIMEOUT_MS = 20_000;
/**
 * A record must end in a blank: without one the last word stays in a stage, NUL does not flush it, and the answer
 * never comes. A full stop, where the text has none, keeps its last word apart from the next record's first.
 */
const RECORD_END = '[]';
const SENTENCE_END = /[.!?]$/;

const run = promisify(execFile);
const commands = new Map<string, Promise<string>>();

/** Records framed by NUL. Answers carry no id but their own first blank: it must be the oldest record's. */
const streamWire: Wire<string, string> = {
  delimiter: 0,
  maxFrameBytes: MAX_RECORD_BYTES,
  ordered: true,
  encode: (id, stream) => `[${id}]${stream}${SENTENCE_END.test(stream) ? '' : '.'}${RECORD_END}\0`,
  decode: (frame, questionOf) => {
    const answer = frame.toString('utf8');
    const number = /^\[(\d+)\]/.exec(answer);
    if (!number) return { garbage: 'answered without a record number' };
    const id = Number(number[1]);
    const added = SENTENCE_END.test(questionOf(id) ?? '') ? RECORD_END : `.${RECORD_END}`;
    const end = answer.lastIndexOf(added);
    const body = answer.slice(number[0].length, end) + answer.slice(end + added.length);
    return { id, answer: end < 0 ? '' : body };
  },
};

/**
 * Reads the mode's pipeline; it is started at the first record.
 *
 * @throws DragomanError `engine_failed` when Apertium cannot read the mode.
 */
export async function openPipeline(mode: Mode, timeoutMs: number): Promise<Pipeline> {
  const command = await commandOf(mode);
  return new Conversation({
    name: `apertium ${mode.name}`,
    program: {
      file: '/bin/bash',
      // `-g` marks the words that the dictionaries do not have; the second argument is the tagger's, none.
      args: ['-c', `set -o pipefail; ${command}`, 'apertium', '-g', ''],
      env: { ...withoutKeys(process.env), LC_ALL: 'C.UTF-8' },
    },
    wire: streamWire,
    window: WINDOW,
    timeoutMs,
  });
}

/** The mode as a command line that flushes every stage at NUL and carries word-bound blanks. */
function commandOf(mode: Mode): Promise<string> {
  const known = commands.get(mode.path);
  if (known) return known;
  const options = { timeout: COMMAND_TIMEOUT_MS, env: withoutKeys(process.env) };
  const command = run('apertium-wblank-mode', ['-z', mode.path], options).then(
    ({ stdout }) => stdout.trim(),
    (cause: unknown) => {
      commands.delete(mode.path);
      const details: ErrorDetails = { cause };
      throw new DragomanError('engine_failed', `apertium cannot read its mode ${mode.name}`, details);
    },
  );
  commands.set(mode.path, command);
  return command;
}
