import type { Format } from '../format.ts';
import { requireBoundedAliases } from './aliases.ts';
import { insert } from './insert.ts';
import type { YamlStructure } from './outline.ts';
import { remove } from './remove.ts';
import { retarget } from './retarget.ts';
import { read, scan } from './scan.ts';

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
