import { DragomanError } from '../../src/base/errors.ts';

/** The typed error that a call fails with. */
export async function errorOf(call: Promise<unknown>): Promise<DragomanError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}
