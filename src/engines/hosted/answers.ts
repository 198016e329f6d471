import { DragomanError } from '../../base/errors.ts';
import { fieldOf } from '../../base/json.ts';
import type { Vendor } from './access.ts';

/** The list at the end of these names. @throws DragomanError `contract_violation` where there is none. */
export function listOf({ name }: Vendor, answer: unknown, ...names: readonly string[]): readonly unknown[] {
  const list = names.reduce<unknown>(fieldOf, answer);
  if (Array.isArray(list)) return list;
  const place = names.length === 0 ? 'the answer' : `\`${names.join('.')}\` of the answer`;
  throw new DragomanError('contract_violation', `${name}: ${place} is no list`);
}
