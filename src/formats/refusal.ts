import { DragomanError } from '../base/errors.ts';
import { positionAt } from '../base/span.ts';

/** The error `unreadable_input` at `offset`. */
export function failAt(text: string, offset: number, message: string, hint?: string): DragomanError {
  return new DragomanError('unreadable_input', message, { at: positionAt(text, offset), hint });
}

/** @throws DragomanError `unreadable_input` always, placed at `offset`. */
export function refuse(text: string, offset: number, message: string, hint?: string): never {
  throw failAt(text, offset, message, hint);
}
