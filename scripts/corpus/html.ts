import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import fastGlob from 'fast-glob';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { decode } from '../../src/formats/encoding.ts';
import { readFrame, readPage } from '../../src/formats/html/page.ts';
import { translateHtml } from '../../src/documents/page/translate-page.ts';
import { hasOtherReader, readTags } from '../../test/documents/html-oracle.ts';

export interface PageCount {
  readonly files: number;
  readonly wrong: number;
}

/**
 * Translates every page with an engine that changes nothing and one that changes every word, and checks the
 * results with another reader.
 */
export async function examinePages(directory: string): Promise<PageCount> {
  const paths = await fastGlob('**/*.{html,htm}', {
    cwd: directory,
    absolute: true,
    followSymbolicLinks: false,
  });
  const problems = new Map<string, string>();
  const before: string[] = [];
  const after: string[] = [];
  let nodes = 0;
  for (const path of paths.sort()) {
    const { text } = await decode(await readFile(path), 'html');
    nodes += readPage(text).textNodes;
    const { html, problem } = await translateBoth(text);
    if (problem !== undefined) problems.set(path, problem);
    before.push(text);
    after.push(html);
  }
  if (!hasOtherReader)
    process.stdout.write('SKIPPED the independent reader of pages: python3 is not installed\n');
  const [source, result] = [before, after].map((pages) => (hasOtherReader ? readTags(pages, true) : []));
  for (const [i, path] of paths.entries()) {
    if (JSON.stringify(source?.[i]) !== JSON.stringify(result?.[i]))
      problems.set(path, 'the independent reader sees different tags');
  }
  for (const [path, problem] of problems)
    process.stdout.write(`WRONG   ${relative(directory, path)}: ${problem}\n`);
  if (paths.length > 0) {
    process.stdout.write(
      `pages: ${paths.length} files, ${nodes} text nodes, ${problems.size} with problems\n`,
    );
  }
  return { files: paths.length, wrong: problems.size };
}

async function translateBoth(text: string): Promise<{ readonly html: string; readonly problem?: string }> {
  const pseudo = createPseudoEngine();
  const identity: Engine = {
    ...pseudo,
    translate: ({ texts }) => Promise.resolve(texts.map((translation) => ({ translation }))),
  };
  const context = { source: 'en', target: 'fr', signal: new AbortController().signal };
  const same = await translateHtml(text, { ...context, engine: identity });
  if (same.html !== text) return { html: text, problem: 'the engine that changes nothing changed bytes' };
  const { html, failures } = await translateHtml(text, { ...context, engine: pseudo });
  const [failure] = failures;
  if (failure) return { html, problem: `line ${failure.line}: ${failure.reason}` };
  if (readFrame(html).markup === readFrame(text).markup) return { html };
  return { html, problem: 'something other than the texts changed' };
}
