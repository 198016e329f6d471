import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import type { StoredEntry } from '../../src/memory/stored-memory.ts';
import { EN_ES, entryOf, inPair, type OldEntry, writeMemory } from '../memory/harness.ts';
import { projectWith, temporaryDirectory } from './harness.ts';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

/** Writes its name before every text. */
const ENGINE = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  const translations = texts.map((text) => process.argv[2] + ' ' + text);
  process.stdout.write(JSON.stringify({ id, translations }) + '\\n');
});
`;

type Texts = Readonly<Record<string, string>>;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user of the built program, with a memory in their own cache. */
class User {
  readonly cache = temporaryDirectory();

  run(cwd: string, ...argv: readonly string[]): Ended {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.cache,
      XDG_CACHE_HOME: this.cache,
      XDG_CONFIG_HOME: this.cache,
      XDG_STATE_HOME: this.cache,
    };
    return spawnSync(process.execPath, [BIN, ...argv], { cwd, env, encoding: 'utf8', input: '' });
  }

  sync(root: string, engine: string): void {
    const program = `${process.execPath} ${join(root, 'engine.cjs')} ${engine}`;
    const { status, stderr } = this.run(root, 'sync', '--engine-command', program);
    expect(status, stderr).toBe(0);
  }

  get memory(): string {
    return join(this.cache, 'dragoman', 'memory.db');
  }

  async entries(): Promise<readonly StoredEntry[]> {
    const memory = await openTranslationMemory(this.memory);
    const all: StoredEntry[] = [];
    for await (const entry of memory.entries()) all.push(entry);
    await memory.close();
    return all;
  }
}

function project(en: Texts, es?: Texts, more: Texts = {}): string {
  return projectWith({
    'engine.cjs': ENGINE,
    'dragoman.config.yaml': 'source: en\ntargets: [es]\n',
    'locales/en.json': JSON.stringify(en),
    ...(es && { 'locales/es.json': JSON.stringify(es) }),
    ...more,
  });
}

const write = (root: string, locale: string, texts: Texts): void =>
  writeFileSync(join(root, 'locales', `${locale}.json`), JSON.stringify(texts));

const read = (root: string): unknown => JSON.parse(readFileSync(join(root, 'locales/es.json'), 'utf8'));

/** A project in which an engine translated "Save" and a person corrected the translation. */
function edited(user: User, more: Texts = {}): string {
  const root = project({ a: 'Save', b: 'Open' }, undefined, more);
  user.sync(root, 'A');
  write(root, 'es', { a: 'Guardar', b: 'A Open' });
  user.sync(root, 'A');
  return root;
}

describe('translations learned from the files of a project', () => {
  it('serve only that project; an engine’s serve all projects', async () => {
    const user = new User();
    const root = edited(user);
    write(root, 'en', { a: 'Save', b: 'Open', again: 'Save' });
    user.sync(root, 'B');
    expect(read(root)).toEqual({ a: 'Guardar', b: 'A Open', again: 'Guardar' });
    const other = project({ x: 'Save', y: 'Open', z: 'Shut' });
    user.sync(other, 'B');
    expect(read(other)).toEqual({ x: 'A Save', y: 'A Open', z: 'B Shut' });
    const learned = (await user.entries()).filter(({ origin }) => origin === 'human');
    expect(learned.map(({ project: from, translations }) => [from, translations])).toEqual([
      [root, ['Guardar']],
    ]);
  });

  it('are unknown to `i18n` and other projects’ `status`', () => {
    const user = new User();
    edited(user);
    const other = project({ x: 'Save' });
    const { stdout } = user.run(other, 'status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ projects: [{ languages: [{ memory: { exact: 1 } }] }] });
    const program = `${process.execPath} ${join(other, 'engine.cjs')} B`;
    const file = join(other, 'locales/en.json');
    user.run(other, 'i18n', file, '-s', 'en', '-t', 'es', '--engine-command', program, '-o', 'out');
    expect(readFileSync(join(other, 'out/en_es.json'), 'utf8')).toBe('{"x":"A Save"}');
  });

  it.each(['the lock makes them look edited', 'they are older than the lock'])(
    'are not learned for other projects if they come with a checkout: %s',
    async (how) => {
      const [attacker, user] = [new User(), new User()];
      const shipped = project({ a: 'Save', b: 'Open' });
      attacker.sync(shipped, 'A');
      write(shipped, 'es', { a: 'Planted', b: 'A Open' });
      if (how === 'they are older than the lock') rmSync(join(shipped, 'dragoman.lock'));
      const checkout = join(temporaryDirectory(), 'checkout');
      cpSync(shipped, checkout, { recursive: true });
      write(checkout, 'en', { a: 'Save', b: 'Open', c: 'Save all' });
      user.sync(checkout, 'A');
      expect(read(checkout)).toEqual({ a: 'Planted', b: 'A Open', c: 'A Save all' });
      const other = project({ x: 'Save', y: 'Open', z: 'Save all' });
      user.sync(other, 'B');
      expect(read(other)).toEqual({ x: 'B Save', y: 'B Open', z: 'A Save all' });
      for (const { translations, project: from } of await user.entries())
        if (translations[0] === 'Planted') expect(from).toBe(checkout);
    },
  );

  it('stay with a project that contains the memory, wherever it is cloned to', () => {
    const config = 'source: en\ntargets: [es]\nmemory: tm/team.db\n';
    const root = edited(new User(), { 'dragoman.config.yaml': config });
    const clone = join(temporaryDirectory(), 'clone');
    renameSync(root, clone);
    write(clone, 'en', { a: 'Save', b: 'Open', again: 'Save' });
    const colleague = new User();
    colleague.sync(clone, 'B');
    expect(read(clone)).toMatchObject({ again: 'Guardar' });
    expect(existsSync(colleague.memory)).toBe(false);
  });

  it('serve all projects after an explicit import', () => {
    const user = new User();
    const root = edited(user);
    expect(user.run(root, 'memory', 'import', 'locales/es.json')).toMatchObject({ status: 0 });
    const other = project({ x: 'Save' });
    user.sync(other, 'B');
    expect(read(other)).toEqual({ x: 'Guardar' });
  });
});

describe('dragoman memory', () => {
  it('shows which projects it learned from, and forgets one of them', async () => {
    const user = new User();
    const [root, other] = [edited(user), edited(user)];
    const stats = user.run(other, 'memory', 'stats').stdout;
    for (const path of [root, other]) expect(stats).toContain(`1 entry learned from ${path}\n`);
    expect(JSON.parse(user.run(other, 'memory', 'stats', '--json').stdout)).toMatchObject({
      projects: [{ entries: 1 }, { entries: 1 }],
    });
    const line = `1 entry that had been learned from ${root}`;
    expect(user.run(join(root, 'locales'), 'memory', 'prune', '--project', '--dry-run').stdout).toBe(
      `${line} would be removed\n`,
    );
    // A work tree inside it is another project.
    mkdirSync(join(root, 'vendor', '.git'), { recursive: true });
    expect(user.run(join(root, 'vendor'), 'memory', 'prune', '--project').stdout).toBe('0 entries removed\n');
    // Pruning also works for a project that was deleted.
    rmSync(root, { recursive: true });
    expect(user.run(other, 'memory', 'prune', '--project', root).stdout).toBe(`${line} removed\n`);
    expect(user.run(other, 'memory', 'prune', '--project', root)).toMatchObject({
      status: 0,
      stdout: '0 entries removed\n',
      stderr: expect.stringContaining(`nothing was learned from ${root}`),
    });
    const left = (await user.entries()).flatMap(({ project: from }) => from ?? []);
    expect(left).toEqual([other]);
    expect(JSON.parse(user.run(other, 'memory', 'prune', '--project', '--json').stdout)).toEqual({
      removed: 1,
      entries: 1,
      project: other,
    });
  });

  it('exports shared entries, or those of one project, without paths', async () => {
    const user = new User();
    const root = edited(user);
    const out = user.run(root, 'memory', 'export', 'shared.tmx');
    expect(out.stderr).toContain(
      'skipped: 1 that only apply to the projects they were learned from (--project)',
    );
    expect(user.run(root, 'memory', 'export', 'own.tmx', '--project')).toMatchObject({ status: 0 });
    const [shared, own] = ['shared.tmx', 'own.tmx'].map((name) => readFileSync(join(root, name), 'utf8'));
    expect([shared?.match(/Guardar/g), own?.match(/Guardar/g)?.length]).toEqual([null, 1]);
    expect(own).not.toContain(root);
    const shape = (entry: StoredEntry): object => ({ ...entry, used: undefined, project: undefined });
    for (const [name, isLearned] of [
      ['shared.tmx', false],
      ['own.tmx', true],
    ] as const) {
      const second = new User();
      second.run(root, 'memory', 'import', name);
      const entries = await second.entries();
      const exported = (await user.entries()).filter(
        ({ project: from }) => (from !== undefined) === isLearned,
      );
      expect(entries.map(shape)).toEqual(exported.map(shape));
      for (const { project: from } of entries) expect(from).toBeUndefined();
    }
    const none = user.run(root, 'memory', 'export', 'x.tmx', '--origin', 'human');
    expect([none.status, none.stderr]).toEqual([1, expect.stringMatching(/skipped: 1 .*--project/)]);
    expect(user.run(root, 'memory', 'export', 'x.tmx', '--project', '/').status).toBe(1);
  });

  it('repair removes translations learned for a changed text', async () => {
    const user = new User();
    const root = project({ a: 'Hello', b: 'Delete everything' });
    const old = (text: string, context: string, day: number): OldEntry => ({
      ...inPair(entryOf(text, text === 'Hello' ? 'Hola' : 'Guardar', { origin: 'human', context }), EN_ES),
      changed: new Date(Date.UTC(2026, 0, day)),
    });
    const path = join(user.cache, 'old.db');
    await writeMemory(path, [old('Hello', 'a', 1), old('Save', 'b', 1), old('Delete everything', 'b', 2)]);
    const repair = (...flags: readonly string[]): Ended =>
      user.run(root, 'memory', 'repair', '--memory', path, ...flags);
    const line = 'en → es  b: "Delete everything" has the translation of "Save": "Guardar"\n';
    expect(repair('--dry-run').stdout).toBe(`${line}1 entry would be removed\n`);
    expect(JSON.parse(repair('--dry-run', '--json').stdout)).toEqual({
      removed: 0,
      entries: 1,
      wrong: [
        {
          source: 'en',
          target: 'es',
          context: 'b',
          project: null,
          text: 'Delete everything',
          translation: 'Guardar',
          earlier: 'Save',
        },
      ],
    });
    expect(repair().stdout).toBe(`${line}1 entry removed\n`);
    expect(repair().stdout).toBe('0 entries removed\n');
    const program = `${process.execPath} ${join(root, 'engine.cjs')} B`;
    user.run(root, 'sync', '--engine-command', program, '--memory', path);
    expect(read(root)).toEqual({ a: 'Hola', b: 'B Delete everything' });
  });
});
