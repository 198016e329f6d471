import { join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { readIfThere } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { entryAt, realPathAt } from '../../base/file-facts.ts';
import { findWorkTree } from '../../git/work-tree.ts';
import { LOCK_NAME } from './lock.ts';

export const ATTRIBUTES_NAME = '.gitattributes';
/** Each line of a lock stands for itself, so that the lines of both sides make a lock. */
export const LOCK_ATTRIBUTES = `${LOCK_NAME} merge=union`;

const MAX_BYTES = 1024 * 1024;
const HAS_MERGE = new RegExp(
  `^[ \\t]*(?:/|\\*\\*/)?${LOCK_NAME.replace('.', '\\.')}[ \\t].*\\bmerge\\b`,
  'm',
);

/** `kept`: it is a link or cannot be written, so that a person has to add the line. */
export type AttributesResult = 'written' | 'kept' | undefined;

/**
 * Lets git merge the lock of a project in a work tree: adds a line to the `.gitattributes` beside it.
 *
 * @returns undefined where nothing is to be done: outside of a work tree, and where a line is there
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
