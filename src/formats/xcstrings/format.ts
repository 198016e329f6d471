import type { Format } from '../format.ts';
import { languagesOf, type CatalogTree } from './catalog.ts';
import { insertLocalizations } from './insert.ts';
import { removeTexts } from './remove.ts';
import { retargetCatalog } from './retarget.ts';
import { scan } from './scan.ts';

/** Apple's String Catalogs: all languages of a table in one JSON file. */
export const xcstrings: Format<CatalogTree> = {
  scan,
  languages: languagesOf,
  retarget: retargetCatalog,
  insert: insertLocalizations,
  remove: removeTexts,
};
