import { DragomanError } from '../../base/errors.ts';
import { countCodePoints } from '../../contract/limits.ts';

/** Whether the service takes this much in one request (specification, Limits). */
export function fits(text: string, limit: number): boolean {
  return countCodePoints(text, limit) <= limit;
}

/** @throws DragomanError `limit_exceeded` before anything is sent. */
export function requireFit(text: string, limit: number, what: string, hint: string): void {
  if (fits(text, limit)) return;
  const length = countCodePoints(text).toLocaleString('en');
  throw new DragomanError(
    'limit_exceeded',
    `${what} has ${length} characters, and the service takes ${limit.toLocaleString('en')} at once`,
    { hint },
  );
}
