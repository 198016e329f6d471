import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';

/** Bundles the program into dist/. Commands and what they need are chunks of their own, loaded when they are used. */
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};

const { metafile } = await build({
  entryPoints: {
    main: 'src/cli/main.ts',
    'job-worker': 'src/jobs/worker/worker.ts',
    'text-worker': 'src/server/threads/text-worker.ts',
    'firefox-worker': 'src/engines/firefox/worker/worker.ts',
  },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // ES modules where a package has both: the others hide requires of their own files from the bundler (jsonc-parser).
  mainFields: ['module', 'main'],
  // The same code without its traces: for each lexeme the other build looks at an environment variable, which is slow.
  alias: { yaml: join(import.meta.dirname, '../node_modules/yaml/browser/index.js') },
  // Packages with data files or WebAssembly of their own stay packages; everything else is in the bundle.
  external: Object.keys(manifest.dependencies),
  // Bundled CommonJS packages call `require` for Node's own modules.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await licencesOf(metafile));
await removeStale(new Set([...Object.keys(metafile.outputs), 'dist/THIRD-PARTY-LICENSES.txt']));

/** Chunks of earlier builds go last, so that a program that is running meanwhile finds its own. */
async function removeStale(current: ReadonlySet<string>): Promise<void> {
  const entries = await readdir('dist', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(files.filter((file) => !current.has(file)).map((file) => rm(file)));
}

/** The licence texts of every package whose code is in the bundle. */
async function licencesOf({ inputs }: Metafile): Promise<string> {
  const directories = new Set<string>();
  for (const input of Object.keys(inputs)) {
    const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
    if (found) directories.add(found[0]);
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
