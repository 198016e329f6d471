import { parse } from 'parse5';
import { translateHtml } from '../../src/documents/page/translate-page.ts';
import { ECHO, timed } from './echo.ts';
import { interleave, median, milliseconds, printRow } from './measure.ts';
import { Sentences } from './words.ts';

const BYTES = 1_000_000;
const RUNS = 7;

/**
 * A page of 1 MB: all work except the engine's, compared with parsing it alone, with the offsets that
 * splicing needs.
 */
export async function benchHtml(): Promise<void> {
  const page = makePage();
  const context = { engine: ECHO, source: 'en', target: 'fr', signal: new AbortController().signal };
  const [parses = [], wholes = []] = await interleave(RUNS, [
    timed(() => parse(page, { sourceCodeLocationInfo: true })),
    timed(() => translateHtml(page, context)),
  ]);
  const [parsing, whole] = [median(parses), median(wholes)];
  printRow('html       1 MB, parse5 alone', milliseconds(parsing));
  printRow(
    'html       1 MB, all but the engine',
    `${milliseconds(whole)}  ${(whole / parsing).toFixed(1)} x the parser's time`,
  );
}

/** Paragraphs with inline tags, entities, lists and code. */
function makePage(): string {
  const sentences = new Sentences();
  const blocks: string[] = [];
  let size = 0;
  while (size < BYTES) {
    const [first, second, third] = [sentences.next(), sentences.next(), sentences.next()];
    const block = `<h2>${first}</h2>\n<p class="text">${second} <b>${third}</b> <a href="/x?a=1&amp;b=2">${first}</a> &copy; <code>npm ci</code></p>\n<ul><li>${second}<li>${third}</ul>\n`;
    blocks.push(block);
    size += block.length;
  }
  return `<!doctype html>\n<html lang="en"><head><title>${sentences.next()}</title></head>\n<body>\n${blocks.join('')}</body></html>\n`;
}
