import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { PageParts } from './document.ts';

const decompress = promisify(brotliDecompress);

/** This relative path is valid from the sources and from a chunk of the bundle. */
const BUILT = new URL('../../dist/review-page.json.br', import.meta.url);

/**
 * The review page's script and style.
 *
 * @throws Error if the program was not built
 */
export async function readPageParts(): Promise<PageParts> {
  const parts: PageParts = JSON.parse((await decompress(await readFile(BUILT))).toString());
  return parts;
}
