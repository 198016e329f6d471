import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { blocksOf, readDocument } from '../docs/document.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/library/translate.ts');

/** A directory whose only packages are this one and Node's types. */
function userDirectory(): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, 'node_modules/@types'), { recursive: true });
  mkdirSync(join(cwd, 'node_modules/dragoman'));
  for (const part of ['package.json', 'dist'])
    symlinkSync(join(root, part), join(cwd, 'node_modules/dragoman', part));
  symlinkSync(join(root, 'node_modules/@types/node'), join(cwd, 'node_modules/@types/node'));
  symlinkSync(join(root, 'node_modules/undici-types'), join(cwd, 'node_modules/undici-types'));
  cpSync(example, join(cwd, 'translate.ts'));
  return cwd;
}

describe('the library', () => {
  it('has types that need no other package', () => {
    const cwd = userDirectory();
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      types: ['node'],
      preserveSymlinks: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
    };
    const [block] = blocksOf(readDocument('docs/library.md'));
    expect(block?.language).toBe('ts');
    writeFileSync(join(cwd, 'chapter.ts'), block?.text ?? '');
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd });
  });

  it('translates a directory, a file and a value', () => {
    const cwd = userDirectory();
    mkdirSync(join(cwd, 'locales'));
    writeFileSync(join(cwd, 'locales/en.json'), '{ "hello": "Hello {name}" }\n');
    writeFileSync(join(cwd, 'app.properties'), '# shown at the top\ntitle = Welcome\nother = {0} files\n');
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    const env = { PATH: process.env['PATH'], HOME: cwd };
    const stdout = execFileSync(process.execPath, [tsx, 'translate.ts'], { cwd, env, encoding: 'utf8' });
    expect(stdout).toBe('fr written\n# shown at the top\ntitle = Bienvenue\nother = {0} files\n');
    expect(readFileSync(join(cwd, 'locales/fr.json'), 'utf8')).toMatch(/^\{ "hello": "Ĥ.*\{name\}/u);
    expect(readFileSync(join(cwd, 'app_fr.properties'), 'utf8')).toMatch(/^# shown at the top\ntitle = \S/);
  });

  it('is used by the program itself', () => {
    const commands = ['cli', 'project', 'documents']
      .flatMap((room) =>
        readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(root, 'src', room, name),
        ),
      )
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(name, 'utf8'))
      .join('\n');
    for (const name of Object.keys(library))
      expect(new RegExp(`\\b${name}\\b`).test(commands), name).toBe(true);
  });
});
