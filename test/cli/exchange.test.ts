import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, type Result } from './harness.ts';

const APP = {
  'locales/en.json':
    '{"open": "Open {{name}}", "close": "Close",\n "file_one": "{{count}} file", "file_other": "{{count}} files", "new": "New"}\n',
  'locales/es.json':
    '{"open": "Abrir {{name}}",  "close": "Cerrar", "file_one": "{{count}} archivo", "file_many": "{{count}} de archivos", "file_other": "{{count}} archivos"}\n',
  'package.json': '{"dependencies": {"i18next": "25.0.0"}}',
};

const FORMATS = [
  ['xliff2', 'texts.xlf'],
  ['xliff12', 'texts.xliff'],
  ['po', 'texts.po'],
  ['xlsx', 'texts.xlsx'],
] as const;

type Format = (typeof FORMATS)[number][0];

async function exported(format: Format, file: string, flags: readonly string[] = []): Promise<string> {
  const cwd = projectWith(APP);
  const argv = ['export', '-s', 'en', '-t', 'es', '--format', format, '-o', file, ...flags];
  expect(await dragoman(argv, { cwd })).toMatchObject({ exitCode: 0 });
  return cwd;
}

async function change(path: string, from: string, to: string): Promise<void> {
  if (!path.endsWith('.xlsx')) {
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
    return;
  }
  const { sheets } = await readXlsx(readFileSync(path));
  const rows = (sheets[0]?.rows ?? []).map((row) => row.map((cell) => (cell === from ? to : cell)));
  writeFileSync(path, await writeXlsx({ sheets: [{ name: 'es', rows }] }));
}

const spanish = (cwd: string): string => readFileSync(join(cwd, 'locales/es.json'), 'utf8');
const importing = (cwd: string, ...argv: readonly string[]): Promise<Result> =>
  dragoman(['import', ...argv], { cwd });

describe.each(FORMATS)('export and import of %s', (format, file) => {
  it('writes nothing if nothing was changed', async () => {
    const cwd = await exported(format, file);
    const { exitCode, stderr } = await importing(cwd, file);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('0 texts imported, 3 texts unchanged, 1 text without a translation');
    expect(spanish(cwd)).toBe(APP['locales/es.json']);
    expect(() => readFileSync(join(cwd, 'dragoman.lock'))).toThrow('ENOENT');
  });

  it('writes only the changed text, marks it for review, and writes nothing the second time', async () => {
    const cwd = await exported(format, file);
    await change(join(cwd, file), 'Cerrar', 'Cierra');
    expect(await importing(cwd, file, '--as', 'maria')).toMatchObject({ exitCode: 0 });
    const wanted = APP['locales/es.json'].replace('Cerrar', 'Cierra');
    expect(spanish(cwd)).toBe(wanted);
    const lock = readFileSync(join(cwd, 'dragoman.lock'), 'utf8');
    expect(lock).toContain('needs-review:import:maria');
    const again = await importing(cwd, file, '--as', 'maria');
    expect(again.stderr).toContain('0 texts imported, 3 texts unchanged');
    expect(readFileSync(join(cwd, 'dragoman.lock'), 'utf8')).toBe(lock);
  });

  it('does not turn an agent’s approval into a person’s', async () => {
    const cwd = projectWith(APP);
    const languages = ['-s', 'en', '-t', 'es'];
    const approve = ['review', 'approve', '--all', '--as', 'agent', ...languages];
    expect(await dragoman(approve, { cwd })).toMatchObject({ exitCode: 0 });
    const lock = readFileSync(join(cwd, 'dragoman.lock'), 'utf8');
    await dragoman(['export', ...languages, '--format', format, '-o', file], { cwd });
    expect((await importing(cwd, file, '--trust-states')).stderr).toContain('0 texts imported');
    expect(readFileSync(join(cwd, 'dragoman.lock'), 'utf8')).toBe(lock);
  });

  it('refuses a text that lost a placeholder, and reports its position', async () => {
    const cwd = await exported(format, file);
    const code = {
      xliff2: /<ph id="1"[^>]*\/>(?=<\/target>)/,
      xliff12: /<ph id="1">[^<]*<\/ph>(?=<\/target>)/,
    };
    const path = join(cwd, file);
    if (format === 'xliff2' || format === 'xliff12')
      writeFileSync(path, readFileSync(path, 'utf8').replace(code[format], ''));
    else await change(path, 'Abrir {{name}}', 'Abrir');
    const { exitCode, stderr } = await importing(cwd, file);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/texts\.\w+:(?:\d+:\d+|C2): refused: open \(es\): \{\{name\}\} is missing/);
    expect(spanish(cwd)).toBe(APP['locales/es.json']);
  });

  it('writes a file that other commands do not take for a catalogue', async () => {
    const cwd = await exported(format, file);
    renameSync(join(cwd, file), join(cwd, 'locales', `es.${file.split('.')[1] ?? ''}`));
    const { stdout } = await dragoman(['status', '-s', 'en', '--json'], { cwd });
    expect(JSON.parse(stdout).projects[0].languages[0].coverage).toMatchObject({ keys: 4 });
  });
});

describe('export', () => {
  it('writes a file that is not a catalogue even after a PO editor saved it', async () => {
    const cwd = await exported('po', 'es.po');
    const text = readFileSync(join(cwd, 'es.po'), 'utf8').replace(
      /X-Generator: [^\\]*/,
      'X-Generator: Poedit 3.4',
    );
    writeFileSync(join(cwd, 'locales/es.po'), text);
    const { stdout } = await dragoman(['status', '-s', 'en', '--json'], { cwd });
    expect(JSON.parse(stdout).projects[0].languages[0].coverage).toMatchObject({ keys: 4 });
  });

  it('selects texts by state and file', async () => {
    const cwd = projectWith(APP);
    const count = async (...flags: readonly string[]): Promise<number> => {
      const { stdout } = await dragoman(['export', '-s', 'en', '-t', 'es', '--format', 'po', ...flags], {
        cwd,
      });
      return stdout.split('msgctxt').length - 1;
    };
    expect(await count()).toBe(6);
    expect(await count('--state', 'initial')).toBe(1);
    expect(await count('--state', 'translated', '--in', 'locales/*')).toBe(5);
    const none = await dragoman(['export', '-s', 'en', '-t', 'es', '--in', 'other/*'], { cwd });
    expect(none).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('requires one language, and replaces files only with --force', async () => {
    const cwd = await exported('po', 'es.po');
    const argv = ['export', '-s', 'en', '-t', 'es', '-o', 'es.po'];
    expect(await dragoman(argv, { cwd })).toMatchObject({ exitCode: 2 });
    expect(readFileSync(join(cwd, 'es.po'), 'utf8')).toContain('msgid');
    expect(await dragoman([...argv, '--force'], { cwd })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(cwd, 'es.po'), 'utf8')).toContain('<xliff');
    const several = await dragoman(['export', '-s', 'en', '-t', 'es,fr'], { cwd });
    expect(several.stderr).toContain('a file for translators has one target language');
  });

  it('describes the exported file as JSON', async () => {
    const cwd = projectWith(APP);
    const argv = ['export', '-s', 'en', '-t', 'es', '-o', 'es.xlf', '--json'];
    const { stdout } = await dragoman(argv, { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ format: 'xliff2', target_lang: 'es', texts: 4, skipped: [] });
  });
});

describe('import', () => {
  it('saves the first of two answers for a text, and refuses the second, reporting its position', async () => {
    const cwd = await exported('po', 'es.po');
    await change(join(cwd, 'es.po'), '"Cerrar"', '"Cierra"');
    const other = readFileSync(join(cwd, 'es.po'), 'utf8').replace('"Cierra"', '"Cerrad"');
    writeFileSync(join(cwd, 'es2.po'), other.replace('Abrir', 'Abre'));
    const { exitCode, stderr } = await importing(cwd, 'es.po', 'es2.po');
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(
      /es2\.po:\d+:1: refused: close \(es\): an earlier entry in the files has a different translation/,
    );
    expect(stderr).toContain('2 texts imported, 1 text not imported');
    expect(spanish(cwd)).toBe(APP['locales/es.json'].replace('Cerrar', 'Cierra').replace('Abrir', 'Abre'));
  });

  it('saves the texts of readable files, and names unreadable files', async () => {
    const cwd = projectWith({
      'locales/en/a.json': '{"a": "Open"}',
      'locales/es/a.json': '{"a": "Abrir"}',
      'locales/en/b.json': '{"b": "Close"}',
      'locales/es/b.json': '{"b": "Cerrar"}',
    });
    await dragoman(['export', '-s', 'en', '-t', 'es', '--format', 'po', '-o', 'es.po'], { cwd });
    await change(join(cwd, 'es.po'), '"Abrir"', '"Abre"');
    await change(join(cwd, 'es.po'), '"Cerrar"', '"Cierra"');
    writeFileSync(join(cwd, 'locales/es/a.json'), '{"a": "Abr');
    const { exitCode, stderr } = await importing(cwd, 'es.po');
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(
      /es\.po:\d+:1: refused: it may be in a file that cannot be read: .*locales\/es\/a\.json:1:/,
    );
    expect(stderr).toContain('1 text imported, 1 text not imported');
    expect(readFileSync(join(cwd, 'locales/es/b.json'), 'utf8')).toBe('{"b": "Cierra"}');
    expect(readFileSync(join(cwd, 'locales/es/a.json'), 'utf8')).toBe('{"a": "Abr');
  });

  it('counts untrusted approvals of changed texts, and takes a rejection as a request for review', async () => {
    const cwd = await exported('xliff2', 'es.xlf');
    await change(join(cwd, 'es.xlf'), 'state="translated"', 'state="final"');
    await change(join(cwd, 'es.xlf'), 'Abrir', 'Abre');
    const { stderr } = await importing(cwd, 'es.xlf');
    expect(stderr).toContain('1 text imported');
    expect(stderr).toContain('1 approval ignored');
    await dragoman(['export', '-t', 'es', '--format', 'xlsx', '-o', 'es.xlsx'], { cwd });
    const { sheets } = await readXlsx(readFileSync(join(cwd, 'es.xlsx')));
    const rows = (sheets[0]?.rows ?? []).map((row) =>
      row[2] === 'Cerrar' ? row.with(2, 'Cierra').with(3, 'rejected') : row,
    );
    writeFileSync(join(cwd, 'es.xlsx'), await writeXlsx({ sheets: [{ name: 'es', rows }] }));
    expect((await importing(cwd, 'es.xlsx')).stderr).toContain('1 text imported');
    const lock = readFileSync(join(cwd, 'dragoman.lock'), 'utf8');
    expect(lock).toContain('needs-review:import');
    expect(lock).not.toContain('rejected:');
  });

  it('accepts approvals only if states are trusted', async () => {
    const cwd = await exported('xliff2', 'es.xlf');
    await change(join(cwd, 'es.xlf'), 'state="translated"', 'state="final"');
    const untrusted = await importing(cwd, 'es.xlf');
    expect(untrusted.stderr).toContain('1 approval ignored; --trust-states accepts them');
    const { stderr } = await importing(cwd, 'es.xlf', '--trust-states');
    expect(stderr).toContain('1 text imported');
    expect(readFileSync(join(cwd, 'dragoman.lock'), 'utf8')).toContain('final:import:translator');
    expect((await importing(cwd, 'es.xlf', '--trust-states')).stderr).toContain('0 texts imported');
  });

  it('lists stale texts, conflicts and renamed keys, and saves the others', async () => {
    const cwd = await exported('po', 'es.po');
    const po = join(cwd, 'es.po');
    for (const [from, to] of [
      ['"Cerrar"', '"Cierra"'],
      ['"Abrir {{name}}"', '"Abre {{name}}"'],
      ['msgid "New"\nmsgstr ""', 'msgid "New"\nmsgstr "Nuevo"'],
      ['"{{count}} archivo"', '"{{count}} fichero"'],
    ] as const)
      await change(po, from, to);
    await change(join(cwd, 'locales/en.json'), '"Close"', '"Close it"');
    await change(join(cwd, 'locales/en.json'), '"new"', '"newer"');
    await change(join(cwd, 'locales/es.json'), 'Abrir', 'Abra');
    const before = spanish(cwd);
    const { exitCode, stdout } = await importing(cwd, 'es.po', '--json');
    expect(exitCode).toBe(7);
    const results = JSON.parse(stdout).texts.map(
      ({ key, result, line }: { key: string[] | null; result: string; line: number }) =>
        `${key?.[0] ?? ''} ${result} ${line > 1}`,
    );
    expect(new Set(results)).toEqual(
      new Set(['close stale true', 'file_one saved true', 'open conflict true', ' foreign true']),
    );
    expect(results).toHaveLength(4);
    expect(spanish(cwd)).toBe(before.replace('archivo"', 'fichero"'));
  });

  it('refuses texts of another project, damaged rows, and formulas', async () => {
    const cwd = await exported('xlsx', 'es.xlsx');
    const { sheets } = await readXlsx(readFileSync(join(cwd, 'es.xlsx')));
    const rows = sheets[0]?.rows ?? [];
    const id = rows[0]?.indexOf('ID') ?? 0;
    const damaged = rows.map((row, at) =>
      row.map((cell, column) => (at === 2 && column === id ? 'x' : cell)),
    );
    const cells = new Map([['1,2', { type: 'formula', formula: '1+1' }]] as const);
    writeFileSync(join(cwd, 'es.xlsx'), await writeXlsx({ sheets: [{ name: 'es', rows: damaged, cells }] }));
    const { stderr } = await importing(cwd, 'es.xlsx');
    expect(stderr).toContain('es.xlsx:C2: refused: open (es): its cell contains a formula');
    expect(stderr).toContain('es.xlsx:C3: lost: its cell "ID" was changed');
    const moved = join(dirname(cwd), `${basename(cwd)}-other`);
    renameSync(cwd, moved);
    const other = await importing(moved, 'es.xlsx');
    expect(other.stderr).toContain('es.xlsx:C4: foreign: it belongs to another project');
    expect(other).toMatchObject({ exitCode: 7 });
  });

  it('accepts an export of a clone with another name, but none of another repository', async () => {
    const cwd = projectWith(APP);
    const directory = dirname(cwd);
    const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd, stdio: 'pipe' });
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'a');
    const nameOf = (kind: string): string => join(directory, `${basename(cwd)}-${kind}`);
    const [clone, linked, other] = [nameOf('clone'), nameOf('linked'), nameOf('other')];
    git('clone', '--quiet', '.', clone);
    git('worktree', 'add', '--quiet', '--detach', linked);
    git('clone', '--quiet', '.', other);
    git('-C', other, 'remote', 'set-url', 'origin', 'git@example.org:team/other.git');
    for (const [from, to] of [
      [cwd, clone],
      [linked, cwd],
    ] as const) {
      const file = join(directory, `${basename(from)}.po`);
      const argv = ['export', '-s', 'en', '-t', 'es', '--format', 'po', '-o', file];
      expect(await dragoman(argv, { cwd: from })).toMatchObject({ exitCode: 0 });
      await change(file, 'Cerrar', 'Cierra');
      expect(await importing(other, file)).toMatchObject({ exitCode: 7 });
      expect(await importing(to, file)).toMatchObject({ exitCode: 0 });
      expect(spanish(to)).toContain('Cierra');
    }
    // Exported before the repository had an origin.
    git('remote', 'add', 'origin', 'git@example.org:team/shop.git');
    expect(await importing(linked, join(directory, `${basename(linked)}.po`))).toMatchObject({ exitCode: 0 });
    // All clones of an address have the same name, whatever protocol they use.
    const [one, two] = [nameOf('one'), nameOf('two')];
    git('clone', '--quiet', '.', one);
    git('clone', '--quiet', '.', two);
    git('-C', one, 'remote', 'set-url', 'origin', 'https://example.org/team/shop.git');
    git('-C', two, 'remote', 'set-url', 'origin', 'git@example.org:team/shop');
    const file = join(directory, 'one.po');
    await dragoman(['export', '-s', 'en', '-t', 'es', '--format', 'po', '-o', file], { cwd: one });
    expect(await importing(two, file)).toMatchObject({ exitCode: 0 });
  });

  it('reads the answers of the review page', async () => {
    const cwd = await exported('po', 'es.po');
    const parts = /^#\. dragoman\.([\w-]+)\.es\.([\w-]+)\.0\.(\w+)\.(\w+)$/m.exec(
      readFileSync(join(cwd, 'es.po'), 'utf8'),
    );
    const answer = {
      id: parts?.[2],
      sourceHashes: [parts?.[3]],
      bases: [parts?.[4]],
      values: ['Abre {{name}}'],
    };
    const data = { version: 1, project: parts?.[1], answers: [answer] };
    writeFileSync(join(cwd, 'answers.json'), JSON.stringify(data));
    const dry = await importing(cwd, 'answers.json', '--dry-run');
    expect(dry.stdout).toBe('answers.json:answer 1: open (es)\n');
    expect(spanish(cwd)).toBe(APP['locales/es.json']);
    expect((await importing(cwd, 'answers.json')).stderr).toContain('1 text imported');
    expect(spanish(cwd)).toBe(APP['locales/es.json'].replace('Abrir', 'Abre'));
    writeFileSync(join(cwd, 'answers.json'), '{"version": 1}');
    const other = await importing(cwd, 'answers.json');
    expect(other).toMatchObject({ exitCode: 2 });
    expect(other.stderr).toContain('not a file with answers from the review page');
  });

  it('deletes a note that was emptied on the page, and imports nothing twice', async () => {
    const cwd = await exported('po', 'es.po');
    const [, project, id, source, base] =
      /^#\. dragoman\.([\w-]+)\.es\.([\w-]+)\.0\.(\w+)\.(\w+)$/m.exec(
        readFileSync(join(cwd, 'es.po'), 'utf8'),
      ) ?? [];
    const answer = { id, sourceHashes: [source], bases: [base], verdict: 'needs-review' };
    const lines = async (note: object): Promise<string> => {
      writeFileSync(
        join(cwd, 'answers.json'),
        JSON.stringify({ version: 1, project, answers: [{ ...answer, ...note }] }),
      );
      const first = await importing(cwd, 'answers.json');
      expect(first.stderr).toContain('1 text imported');
      const lock = readFileSync(join(cwd, 'dragoman.lock'), 'utf8');
      expect((await importing(cwd, 'answers.json')).stderr).toContain('0 texts imported, 1 text unchanged');
      expect(readFileSync(join(cwd, 'dragoman.lock'), 'utf8')).toBe(lock);
      return lock;
    };
    expect(await lines({ note: ' why? ' })).toMatch(/\tneeds-review:import:translator\twhy\?$/m);
    expect(await lines({})).toMatch(/\tneeds-review:import:translator$/m);
  });

  it('records decisions without reading the glossary, which may be invalid', async () => {
    const cwd = projectWith({ ...APP, 'glossary.csv': 'word;meaning\n' });
    const argv = ['-s', 'en', '-t', 'es'];
    const approved = await dragoman(['review', 'approve', '--key', 'open', ...argv], { cwd });
    expect(approved, approved.stderr).toMatchObject({ exitCode: 0 });
    await dragoman(['export', ...argv, '--format', 'po', '-o', 'es.po'], { cwd });
    await change(join(cwd, 'es.po'), 'Cerrar', 'Cierra');
    const imported = await importing(cwd, 'es.po');
    expect(imported, imported.stderr).toMatchObject({ exitCode: 0 });
  });

  it('identifies a form of a plural by the name of the plural and the category', async () => {
    const dict = (one: string, other: string): string =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>k1</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string><key>one</key><string>${one}</string><key>other</key><string>${other}</string></dict></dict></dict></plist>\n`;
    const cwd = projectWith({
      'en.lproj/App.stringsdict': dict('%d file', '%d files'),
      'de.lproj/App.stringsdict': dict('%d Datei', '%d Dateien'),
    });
    await dragoman(['export', '-s', 'en', '-t', 'de', '--format', 'po', '-o', 'de.po'], { cwd });
    const contexts = readFileSync(join(cwd, 'de.po'), 'utf8').match(/^msgctxt .*$/gm);
    expect(contexts).toEqual(['msgctxt "k1.n [one]"', 'msgctxt "k1.n [other]"']);
  });

  it('refuses files with an unknown extension, and invalid names of translators', async () => {
    const cwd = projectWith({ ...APP, 'es.txt': '' });
    expect(await importing(cwd, 'es.txt')).toMatchObject({ exitCode: 2 });
    expect(await importing(cwd, 'es.po', '--as', 'a b')).toMatchObject({ exitCode: 2 });
  });
});
