import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import {
  build,
  type CodeSplittingNameFunction,
  type EmittedAsset,
  type OutputAsset,
  type OutputChunk,
} from 'rolldown';
import {
  chooseNative,
  constantsOnPrototype,
  parseUnoptimized,
  spawnLate,
  usedPartsOf,
} from './build/package-code.ts';
import { buildReviewPage } from './build/review-page.ts';

// Bundles the program into dist/. Each command and its dependencies are separate chunks, loaded on demand.

/**
 * Modules that only cosmiconfig's own loaders require, which are never called because this program configures
 * others; and pg's modules for Cloudflare and for its native variant.
 */
const NEVER_LOADED: ReadonlySet<string> = new Set([
  'import-fresh',
  'js-yaml',
  'parse-json',
  'typescript',
  'pg-native',
  'pg-cloudflare',
  'cloudflare:sockets',
]);

/**
 * Each chunk has the modules that all its roots import statically, except those in chunks listed before it.
 * With finer chunks, one for each set of commands that share modules, `sync` would consist of 85 chunks, and locating
 * them would take half of its start-up time.
 */
const CHUNKS = [
  { name: 'start', roots: ['src/cli/main.ts'] },
  { name: 'program', roots: ['src/cli/program.ts'] },
  { name: 'files', roots: ['src/cli/commands/subtitles.ts', 'src/cli/commands/sync.ts'] },
  { name: 'subtitles', roots: ['src/cli/commands/subtitles.ts'] },
  { name: 'project', roots: ['src/cli/commands/sync.ts'] },
  { name: 'json', roots: ['src/formats/json/format.ts'] },
  { name: 'hosted', roots: ['src/engines/deepl/deepl.ts', 'src/engines/google/google.ts'] },
];

/** Read by `src/review/page-parts.ts`. */
const REVIEW_PAGE = 'dist/review-page.json.br';

/** Bytes. */
const MAX_UNCOMPRESSED = 1_000_000;

/**
 * Bytes. Maximum compression takes ten times as long for the last tenth of the size: 15 seconds for the largest file.
 */
const MAX_SQUEEZED = 2_000_000;

const { output } = await build({
  input: {
    main: 'src/cli/main.ts',
    index: 'src/index.ts',
    'job-worker': 'src/jobs/worker/worker.ts',
    'metering-worker': 'src/store/sqlite/metering-worker.ts',
    'text-worker': 'src/server/threads/text-worker.ts',
    'firefox-worker': 'src/engines/firefox/worker/worker.ts',
    'blocking-thread': 'src/workers/blocking-thread.ts',
  },
  platform: 'node',
  external: (id) => NEVER_LOADED.has(id),
  resolve: {
    // ES modules where a package has both.
    mainFields: ['module', 'main'],
    alias: {
      // The same code without tracing: for each token, the other build reads an environment variable, which
      // is slow.
      yaml: resolve('node_modules/yaml/browser/index.js'),
      // These two have ES modules that call the namespaces of CommonJS packages.
      'cld3-asm': resolve('node_modules/cld3-asm/dist/cjs/index.js'),
      'emscripten-wasm-loader': resolve('node_modules/emscripten-wasm-loader/dist/cjs/index.js'),
    },
  },
  // CommonJS packages, which become ES modules in the bundle, use `__dirname`.
  transform: { target: 'node20.19', define: { __dirname: 'import.meta.dirname' } },
  plugins: [
    {
      name: 'native-code-of-libsql',
      transform: { filter: { id: /\/libsql\/index\.js$/ }, handler: chooseNative },
    },
    { name: 'commander', transform: { filter: { id: /commander\/lib\/command\.js$/ }, handler: spawnLate } },
    {
      // The whole package, with fetch, WebSockets, caches and mocks, takes 50 ms of CPU and 10 MB to load.
      name: 'parts-of-undici',
      transform: { filter: { id: /\/undici\/index\.js$/ }, handler: usedPartsOf },
    },
    {
      // No connection uses HTTP/2, and Node's client for it takes 5 ms to load.
      name: 'undici-without-http2',
      transform: {
        filter: { id: /\/undici\/lib\/dispatcher\/client-h2\.js$/ },
        handler: () => `module.exports = () => { throw new Error('HTTP/2 is off'); };`,
      },
    },
    {
      // Only its builder is used; its YAML reader needs another package.
      name: 'xmlbuilder2-without-readers',
      transform: {
        filter: { id: /\/xmlbuilder2\/lib\/readers\/index\.js$/ },
        handler: () => 'module.exports = {};',
      },
    },
    {
      name: 'nodes-of-xmlbuilder2',
      transform: {
        filter: { id: /\/@oozcitak\/dom\/lib\/dom\/NodeImpl\.js$/ },
        handler: constantsOnPrototype,
      },
    },
    {
      name: 'parser-of-undici',
      transform: { filter: { id: /\/client-h1\.js$/ }, handler: parseUnoptimized },
    },
    {
      // Compression reduces the file to a third of its size.
      name: 'wasm-of-fxtranslate',
      transform: {
        filter: { id: /\/fxtranslate\/wasm\/fxtranslate_wasm\.js$/ },
        handler(code, id) {
          const [text = '', name = ''] =
            /const wasmPath = `\$\{__dirname\}\/([\w.]+)`;\s*const wasmBytes = [^;]+;/.exec(code) ?? [];
          if (name === '') throw new Error('fxtranslate now reads its WebAssembly differently');
          const file = this.emitFile(packed(name, id, readFileSync(join(dirname(id), name)), true));
          return code.replace(text, `const wasmBytes = ${readPacked(file)};`);
        },
      },
    },
    {
      name: 'files-of-packages',
      transform: {
        filter: { code: /import\.meta\.resolve\(|\$\{__dirname\}/ },
        handler(code, id) {
          const copy = (path: string): string =>
            `import.meta.ROLLUP_FILE_URL_${this.emitFile(packed(basename(path), path, readFileSync(path)))}`;
          return code
            .replace(/import\.meta\.resolve\(\s*'([^']+)',?\s*\)/g, (_, name: string) =>
              copy(fileURLToPath(import.meta.resolve(name))),
            )
            .replace(
              /`\$\{__dirname\}\/([\w.]+)`/g,
              (_, name: string) => `new URL(${copy(join(dirname(id), name))})`,
            );
        },
      },
    },
    {
      // As text in its module, the WebAssembly is three times as large as a compressed file.
      name: 'wasm-of-cld3',
      transform: {
        filter: { id: /\/cld3-asm\/dist\/cjs\/lib\/node\/cld3\.js$/ },
        handler(code, id) {
          const [text = '', base64 = ''] =
            /(?<=wasmBinaryFile="data:application\/octet-stream;base64,)([^"]{100,})";/.exec(code) ?? [];
          if (base64 === '') throw new Error('cld3-asm now stores its WebAssembly differently');
          const file = this.emitFile(packed('cld3.wasm', id, Buffer.from(base64, 'base64'), true));
          return code.replace(text, `";wasmBinary=${readPacked(file)};`);
        },
      },
    },
    {
      // As compressed JSON, the data are a fifth of their size as code, and are read in a fifth of the time.
      name: 'data-of-eld',
      transform: {
        filter: { id: /\/eld\/src\/ngrams\/\w+\.js$/ },
        async handler(_, id) {
          const { ngramsData } = (await import(id)) as { readonly ngramsData: NgramsData };
          const json = Buffer.from(JSON.stringify(withSharedScores(ngramsData)));
          const file = this.emitFile(packed(`eld-${basename(id, '.js')}.json`, id, json));
          return `import { readFileSync } from 'node:fs';
            import { brotliDecompressSync } from 'node:zlib';
            const json = brotliDecompressSync(readFileSync(new URL(import.meta.ROLLUP_FILE_URL_${file})));
            const { texts, places, scores, ...data } = JSON.parse(json.toString());
            const ngrams = {};
            for (let i = 0; i < texts.length; i++) ngrams[texts[i]] = scores[places[i]];
            export const ngramsData = { ...data, ngrams };`;
        },
      },
    },
  ],
  // Some modules export constants that are needed at once and functions that are needed late. Compressing
  // takes time.
  checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Stack traces in bug reports contain the names of functions.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    codeSplitting: {
      groups: CHUNKS.map(({ name, roots }, i) => ({
        name: nameIfReached(name, roots),
        debugName: name,
        priority: CHUNKS.length - i,
      })),
    },
  },
});
const { parts, chunk } = await buildReviewPage();
await writeFile(REVIEW_PAGE, compress(Buffer.from(JSON.stringify(parts)), basename(REVIEW_PAGE)));
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await licencesOf([...output, chunk]));
// `man` reads compressed pages, which are a sixth of the size.
await writeFile('dist/dragoman.1.gz', gzipSync(await readFile('man/dragoman.1')));
const written = output.map(({ fileName }) => join('dist', fileName));
await removeStale(new Set([...written, REVIEW_PAGE, 'dist/THIRD-PARTY-LICENSES.txt', 'dist/dragoman.1.gz']));

interface NgramsData {
  /** For each n-gram, the scores of the languages in which it occurs. */
  readonly ngrams: Readonly<Record<string, unknown>>;
}

/**
 * Only one in five n-grams has scores that differ from those of all earlier n-grams: separate objects would take
 * 15 MB in every process.
 */
function withSharedScores({ ngrams, ...data }: NgramsData): unknown {
  const known = new Map<string, number>();
  const placeOf = (scores: string): number => {
    const place = known.get(scores) ?? known.size;
    known.set(scores, place);
    return place;
  };
  const places = Object.values(ngrams).map((own) => placeOf(JSON.stringify(own)));
  const scores = [...known.keys()].map((written): unknown => JSON.parse(written));
  return { ...data, texts: Object.keys(ngrams), places, scores };
}

/** The CommonJS expression for the content of a packed file. */
function readPacked(file: string): string {
  const read = `require('node:fs').readFileSync(new URL(import.meta.ROLLUP_FILE_URL_${file}))`;
  return `require('node:zlib').brotliDecompressSync(${read})`;
}

/**
 * A file that a package reads at run time. Large files are compressed; the reading code recognizes these by their
 * names.
 */
function packed(
  name: string,
  originalFileName: string,
  content: Uint8Array,
  isLarge = content.length > MAX_UNCOMPRESSED,
): EmittedAsset {
  const fileName = `chunks/${name}${isLarge ? '.br' : ''}`;
  return {
    type: 'asset',
    originalFileName,
    fileName,
    source: isLarge ? compress(content, fileName) : content,
  };
}

/** Reuses the last build's result for the same content. */
function compress(content: Uint8Array, fileName: string): Uint8Array {
  const path = join('dist', fileName);
  const earlier = existsSync(path) ? readFileSync(path) : undefined;
  if (earlier && isCompressed(earlier, content)) return earlier;
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: content.length > MAX_SQUEEZED ? 9 : constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

function isCompressed(compressed: Uint8Array, content: Uint8Array): boolean {
  try {
    return brotliDecompressSync(compressed).equals(content);
  } catch {
    return false;
  }
}

/** Names the chunk of the modules that the roots reach by static imports. */
function nameIfReached(name: string, roots: readonly string[]): CodeSplittingNameFunction {
  let reached: readonly ReadonlySet<string>[] | undefined;
  return (module, graph) => {
    reached ??= roots.map((root) => {
      const ids = new Set([resolve(root)]);
      for (const id of ids)
        for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
      return ids;
    });
    return reached.every((ids) => ids.has(module)) ? name : null;
  };
}

/** Chunks of earlier builds are removed last, so that a running program can still load its own. */
async function removeStale(current: ReadonlySet<string>): Promise<void> {
  const entries = await readdir('dist', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files
      .filter((file) => !current.has(file) && !file.startsWith(join('dist', 'types')))
      .map((file) => rm(file)),
  );
}

/** The licence texts of every package with code in the bundle. */
async function licencesOf(chunks: readonly (OutputChunk | OutputAsset)[]): Promise<string> {
  const directories = new Set<string>();
  for (const chunk of chunks) {
    for (const id of chunk.type === 'chunk' ? chunk.moduleIds : chunk.originalFileNames) {
      const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'));
      if (found) directories.add(found[0]);
    }
  }
  const licences = await Promise.all([...directories].sort().map(licenceOf));
  const byTerms = new Map<string, Licence[]>();
  for (const licence of licences) {
    const words = licence.terms.replaceAll(/\W+/g, ' ').replace(/^ ?(?:The )?MIT License (?:MIT )?/i, '');
    byTerms.set(words, [...(byTerms.get(words) ?? []), licence]);
  }
  const texts = [...byTerms.values()].map((those) => {
    const packages = those.map(({ title, notices }) => [title, ...notices].join('\n'));
    return `${packages.join('\n\n')}\n\n${those[0]?.terms ?? ''}\n`;
  });
  return texts.join(`\n${'='.repeat(80)}\n\n`);
}

interface Licence {
  /** The package, its licence's name and its origin. */
  readonly title: string;
  /** The copyright notices. */
  readonly notices: readonly string[];
  /** The other terms, which many packages share word for word. */
  readonly terms: string;
}

async function licenceOf(directory: string): Promise<Licence> {
  const { name, version, license, repository } = JSON.parse(
    await readFile(join(directory, 'package.json'), 'utf8'),
  ) as Record<'name' | 'version' | 'license', string> & {
    readonly repository?: string | { readonly url: string };
  };
  const source = typeof repository === 'object' ? repository.url : repository;
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry));
  const text =
    file === undefined ? `Licensed under ${license}.` : await readFile(join(directory, file), 'utf8');
  const origin = source === undefined ? '' : `\nSource: ${source}`;
  const lines = text.trim().split(/\r?\n/);
  const isNotice = (line: string): boolean => /^\W{0,3}copyright (?:\(c\)|©|\d{4})/i.test(line.trim());
  return {
    title: `${name} ${version} (${license})${origin}`,
    notices: lines.filter(isNotice),
    terms: lines
      .filter((line) => !isNotice(line))
      .join('\n')
      .trim(),
  };
}
