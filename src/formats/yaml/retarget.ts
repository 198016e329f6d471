import type { Edit } from '../../base/span.ts';
import type { RetargetOptions } from '../format.ts';
import type { YamlDocument } from './outline.ts';
import { isPlainText } from './quoting.ts';
import { rootName } from './root.ts';

/**
 * Renames the Rails root key, its quotes kept; `no` gets some, which YAML 1.1 reads as false. Plural keys (`one`,
 * `other`) are keys like all others: sets of keys stay as they are.
 */
export function retarget(document: YamlDocument, { spelling, role }: RetargetOptions): readonly Edit[] {
  const root = document.tree.root;
  if (!root || role === 'existing' || document.locale === spelling) return [];
  const [start, end] = rootName(root, document.text);
  const bare = start === root.head;
  const text = bare && !isPlainText(spelling, root.flow) ? `"${spelling}"` : spelling;
  return [{ span: { start, end }, text }];
}
