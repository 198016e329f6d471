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
 * YAML 1.2 as the `yaml` package parses it, restricted to texts that YAML 1.1 readers (Ruby, Python) read alike.
 * Documents are never reprinted: the package only locates values.
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

/** Renames the Rails root key and keeps its quotes; `no`, which YAML 1.1 reads as false, is quoted. */
function renameRoot(document: YamlDocument, { spelling, role }: RetargetOptions): readonly Edit[] {
  const root = document.tree.root;
  if (!root || role === 'existing' || document.locale === spelling) return [];
  const [start, end] = rootName(root, document.text);
  const bare = start === root.head;
  const text = bare && !isPlainText(spelling, root.flow) ? `"${spelling}"` : spelling;
  return [{ span: { start, end }, text }];
}
