import { DragomanError } from '../../base/errors.ts';

/** @throws DragomanError `usage` for what is no id of a job: it becomes a part of an address. */
export function requireJobId(text: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new DragomanError('usage', `${JSON.stringify(text)} is no job`, {
    hint: 'dragoman jobs list shows the ids.',
  });
}

/** Distinct ids in their order. @throws DragomanError `usage`. */
export function requireJobIds(args: readonly string[]): readonly string[] {
  return [...new Set(args.map(requireJobId))];
}
