import type { Format, RetargetOptions } from '../format.ts';
import { requireBoundedAliases, type YamlDocument, type YamlStructure } from './outline.ts';
import { insert } from './insert.ts';
import { turnForms } from './plurals.ts';
import { remove } from './remove.ts';
import { read, scan } from './scan.ts';
import type { Edit } from '../../base/span.ts';
import { isPlainText } from './quoting.ts';
import { rootName } from './special-keys.ts';

/**
 * YAML 1.2 as the `yaml` package reads it, with the texts that YAML 1.1 readers (Ruby, Python) agree on. Documents are
 * never printed anew: the package only locates.
 */
export const yaml: Format<YamlStructure> = {
  scan,
  read,
  retarget,
  insert,
  remove,
  requireBounded: requireBoundedAliases,
};

function retarget(document: YamlDocument, options: RetargetOptions): readonly Edit[] {
  return [...renameRoot(document, options), ...turnForms(document, options)];
}

/** Renames the Rails root key, its quotes kept; `no` gets some, which YAML 1.1 reads as false. */
function renameRoot(document: YamlDocument, { spelling, role }: RetargetOptions): readonly Edit[] {
  const root = document.tree.root;
  if (!root || role === 'existing' || document.locale === spelling) return [];
  const [start, end] = rootName(root, document.text);
  const bare = start === root.head;
  const text = bare && !isPlainText(spelling, root.flow) ? `"${spelling}"` : spelling;
  return [{ span: { start, end }, text }];
}
