import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTranslationMemory } from '../../../src/memory/translation-memory.ts';
import { GlossaryFile } from '../../../src/project/glossary/glossary-file.ts';
import { ContextFinder, type ContextFinderOptions } from '../../../src/project/review/context-finder.ts';
import type { RowContext } from '../../../src/project/review/row-context.ts';
import { ProjectDirectory, RecordingEngine } from '../project-directory.ts';
import { rowsOf } from './answers.ts';

const ENV = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' };
const LANGUAGES = { source: 'en', targets: ['es'] };

/** A checkout whose Spanish was translated by `sync`. */
class Translated extends ProjectDirectory {
  git(...args: readonly string[]): void {
    const own = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];
    execFileSync('git', [...own, ...args], { cwd: this.path, env: ENV, stdio: 'pipe' });
  }

  commit(): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', 'change');
  }

  static async make(name: string, ...versions: readonly (string | Uint8Array)[]): Promise<Translated> {
    const [first = '', ...later] = versions;
    const directory = new Translated({ [name]: '' });
    directory.git('init', '--quiet');
    directory.put(name, first);
    directory.commit();
    await directory.sync(new RecordingEngine(), LANGUAGES);
    for (const version of later) {
      directory.commit();
      directory.put(name, version);
    }
    return directory;
  }

  put(name: string, content: string | Uint8Array): void {
    if (typeof content === 'string') this.write(name, content);
    else writeFileSync(join(this.path, name), content);
  }

  async context(key: string, options: Partial<ContextFinderOptions> = {}): Promise<RowContext> {
    const project = await this.open(LANGUAGES);
    const row = (await rowsOf(this)).get(key);
    if (!row) throw new Error(`no row ${key}`);
    return new ContextFinder(project, { env: ENV, signal: new AbortController().signal, ...options }).find(
      row,
    );
  }
}

describe('the source that a translation was made from', () => {
  it('is found in the history, even if other versions are newer', async () => {
    const directory = await Translated.make(
      'locales/en.json',
      '{"open": "Open the file", "save": "Save"}',
      '{"open": "Open a file", "save": "Save"}',
      '{"open": "Open some file", "save": "Save"}',
    );
    expect(await directory.context('open')).toEqual({ before: [{ text: 'Open the file' }] });
    expect(await directory.context('save')).toEqual({});
  });

  it('is unknown without a commit that contains it, and without git', async () => {
    const directory = await Translated.make('locales/en.json', '{"open": "Open the file"}');
    directory.write('locales/en.json', '{"open": "Open a file"}');
    await directory.sync(new RecordingEngine(), LANGUAGES);
    directory.write('locales/en.json', '{"open": "Open some file"}');
    expect(await directory.context('open')).toEqual({ before: [null] });
    expect(await directory.context('open', { env: { PATH: '/nonexistent' } })).toEqual({ before: [null] });
  });

  it('is searched for in the history of its file', async () => {
    const directory = new Translated({
      'locales/en/a.json': '{"a": "Start"}',
      'locales/en/b.json': '{"b": "Open the file"}',
    });
    directory.git('init', '--quiet');
    directory.commit();
    directory.write('locales/en/a.json', '{"a": "Open the file"}');
    await directory.sync(new RecordingEngine(), LANGUAGES);
    directory.write('locales/en/a.json', '{"a": "Open"}');
    directory.write('locales/en/b.json', '{"b": "Open"}');
    const rows = await rowsOf(directory);
    const [a, b] = [rows.get('a'), rows.get('b')];
    if (!a || !b) throw new Error('no rows');
    const options = { env: ENV, signal: new AbortController().signal };
    const project = await directory.open(LANGUAGES);
    for (const isAtOnce of [false, true]) {
      const finder = new ContextFinder(project, options);
      for (const row of isAtOnce ? [a, b] : []) finder.expect(row);
      await finder.searchExpected();
      expect(await finder.find(a)).toEqual({ before: [null] });
      expect(await finder.find(b)).toEqual({ before: [{ text: 'Open the file' }] });
    }
  });

  it('has its comment, if only the comment has changed', async () => {
    const directory = await Translated.make(
      'po/app.pot',
      '#. On a button\nmsgid "Open"\nmsgstr ""\n',
      '#. In a menu\nmsgid "Open"\nmsgstr ""\n',
    );
    const { before } = await directory.context('Open');
    expect(before).toEqual([{ text: 'Open', comment: 'On a button' }]);
  });

  it('is found for a form of a plural', async () => {
    const plural = (one: string, other: string): string =>
      `{"files_one": "${one}", "files_other": "${other}"}`;
    const directory = await Translated.make(
      'locales/en.json',
      plural('{{count}} file', '{{count}} files'),
      plural('{{count}} file', '{{count}} documents'),
    );
    const { before } = await directory.context('files');
    expect(before?.map((one) => one?.text)).toContain('{{count}} files');
  });

  it('is read from its original bytes', async () => {
    const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');
    const directory = await Translated.make(
      'en.lproj/Localizable.strings',
      utf16('"open" = "Café öffnen";'),
      utf16('"open" = "Café";'),
    );
    expect(await directory.context('open')).toEqual({ before: [{ text: 'Café öffnen' }] });
  });

  it('is searched for without running programs that the checkout configures', async () => {
    const directory = await Translated.make(
      'locales/en.json',
      '{"open": "Open the file"}',
      '{"open": "Open"}',
    );
    const marker = join(directory.path, 'ran');
    for (const [name, value] of Object.entries({
      'core.fsmonitor': `touch ${marker}`,
      'core.pager': `touch ${marker}`,
      'diff.external': `touch ${marker}`,
      'filter.x.smudge': `touch ${marker}; cat`,
      'diff.x.textconv': `touch ${marker}; cat`,
    }))
      directory.git('config', name, value);
    directory.write('.gitattributes', '*.json filter=x diff=x\n');
    expect(await directory.context('open')).toEqual({ before: [{ text: 'Open the file' }] });
    expect(directory.list()).not.toContain('ran');
  });
});

describe('similar texts', () => {
  const PAIR = { source: 'en', target: 'es' };

  async function memoryWith(...entries: readonly (readonly [source: string, translation: string])[]) {
    const memory = await openTranslationMemory(join(new ProjectDirectory().path, 'memory.db'));
    onTestFinished(() => memory.close());
    await memory.store(
      entries.map(([source, translation]) => ({
        segments: [source],
        translations: [translation],
        placeholders: source.includes('<x') ? ['n'] : [],
        category: '',
        context: '',
        origin: 'human',
      })),
      PAIR,
    );
    return memory;
  }

  it('begin with translations of the same text, in the notation of the row', async () => {
    const directory = new ProjectDirectory({
      'locales/en.json': '{"all": "Delete all {{count}} files now"}',
      'locales/es.json': '{}',
      'package.json': '{"dependencies": {"i18next": "25.0.0"}}',
    });
    const memory = await memoryWith(
      ['Delete all <x id="1"/> files now', 'Eliminar ahora los <x id="1"/> archivos'],
      ['Delete all <x id="1"/> files', 'Eliminar los <x id="1"/> archivos'],
      ['Delete all files now', 'Eliminar todos los archivos ahora'],
      ['Something else', 'Otra cosa'],
    );
    const row = (await rowsOf(directory)).get('all');
    const finder = new ContextFinder(await directory.open(LANGUAGES), {
      env: ENV,
      signal: new AbortController().signal,
      memory,
    });
    const { similar: [similar = []] = [] } = row ? await finder.find(row) : {};
    expect(similar.map(({ translation }) => translation)).toEqual([
      'Eliminar ahora los {{count}} archivos',
      'Eliminar todos los archivos ahora',
      'Eliminar los {{count}} archivos',
    ]);
    expect(similar.map(({ source }) => source)).toContain('Delete all {{count}} files');
    expect(similar.every(({ similarity }) => similarity >= 0.75 && similarity <= 1)).toBe(true);
  });
});

describe('terms of a row', () => {
  it('are the glossary’s terms for its source and language, and change with the file', async () => {
    const directory = new ProjectDirectory({
      'locales/en.json': '{"open": "Open the dashboards in Firefox"}',
      'locales/es.json': '{}',
      'glossary.csv': 'term,dnt,es,de,note\ndashboard,,panel|tablero,Übersicht,first page\nFirefox,yes,,,\n',
    });
    const row = (await rowsOf(directory)).get('open');
    const path = join(directory.path, 'glossary.csv');
    const finder = new ContextFinder(await directory.open(LANGUAGES), {
      env: ENV,
      signal: new AbortController().signal,
      terms: new GlossaryFile(path, directory.path),
    });
    const dashboard = {
      term: 'dashboard',
      translations: ['panel', 'tablero'],
      isCaseSensitive: false,
      note: 'first page',
    };
    const firefox = { term: 'Firefox', translations: [], isCaseSensitive: true };
    expect(row && (await finder.find(row)).terms).toEqual([dashboard, firefox]);
    directory.write('glossary.csv', 'term,es\n"damaged');
    expect(row && (await finder.find(row)).terms).toEqual([dashboard, firefox]);
    directory.write('glossary.csv', 'term,dnt\nFirefox,yes\n');
    expect(row && (await finder.find(row)).terms).toEqual([firefox]);
    directory.remove('glossary.csv');
    expect(row && (await finder.find(row))).toEqual({});
  });
});
