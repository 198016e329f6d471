import { readFile } from 'node:fs/promises';
import { build, type OutputChunk } from 'rolldown';
import type { PageParts } from '../../src/review/document.ts';

/** Bytes of script and style, before compression. */
const MAX_PAGE = 450_000;

/**
 * Bundles the parts of the review page.
 * @returns the parts, and the script's chunk, which lists its packages
 */
export async function buildReviewPage(): Promise<{ readonly parts: PageParts; readonly chunk: OutputChunk }> {
  const { output } = await build({
    input: 'src/review/page/main.tsx',
    write: false,
    platform: 'browser',
    tsconfig: 'src/review/page/tsconfig.json',
    // Only these have side effects when loaded: one connects signals with components, the other is the page.
    treeshake: { moduleSideEffects: (id) => /\/@preact\/signals\/|\/src\/review\/page\/main\.tsx$/.test(id) },
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        // The parser's data for skeletons, and the hour formats by region: `src/text/icu.ts` uses neither.
        name: 'skeletons-of-icu-parser',
        transform: {
          filter: { id: /\/icu-messageformat-parser\/index\.js$/ },
          handler(code) {
            const pieces = code.split(/this\.shouldParseSkeletons(?= \?)|this\.locale(?=\) dateTimePattern)/);
            if (pieces.length !== 4) throw new Error('the ICU parser now reads skeletons differently');
            return pieces.join('false');
          },
        },
      },
    ],
    checks: { bundlerTimings: false },
    output: { format: 'iife', minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } } },
  });
  const [chunk] = output;
  const styles = await readFile('src/review/page/style.css', 'utf8');
  const parts = {
    // Escapes text that would end the HTML element or turn its script into comments.
    script: chunk.code
      .replaceAll(/<(?=\/script|!--|script)/gi, String.raw`\x3c`)
      .replaceAll(/\/\* ?[@#]__PURE__ ?\*\//g, ''),
    style: styles.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\s*\n\s*/g, '\n'),
  };
  const size = Buffer.byteLength(parts.script) + Buffer.byteLength(parts.style);
  if (size > MAX_PAGE) throw new Error(`the review page has ${size} bytes; at most ${MAX_PAGE}`);
  return { parts, chunk };
}
