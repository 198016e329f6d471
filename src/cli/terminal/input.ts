import { DragomanError, inFile } from '../../base/errors.ts';
import { interrupted, throwIfAborted } from '../../base/interruption.ts';
import { systemError } from '../../base/system-error.ts';
import { requireUtf8 } from '../../base/utf8.ts';
import type { Terminal } from './terminal.ts';
import { fitted } from './word-wrap.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The texts of a command: its arguments, or all of standard input as one text.
 *
 * @throws DragomanError `usage` without arguments and piped text, `unreadable_input` if standard
 * input is not UTF-8, `limit_exceeded`, `interrupted`.
 */
export async function readTexts(args: readonly string[], terminal: Terminal): Promise<readonly string[]> {
  if (args.length > 0 && !(args.length === 1 && args[0] === '-')) return args;
  if (args.length === 0 && terminal.stdin.isTTY) {
    throw new DragomanError('usage', 'no text', { hint: 'Give it as an argument, or pipe it in.' });
  }
  return [await readStandardInput(terminal)];
}

/** Reads standard input to its end. @throws DragomanError `limit_exceeded`, and like {@link pipedChunks}. */
export async function readStandardBytes(terminal: Terminal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of pipedChunks(terminal)) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new DragomanError('limit_exceeded', 'standard input has more than 64 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The bytes of standard input as they arrive. Ends early if the receiver of the results closed its pipe.
 *
 * @throws DragomanError `unreadable_input`, `interrupted`
 */
export async function* pipedChunks({ stdin, signal }: Terminal): AsyncGenerator<Buffer> {
  const stop = (): void => void stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) {
      const data: string | Buffer = chunk;
      yield typeof data === 'string' ? Buffer.from(data) : data;
    }
  } catch (error) {
    if (stdin.errored) throw systemError('unreadable_input', 'read standard input', error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  throwIfAborted(signal, 'interrupted while reading standard input');
}

async function readStandardInput(terminal: Terminal): Promise<string> {
  const bytes = await readStandardBytes(terminal);
  return inFile('standard input', () => requireUtf8(bytes));
}

interface PromptQuestion {
  readonly text: string;
  /** Whether the typed text is shown. */
  readonly echo: boolean;
}

/** Longer answers are rejected. */
const MAX_ANSWER = 4096;

/**
 * Asks on the terminal and waits for one line. The caller has checked that there is a terminal and that questions are
 * allowed.
 *
 * @throws DragomanError `interrupted` for Ctrl-C and Ctrl-D without an answer
 */
export async function ask(
  { stdin, stderr, signal }: Terminal,
  { text, echo }: PromptQuestion,
): Promise<string> {
  // The answer starts one space after the last word.
  stderr.write(`${fitted(`${text.trimEnd()}__`, stderr).slice(0, -2)} `);
  // Only a terminal in raw mode hides typed text.
  if (!echo && !stdin.setRawMode) {
    throw new DragomanError('usage', 'this terminal cannot hide typed text', {
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

/** Asks a question like {@link ask}. Any answer but yes means no. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  return /^\s*y(?:es)?\s*$/i.test(await ask(terminal, { text: `${question} [y/N] `, echo: true }));
}

async function readLine(stdin: Terminal['stdin'], signal: AbortSignal): Promise<string> {
  let stop = (): void => undefined;
  const line = new Promise<string>((resolve, reject) => {
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
    stop = () => {
      stdin.off('data', take).off('end', end);
      signal.removeEventListener('abort', abort);
    };
  });
  return await line.finally(() => stop());
}

const unanswered = (): DragomanError => interrupted('no answer given');
