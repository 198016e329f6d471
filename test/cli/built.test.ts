import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectWith, temporaryDirectory } from './harness.ts';

/**
 * The bundle differs from the sources: packages are resolved differently, and lazy modules are loaded from chunks.
 * Every lazy path runs once here, in a separate process.
 */
const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/dragoman.js');

function built(
  argv: readonly string[],
  cwd: string,
  bin = BIN,
): { status: number | null; stdout: string; stderr: string } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, XDG_CACHE_HOME: join(cwd, '.cache') };
  return spawnSync(process.execPath, [bin, ...argv], { cwd, env, encoding: 'utf8', input: '' });
}

/** The hashes in the names of chunks. */
const HASH = /(-[\w-]{8})\.js/g;

/** The program as built from other sources: the names of its chunks have other hashes. */
function otherBuild(): string {
  const root = temporaryDirectory();
  for (const part of ['bin', 'dist']) cpSync(join(ROOT, part), join(root, part), { recursive: true });
  for (const part of ['package.json', 'node_modules']) symlinkSync(join(ROOT, part), join(root, part));
  for (const directory of ['dist', 'dist/chunks'].map((name) => join(root, name))) {
    for (const name of readdirSync(directory).filter((one) => one.endsWith('.js'))) {
      const path = join(directory, name);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(HASH, '$1x.js'));
      renameSync(path, join(directory, name.replaceAll(HASH, '$1x.js')));
    }
  }
  return join(root, 'bin/dragoman.js');
}

describe('the built program', () => {
  it.each([
    ['dragoman.config.yaml', 'source: en\ntargets: [de]\nengine: pseudo\n'],
    ['dragoman.config.json', '{ "source": "en", "targets": ["de"], "engine": "pseudo" }'],
    ['.dragomanrc', 'source: en\ntargets: [de]\nengine: pseudo\n'],
    ['package.json', '{ "dragoman": { "source": "en", "targets": ["de"], "engine": "pseudo" } }'],
  ])('reads %s', (name, content) => {
    const root = projectWith({ 'en.json': '{"a": "One"}', [name]: content });
    const result = built(['sync'], root);
    // V8 must not report errors about flags, either.
    expect(result.stderr).not.toMatch(/error/i);
    expect(result.status).toBe(0);
    expect(existsSync(join(root, 'de.json'))).toBe(true);
  });

  it('reports the place of an error in the configuration', () => {
    const root = projectWith({ 'en.json': '{}', 'dragoman.config.yaml': 'source: en\ntarget: [de]\n' });
    const result = built(['sync'], root);
    expect(result.status).toBe(2);
    expect(result.stderr).toMatch(/dragoman\.config\.yaml:2:1: .*target/);
  });

  it('reads and writes a legacy charset, expands patterns, and detects languages', () => {
    const po = Buffer.from(
      'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=windows-1250\\n"\n\n# za\u009d\nmsgid "Open the file"\nmsgstr ""\n',
      'latin1',
    );
    const root = projectWith({ 'a.po': po, 'b.yml': 'a: Good morning, everybody\n' });
    const result = built(['i18n', '*.po', 'b.yml', '-t', 'cs', '--engine', 'pseudo', '-o', 'out'], root);
    // The accents of the pseudo engine are not in windows-1250: the value keeps its source and is reported.
    expect(result.status, result.stderr).toBe(7);
    expect(readdirSync(join(root, 'out')).sort()).toEqual(['a_cs.po', 'b_cs.yml']);
    expect(readFileSync(join(root, 'out/a_cs.po'), 'latin1')).toContain('# za\u009d\n');
  });

  it('reads every format', () => {
    const root = projectWith({});
    execFileSync('cp', ['-r', `${join(import.meta.dirname, '../../demo/project')}/.`, root]);
    const result = built(['sync', '-s', 'en', '-t', 'de', '--engine', 'pseudo'], root);
    expect(result.status, result.stderr).toBe(0);
    expect(built(['check'], root)).toMatchObject({ status: 0 });
  });

  it('compares files again that another build found up to date, even one with the same version', () => {
    const root = projectWith({ 'en.json': '{"a": "One"}' });
    expect(built(['sync', '-s', 'en', '-t', 'de', '--engine', 'pseudo'], root)).toMatchObject({ status: 0 });
    const clean = join(root, '.cache/dragoman/clean');
    for (const name of readdirSync(clean)) {
      const found = readFileSync(join(clean, name), 'utf8');
      writeFileSync(join(clean, name), found.replaceAll(',1,0,0,0,0,1,', ',41,0,0,0,0,41,'));
    }
    const keysIn = (bin?: string): unknown => {
      const { stdout, stderr } = built(['status', '--json'], root, bin);
      expect(stderr).not.toContain('Error');
      return JSON.parse(stdout).projects[0].languages[0].coverage.keys;
    };
    expect(keysIn()).toBe(41);
    expect(keysIn(otherBuild())).toBe(1);
  });

  it('works where compiled code cannot be kept', () => {
    const root = projectWith({ 'en.json': '{"a": "One"}' });
    const env = { PATH: process.env['PATH'] ?? '', HOME: root, XDG_CACHE_HOME: '/dev/null' };
    const argv = [BIN, 'sync', '-s', 'en', '-t', 'de', '--engine', 'pseudo'];
    const result = spawnSync(process.execPath, argv, { cwd: root, env, encoding: 'utf8' });
    expect(result.stderr).toBe('translated by pseudo\n1 file written\n');
    expect(result.status).toBe(0);
  });

  describe.skipIf(!('enableCompileCache' in nodeModule))('with a Node that keeps compiled code', () => {
    function filesKeptFor(env: NodeJS.ProcessEnv): readonly string[] {
      const root = projectWith({ 'en.json': '{"a": "One"}' });
      const cache = temporaryDirectory();
      const argv = [BIN, 'sync', '-s', 'en', '-t', 'de', '--engine', 'pseudo'];
      const all = { PATH: process.env['PATH'] ?? '', HOME: root, XDG_CACHE_HOME: cache, ...env };
      expect(spawnSync(process.execPath, argv, { cwd: root, env: all }).status).toBe(0);
      const kept = join(cache, 'dragoman/compiled');
      return existsSync(kept) ? readdirSync(kept, { recursive: true }).map(String) : [];
    }

    it('keeps the compiled code of its modules', () => {
      expect(filesKeptFor({}).length).toBeGreaterThan(5);
    });

    it('does not name a directory after an unknown command', () => {
      const cache = temporaryDirectory();
      const env = { PATH: process.env['PATH'] ?? '', HOME: cache, XDG_CACHE_HOME: cache };
      expect(spawnSync(process.execPath, [BIN, '../../typo'], { env }).status).toBe(2);
      expect(readdirSync(join(cache, 'dragoman/compiled'))).toEqual([expect.stringMatching(/^-/)]);
    });

    it.each([{ NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_COMPILE_CACHE: 'own' }])(
      "keeps nothing if the user's own variables control the cache: %o",
      (env) => {
        expect(filesKeptFor(env)).toEqual([]);
      },
    );
  });
});
