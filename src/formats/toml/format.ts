import type { Format } from '../format.ts';
import { planRemovals } from '../graft.ts';
import { removeBlocks } from '../lines.ts';
import { insert } from './insert.ts';
import { retarget } from './retarget.ts';
import { read, scan } from './scan.ts';
import type { TomlTree } from './tree.ts';

/** TOML 1.0, with the messages of go-i18n and Hugo. A file never names its language. */
export const toml: Format<TomlTree> = {
  scan,
  read,
  retarget,
  insert,
  remove: ({ text, tree }, keys) =>
    removeBlocks(
      text,
      planRemovals(tree.entries, keys).map(({ span }) => span),
    ),
};
