import { DragomanError } from '../base/errors.ts';

/** What every engine rejects with when its signal aborts. */
export function interrupted(): DragomanError {
  return new DragomanError('interrupted', 'the translation was interrupted');
}
