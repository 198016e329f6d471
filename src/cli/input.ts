import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import { requireUtf8 } from '../base/utf8.ts';
import type { Terminal } from './terminal.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The texts of a command: its arguments, or all of standard input as one text.
 *
 * @throws DragomanError `usage` when there are no arguments and no text is piped in, `unreadable_input` when standard
 * input is not UTF-8, `limit_exceeded`, `interrupted`.
 */
export async function readTexts(args: readonly string[], terminal: Terminal): Promise<readonly string[]> {
  if (args.length > 0 && !(args.length === 1 && args[0] === '-')) return args;
  if (args.length === 0 && terminal.stdin.isTTY) {
    throw new DragomanError('usage', 'no text', { hint: 'Give it as an argument, or pipe it in.' });
  }
  return [await readStandardInput(terminal)];
}

/** All of standard input. @throws DragomanError `limit_exceeded`, `interrupted`. */
export async function readStandardBytes({ stdin, signal }: Terminal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stop = (): void => void stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) {
      const data: string | Uint8Array = chunk;
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      size += bytes.length;
      if (size > MAX_BYTES) throw new DragomanError('limit_exceeded', 'standard input has more than 64 MiB');
      chunks.push(bytes);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  throwIfAborted(signal, 'interrupted while reading standard input');
  return Buffer.concat(chunks);
}

async function readStandardInput(terminal: Terminal): Promise<string> {
  const bytes = await readStandardBytes(terminal);
  try {
    return requireUtf8(bytes);
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile('standard input') : error;
  }
}
