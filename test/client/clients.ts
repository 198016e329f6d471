import { onTestFinished } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { connectService, type RemoteOptions, type RemoteService } from '../../src/client/connect.ts';

/** Must not appear in any output. */
export const KEY = 'sk-secret-0123456789abcdef';

/** A client that is closed when the test ends. */
export async function connect(options: RemoteOptions): Promise<RemoteService> {
  const remote = await connectService({ key: KEY, env: {}, ...options });
  onTestFinished(() => remote.close());
  return remote;
}

export async function failureOf(work: Promise<unknown>): Promise<DragomanError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

export const signal = new AbortController().signal;
export const EN_FR = { source: 'en', target: 'fr' };

export function translated(text: string) {
  return { translations: { text, translation: text.toUpperCase(), ...EN_FR }, details: {} };
}

export const JOB_ID = '0b0e6f3c-6f0e-4a8e-9d8e-0d9a3a0f4c11';
