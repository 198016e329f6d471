import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative, resolve } from 'node:path';

/** Writes the types of the library into dist/types: those of src/index.ts, and their dependencies. */
const entry = 'index.d.ts';
const directory = mkdtempSync(join(tmpdir(), 'dragoman-types-'));
try {
  const project = {
    extends: resolve('tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: resolve('src'),
      outDir: directory,
      typeRoots: [resolve('node_modules/@types')],
    },
    include: [resolve('src/index.ts'), resolve('src/**/*.d.ts')],
  };
  const configuration = join(directory, 'tsconfig.json');
  writeFileSync(configuration, JSON.stringify(project));
  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', configuration], {
    stdio: 'inherit',
  });
  rmSync('dist/types', { recursive: true, force: true });
  for (const file of reachableFrom(entry)) {
    const path = join('dist/types', relative(directory, file));
    mkdirSync(dirname(path), { recursive: true });
    cpSync(file, path);
    // Under its package name, a module is found with every compiler setting.
    const named = readFileSync(file, 'utf8').replace(/((['"])\.[^'"]+)\.ts\2/g, '$1.js$2');
    // Indented like the sources, because the installed size is limited.
    writeFileSync(
      path,
      named.replace(/^(?: {4})+/gm, (blanks) => blanks.slice(blanks.length / 2)),
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** A user of the library does not have the bundled packages, so their types must not be needed. */
function reachableFrom(first: string): ReadonlySet<string> {
  const reached = new Set([join(directory, first)]);
  for (const file of reached) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      if (name.startsWith('.')) reached.add(normalize(join(dirname(file), name.replace(/\.ts$/, '.d.ts'))));
      else if (!name.startsWith('node:'))
        throw new Error(`${relative(directory, file)} has types of ${name}`);
    }
  }
  return reached;
}
