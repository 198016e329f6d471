import type { Format } from '../format.ts';
import type { Outline } from '../json/outline.ts';
import { remove } from '../json/remove.ts';
import { insert } from './insert.ts';
import { read, scan } from './scan.ts';

/** Arrays of texts in PHP files, as PHP itself would read them. Nothing is executed. A file never names its language. */
export const php: Format<Outline> = { scan, read, retarget: () => [], insert, remove };
