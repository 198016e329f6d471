import { DragomanError } from '../base/errors.ts';
import { interrupted } from '../base/interruption.ts';
import type { Terminal } from './terminal.ts';

export interface PromptQuestion {
  readonly text: string;
  /** Whether what is typed is shown. */
  readonly echo: boolean;
}

/** Longer answers are no answers. */
const MAX_ANSWER = 4096;

/**
 * Asks on the terminal and waits for one line. The caller has made sure that there is a terminal and that the user has
 * not forbidden to ask.
 *
 * @throws DragomanError `interrupted` for Ctrl-C and Ctrl-D without an answer.
 */
export async function ask(
  { stdin, stderr, signal }: Terminal,
  { text, echo }: PromptQuestion,
): Promise<string> {
  stderr.write(text);
  // Only a terminal that passes every key on as it is typed does not show it.
  if (!echo && !stdin.setRawMode) {
    throw new DragomanError('usage', 'this terminal shows what is typed', {
      hint: 'Pipe the key in instead.',
    });
  }
  if (!echo) stdin.setRawMode?.(true);
  try {
    return await readLine(stdin, signal);
  } finally {
    if (!echo) stdin.setRawMode?.(false);
    stdin.pause();
    if (!echo) stderr.write('\n');
  }
}

async function readLine(stdin: Terminal['stdin'], signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = withResolvers();
  let line = '';
  const take = (chunk: string | Uint8Array): void => {
    const typed = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    for (const key of typed) {
      if (key === '\r' || key === '\n') return resolve(line);
      if (key === '\u0003' || key === '\u0004') return reject(unanswered());
      if (key === '\u007f' || key === '\b') line = line.slice(0, -1);
      else line += key;
    }
    if (line.length > MAX_ANSWER) resolve(line);
  };
  const end = (): void => (line === '' ? reject(unanswered()) : resolve(line));
  const abort = (): void => reject(unanswered());
  stdin.on('data', take).on('end', end);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await promise;
  } finally {
    stdin.off('data', take).off('end', end);
    signal.removeEventListener('abort', abort);
  }
}

interface Resolvers {
  readonly promise: Promise<string>;
  readonly resolve: (line: string) => void;
  readonly reject: (error: DragomanError) => void;
}

function withResolvers(): Resolvers {
  let resolve: Resolvers['resolve'] = () => undefined;
  let reject: Resolvers['reject'] = () => undefined;
  const promise = new Promise<string>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

const unanswered = (): DragomanError => interrupted('no answer was given');
