import { dirname } from 'node:path';
import { writeAtomically, type FileContent } from '../../base/atomic-file.ts';
import { isLink, requireUnreserved } from '../../base/inside.ts';

/**
 * Writes a file that a command was asked for. A checkout can have a symbolic link at its place, `en_fr.json` to
 * `.git/config` or to a file of the user's: such a link has to stay below the directory of the output.
 *
 * @throws DragomanError `unwritable_output`
 */
export async function writeOutput(path: string, content: FileContent): Promise<void> {
  if (isLink(path)) requireUnreserved(dirname(path), path, 'unwritable_output');
  await writeAtomically(path, content);
}
