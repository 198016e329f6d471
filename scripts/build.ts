import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type CodeSplittingNameFunction } from 'rolldown';

/** Bundles the program into dist/. Commands and what they need are chunks of their own, loaded when they are used. */
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};
// Packages with data files or WebAssembly of their own stay packages; everything else is in the bundle.
const external = Object.keys(manifest.dependencies);

/**
 * What only cosmiconfig's own loaders require, which are never called: the configuration has others; and what pg has for
 * Cloudflare and for its compiled variant.
 */
const NEVER_LOADED: ReadonlySet<string> = new Set([
  ...['import-fresh', 'js-yaml', 'parse-json', 'typescript'],
  ...['pg-native', 'pg-cloudflare', 'cloudflare:sockets'],
]);

/**
 * Each is one chunk: what these modules import at their beginning, without what is in those above. Cut finer, by what
 * exactly each command shares with which others, `sync` is made of 85 chunks, and half of its start is finding them.
 */
const CHUNKS = [
  { name: 'start', roots: ['src/cli/main.ts'] },
  { name: 'remembered-run', roots: ['src/cli/remembered-run.ts'] },
  { name: 'program', roots: ['src/cli/program.ts'] },
  { name: 'subtitles', roots: ['src/cli/commands/subtitles.ts'] },
  { name: 'project', roots: ['src/cli/commands/sync.ts'] },
];

const { output } = await build({
  input: {
    main: 'src/cli/main.ts',
    index: 'src/index.ts',
    'job-worker': 'src/jobs/worker/worker.ts',
    'metering-worker': 'src/store/sqlite/metering-worker.ts',
    'text-worker': 'src/server/threads/text-worker.ts',
    'firefox-worker': 'src/engines/firefox/worker/worker.ts',
  },
  platform: 'node',
  external: (id) => NEVER_LOADED.has(id) || external.some((name) => id === name || id.startsWith(`${name}/`)),
  resolve: {
    // ES modules where a package has both.
    mainFields: ['module', 'main'],
    // The same code without its traces: for each lexeme the other build looks at an environment variable, which is slow.
    alias: { yaml: resolve('node_modules/yaml/browser/index.js') },
  },
  transform: { target: 'node20.19' },
  plugins: [
    { name: 'commander', transform: { filter: { id: /commander\/lib\/command\.js$/ }, handler: spawnLate } },
  ],
  // Constants that are needed at once and functions that are needed late come from one module more than once.
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    codeSplitting: {
      groups: CHUNKS.map(({ name, roots }, i) => ({
        name: nameIfReached(name, roots),
        debugName: name,
        priority: CHUNKS.length - i,
      })),
    },
  },
});
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await licencesOf(output));
const written = output.map(({ fileName }) => join('dist', fileName));
await removeStale(new Set([...written, 'dist/THIRD-PARTY-LICENSES.txt']));

/**
 * Commander starts programs for subcommands that are programs of their own, which this program has none of: loading what
 * it starts them with is a tenth of the time in which a command that does nothing is over.
 */
function spawnLate(code: string): string {
  const early = "const childProcess = require('node:child_process');";
  if (!code.includes(early))
    throw new Error('commander loads child_process in another way: see whether this is needed');
  return code.replace(
    early,
    "const childProcess = { spawn: (...given) => require('node:child_process').spawn(...given) };",
  );
}

/** Names the chunk of the modules that the roots reach by static imports. */
function nameIfReached(name: string, roots: readonly string[]): CodeSplittingNameFunction {
  let reached: Set<string> | undefined;
  return (module, graph) => {
    if (!reached) {
      reached = new Set(roots.map((root) => resolve(root)));
      for (const id of reached)
        for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
    }
    return reached.has(module) ? name : null;
  };
}

/** Chunks of earlier builds go last, so that a program that is running meanwhile finds its own. */
async function removeStale(current: ReadonlySet<string>): Promise<void> {
  const entries = await readdir('dist', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files
      .filter((file) => !current.has(file) && !file.startsWith(join('dist', 'types')))
      .map((file) => rm(file)),
  );
}

/** The licence texts of every package whose code is in the bundle. */
async function licencesOf(chunks: typeof output): Promise<string> {
  const directories = new Set<string>();
  for (const chunk of chunks) {
    for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
      const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'));
      if (found) directories.add(found[0]);
    }
  }
  const texts = await Promise.all([...directories].sort().map(licenceOf));
  return texts.join(`\n${'='.repeat(80)}\n\n`);
}

async function licenceOf(directory: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(directory, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry));
  const text =
    file === undefined ? `Licensed under ${license}.` : await readFile(join(directory, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
