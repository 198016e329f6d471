import type { Format } from '../format.ts';
import { insert } from './insert.ts';
import { remove } from './remove.ts';
import { read, scan } from './scan.ts';
import type { Tree } from './table.ts';

/** Java .properties, read as java.util.Properties reads them. A file never names its own locale. */
export const properties: Format<Tree> = { scan, read, retarget: () => [], insert, remove };
