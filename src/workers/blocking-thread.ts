import { workerData } from 'node:worker_threads';
import type { BlockingOrders, BlockingReply, BlockingRequest } from './blocking-program.ts';
import { Conversation } from './conversation.ts';
import { MAX_LINE_BYTES, readAnswerLine } from './json-lines.ts';

/** Talks to a program for a thread that blocks without its event loop. */
const orders: BlockingOrders = workerData;
const { command, name, timeoutMs, port, clock } = orders;

const conversation = new Conversation<object, Readonly<Record<string, unknown>>>({
  name,
  program: { file: command, args: [], shell: true },
  wire: {
    delimiter: 10,
    maxFrameBytes: MAX_LINE_BYTES,
    ordered: true,
    encode: (id, question) => `${JSON.stringify({ id, ...question })}\n`,
    decode(line, question) {
      const read = readAnswerLine(line, (id) => question(id) !== undefined);
      return 'garbage' in read ? read : { id: read.id, answer: read.members };
    },
  },
  window: 1,
  timeoutMs,
});

port.on('message', ({ question }: BlockingRequest) => void answer(question));

async function answer(question: object | undefined): Promise<void> {
  const reply: BlockingReply = question
    ? await conversation.ask(question, new AbortController().signal)
    : await conversation.close().then(() => ({ failure: `${name} was closed` }));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(reply);
  Atomics.add(clock, 0, 1);
  Atomics.notify(clock, 0);
  if (!question) port.close();
}
