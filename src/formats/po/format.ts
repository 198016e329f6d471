import type { Format } from '../format.ts';
import { editsToUtf8 } from './header-edits.ts';
import { insertEntries } from './insert.ts';
import { removeEntries } from './remove.ts';
import { retargetCatalog } from './retarget.ts';
import { read, scan, type CatalogTree } from './scan.ts';

/** gettext catalogs: PO files and POT templates. */
export const po: Format<CatalogTree> = {
  scan,
  read,
  retarget: (document, options) => retargetCatalog(document.text, options),
  insert: insertEntries,
  remove: removeEntries,
  toUtf8: ({ text }) => editsToUtf8(text),
};
