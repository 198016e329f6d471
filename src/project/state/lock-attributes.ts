import { join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { readIfThere } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { entryAt, realPathAt } from '../../base/file-facts.ts';
import { findWorkTree } from '../../git/work-tree.ts';
import { LOCK_NAME } from './lock.ts';

export const ATTRIBUTES_NAME = '.gitattributes';
/** A lock's lines are independent, so the union of both sides is a valid lock. */
export const LOCK_ATTRIBUTES = `${LOCK_NAME} merge=union`;

const MAX_BYTES = 1024 * 1024;
const HAS_MERGE = new RegExp(
  `^[ \\t]*(?:/|\\*\\*/)?${LOCK_NAME.replace('.', '\\.')}[ \\t].*\\bmerge\\b`,
  'm',
);

/** `kept`: the file is a link or unwritable, so a person must add the line. */
export type AttributesResult = 'written' | 'kept' | undefined;

/**
 * Lets git merge the lock of a project in a work tree, by adding a line to the `.gitattributes` next to it.
 *
 * @returns undefined if nothing is needed: outside a work tree, or if the line exists
 */
export async function addLockAttributes(root: string): Promise<AttributesResult> {
  if (!(await findWorkTree(realPathAt(root)))) return undefined;
  const path = join(root, ATTRIBUTES_NAME);
  const type = entryAt(path);
  if (type !== undefined && type !== 'file') return 'kept';
  try {
    const text = (await readIfThere(path, { limit: MAX_BYTES }))?.toString('latin1') ?? '';
    if (HAS_MERGE.test(text)) return undefined;
    const line = text === '' || text.endsWith('\n') ? LOCK_ATTRIBUTES : `\n${LOCK_ATTRIBUTES}`;
    await writeAtomically(path, Buffer.from(`${text}${line}\n`, 'latin1'));
    return 'written';
  } catch (error) {
    if (error instanceof DragomanError) return 'kept';
    throw error;
  }
}
