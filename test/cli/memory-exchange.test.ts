import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import type { StoredEntry } from '../../src/memory/stored-memory.ts';
import { dragoman, projectWith, temporaryDirectory, type Result } from './harness.ts';

type Files = Readonly<Record<string, string>>;

/** A project with its own translation memory. */
function project(files: Files): {
  readonly root: string;
  readonly run: (...argv: readonly string[]) => Promise<Result>;
  readonly entries: () => Promise<readonly StoredEntry[]>;
} {
  const root = projectWith(files);
  const cache = temporaryDirectory();
  return {
    root,
    run: (...argv) => dragoman(argv, { cwd: root, env: { XDG_CACHE_HOME: cache } }),
    entries: async () => {
      const memory = await openTranslationMemory(join(cache, 'dragoman', 'memory.db'));
      const all: StoredEntry[] = [];
      for await (const entry of memory.entries()) all.push(entry);
      await memory.close();
      return all;
    },
  };
}

/** translates the words between the marks if the answer loses emphasis */
const NO_ENGINE = `${process.execPath} -e process.exit(3)`;

const formats: readonly (readonly [string, string, Files])[] = [
  [
    'JSON',
    'locales/es.json',
    {
      'locales/en.json':
        '{\n  "menu": { "save": "Save {name}" },\n  "a.b": "Open <b>it</b>",\n  "n": "{n, plural, one {# file} other {# files}}"\n}\n',
      'locales/es.json':
        '{\n  "menu": { "save": "Guardar {name}" },\n  "a.b": "<b>Ábralo</b>",\n  "n": "{n, plural, one {# archivo} many {# archivos} other {# archivos}}"\n}\n',
    },
  ],
  [
    'YAML of Rails',
    'config/locales/es.yml',
    {
      'config/locales/en.yml':
        'en:\n  hello: "Hello %{name}" # greeting\n  files:\n    one: "%{count} file"\n    other: "%{count} files"\n',
      'config/locales/es.yml':
        'es:\n  hello: "Hola %{name}" # greeting\n  files:\n    one: "%{count} archivo"\n    other: "%{count} archivos"\n',
    },
  ],
  [
    'Android',
    'res/values-es/strings.xml',
    {
      'res/values/strings.xml':
        '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n    <string name="hi">It\\\'s %1$s on %2$s</string>\n    <string name="bold">Be <b>bold</b></string>\n</resources>\n',
      'res/values-es/strings.xml':
        '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n    <string name="hi">En %2$s está %1$s</string>\n    <string name="bold">Sea <b>audaz</b></string>\n</resources>\n',
    },
  ],
  [
    'properties',
    'messages_es.properties',
    {
      'messages.properties': "a = Save {0}\n# note\nb: Don't\n",
      'messages_es.properties': 'a = Guardar {0}\n# note\nb: No\n',
    },
  ],
  [
    'strings',
    'es.lproj/Localizable.strings',
    {
      'en.lproj/Localizable.strings': '"a" = "%@ of %@";\n"b" = "Open";\n',
      'es.lproj/Localizable.strings': '"a" = "%2$@ de %1$@";\n"b" = "Abrir";\n',
    },
  ],
];

describe('translations of a project', () => {
  it.each(formats)('are aligned by key, and are exported unchanged: %s', async (_, target, files) => {
    const { root, run, entries } = project(files);
    const imported = await run('memory', 'import', '.', '-s', 'en', '-t', 'es');
    expect([imported.exitCode, imported.stderr]).toEqual([0, '']);
    const found = await entries();
    expect(found.length).toBeGreaterThan(1);
    for (const { origin, context } of found) expect([origin, context === '']).toEqual(['human', false]);
    rmSync(join(root, target));
    const { exitCode, stderr } = await run(
      'sync',
      '.',
      '-s',
      'en',
      '-t',
      'es',
      '--engine-command',
      NO_ENGINE,
    );
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('translated by memory')]);
    expect(readFileSync(join(root, target), 'utf8')).toBe(files[target]);
  });

  it('of gettext are also taken from a directory of catalogues', async () => {
    const header =
      'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: es\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n';
    const { run, entries } = project({
      'po/app.pot': `${header.replace('es', '')}msgid "Open"\nmsgstr ""\n\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n`,
      'po/es.po': `${header}msgid "Open"\nmsgstr "Abrir"\n\n#, c-format\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d archivo"\nmsgstr[1] "%d archivos"\n`,
    });
    expect((await run('memory', 'import', 'po', '-s', 'en')).stdout).toBe(
      'po: 3 added, 0 replaced, 0 unchanged\n',
    );
    const first = (await entries()).map(({ segments, translations, category }) => [
      segments[0],
      translations[0],
      category,
    ]);
    expect(first).toEqual([
      ['Open', 'Abrir', ''],
      ['<x id="1"/> file', '<x id="1"/> archivo', 'one'],
      ['<x id="1"/> files', '<x id="1"/> archivos', 'other'],
    ]);
    // Read alone, the same file has the same messages.
    expect((await run('memory', 'import', 'po/es.po')).stdout).toBe(
      'po/es.po: 0 added, 0 replaced, 3 unchanged\n',
    );
  });

  it('match the current sources: own, unfinished, copied and outdated ones are distinguished', async () => {
    const { root, run, entries } = project({
      'engine.cjs': `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, texts } = JSON.parse(line);
        const translations = texts.map((text) => (text.startsWith('No') ? null : 'es ' + text));
        process.stdout.write(JSON.stringify({ id, translations }) + '\\n');
      });`,
      'locales/en.json': '{"ours":"Save","failed":"No way","changes":"Before"}',
    });
    const engine = `${process.execPath} ${join(root, 'engine.cjs')}`;
    await run('sync', 'locales', '-s', 'en', '-t', 'es', '--engine-command', engine, '--no-memory');
    writeFileSync(
      join(root, 'locales/en.json'),
      '{"ours":"Save","failed":"No way","changes":"After","own":"Mine","copy":"Copy","lost":"Hi {x}","blank":""}',
    );
    const target = JSON.parse(readFileSync(join(root, 'locales/es.json'), 'utf8')) as object;
    writeFileSync(
      join(root, 'locales/es.json'),
      JSON.stringify({ ...target, own: 'Mío', copy: 'Copy', lost: 'Hola', blank: 'x', extra: 'y' }),
    );
    const { exitCode, stdout, stderr } = await run('memory', 'import', 'locales', '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        {
          file: 'locales',
          added: 2,
          skipped: { untranslated: 2, outdated: 1, copied: 1, unsound: 1 },
          skips: [{ reason: 'unsound', detail: '{x} is missing', file: 'locales/es.json', line: 1 }],
        },
      ],
    });
    expect((await entries()).map(({ translations, origin }) => [translations[0], origin])).toEqual([
      ['es Save', 'machine'],
      ['Mío', 'human'],
    ]);
    await run('memory', 'import', 'locales', '--origin', 'human');
    expect((await entries()).map(({ origin }) => origin)).toEqual(['human', 'human']);
  });

  it('are read from readable files if others are not readable', async () => {
    const { run } = project({
      'locales/en.json': '{"a":"Yes"}',
      'locales/de.json': '{"a":',
      'locales/es.json': '{"a":"Sí"}',
      'locales/fr.json': '{"a":"Oui}',
    });
    const { exitCode, stdout, stderr } = await run('memory', 'import', 'locales', '-s', 'en');
    expect([exitCode, stdout]).toEqual([2, 'locales: 1 added, 0 replaced, 0 unchanged\n']);
    expect(stderr).toMatch(
      /locales\/fr\.json:1:\d+: skipped: .*\nskipped: 1 damaged\nerror: .*de\.json:1:\d+: /,
    );
    const alone = project({ 'locales/en.json': '{"a":"Yes"}' });
    const nothing = await alone.run('memory', 'import', 'locales', '-s', 'en');
    expect([nothing.exitCode, nothing.stderr]).toEqual([2, expect.stringContaining('--target')]);
  });

  it('that are skipped are listed with their positions, twenty of them, or all with --verbose', async () => {
    const keys = Array.from({ length: 30 }, (_, i) => `k${i}`);
    const values = (value: string): string =>
      `{\n${keys.map((key) => `"${key}": "${value}"`).join(',\n')}\n}`;
    const { run } = project({ 'locales/en.json': values('Hi {x}'), 'locales/es.json': values('Hola') });
    const { stdout, stderr } = await run('memory', 'import', 'locales', '-s', 'en');
    expect(stdout).toBe('locales: 0 added, 0 replaced, 0 unchanged\n');
    const lines = stderr.trim().split('\n');
    expect(lines).toHaveLength(22);
    expect(lines[0]).toBe('locales/es.json:2:7: skipped: {x} is missing');
    expect(lines.slice(-2)).toEqual(['… and 10 more; --verbose lists all', 'skipped: 30 not sound']);
    const all = await run('memory', 'import', 'locales', '-s', 'en', '--verbose');
    expect(all.stderr.trim().split('\n')).toHaveLength(31);
  });
});

describe('translation files', () => {
  const table = 'en,es,context,origin\nSave {name},Guardar {name},menu.save,\nOpen,Abrir,,machine\n';

  it.each(['tmx', 'po', 'csv'])('are exported and imported again: %s', async (format) => {
    const first = project({ 't.csv': table });
    expect((await first.run('memory', 'import', 't.csv')).stdout).toBe(
      't.csv: 2 added, 0 replaced, 0 unchanged\n',
    );
    const file = join(first.root, `out.${format}`);
    const exported = await first.run('memory', 'export', `out.${format}`);
    expect([exported.exitCode, exported.stdout, exported.stderr]).toEqual([
      0,
      '',
      `2 entries written to out.${format}\n`,
    ]);
    const printed = await first.run('memory', 'export', '-', '--format', format);
    expect(printed.stdout).toBe(readFileSync(file, 'utf8'));
    const second = project({ [`out.${format}`]: printed.stdout });
    expect((await second.run('memory', 'import', `out.${format}`)).stdout).toContain('2 added');
    const texts = async ({ entries }: typeof first): Promise<unknown> =>
      (await entries()).map(({ segments, translations, placeholders }) => ({
        segments,
        translations,
        placeholders,
      }));
    expect(await texts(second)).toEqual(await texts(first));
    if (format === 'po') return;
    const whole = async ({ entries }: typeof first): Promise<unknown> =>
      (await entries()).map(({ origin, context, category }) => ({ origin, context, category }));
    expect(await whole(second)).toEqual(await whole(first));
  });

  it('of gettext take the language from their path if they do not declare one', async () => {
    const { run, entries } = project({ 'po/pt_BR.po': 'msgid "Yes"\nmsgstr "Sim"\n' });
    expect((await run('memory', 'import', 'po/pt_BR.po')).exitCode).toBe(0);
    expect((await entries()).map(({ pair }) => pair)).toEqual([{ source: 'en', target: 'pt-BR' }]);
  });

  it('are chosen by language and origin', async () => {
    const { run } = project({ 't.csv': 'en,es,fr,origin\nYes,Sí,Oui,human\nNo,No,Non,machine\n' });
    await run('memory', 'import', 't.csv', '-t', 'es');
    expect((await run('memory', 'export', '-', '--format', 'csv')).stdout).toBe(
      'en,es,context,origin,category,engine\r\nYes,Sí,,human,,\r\nNo,No,,machine,,\r\n',
    );
    await run('memory', 'import', 't.csv');
    const several = await run('memory', 'export', 'x.po');
    expect([several.exitCode, several.stderr]).toEqual([2, expect.stringContaining('en → es, en → fr')]);
    const one = await run('memory', 'export', 'x.csv', '-t', 'fr', '--origin', 'machine', '--json');
    expect(JSON.parse(one.stdout)).toEqual({
      file: 'x.csv',
      entries: 1,
      left_out_learned: 0,
      skipped: {},
      skips: [],
    });
    expect((await run('memory', 'export', '-')).stdout.match(/<tu /g)).toHaveLength(4);
  });

  it('do not replace a person’s translations with a machine’s', async () => {
    const { run } = project({
      'a.csv': 'en,es,origin\nYes,Sí,human\n',
      'b.csv': 'en,es,origin\nYes,Si,machine\n',
    });
    const { stdout } = await run('memory', 'import', 'a.csv', 'b.csv');
    expect(stdout).toBe(
      'a.csv: 1 added, 0 replaced, 0 unchanged\nb.csv: 0 added, 0 replaced, 0 unchanged, 1 outranked by human translations\n',
    );
  });

  it('yield the entries before any damage, end with an error at its position, and do not affect other files', async () => {
    const { run, entries } = project({
      'bad.tmx':
        '<tmx version="1.4"><header srclang="en"/><body>\n<tu><tuv xml:lang="en"><seg>Yes</seg></tuv><tuv xml:lang="es"><seg>Sí</seg></tuv></tu>\n<tu></tuv>',
      'good.csv': 'en,es\nNo,No\n',
    });
    const { exitCode, stdout, stderr } = await run('memory', 'import', 'bad.tmx', 'good.csv');
    expect([exitCode, stdout]).toEqual([
      2,
      'bad.tmx: 1 added, 0 replaced, 0 unchanged\ngood.csv: 1 added, 0 replaced, 0 unchanged\n',
    ]);
    expect(stderr).toMatch(/error: bad\.tmx:3:\d+: /);
    expect(await entries()).toHaveLength(2);
    const json = await run('memory', 'import', 'bad.tmx', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      files: [{ unchanged: 1 }],
      error: { code: 'unreadable_input' },
    });
  });

  it('are recognized by extension or format, and errors suggest what to do', async () => {
    const { root, run } = project({ 'memory.txt': table, 'd/x.tmx': '' });
    expect((await run('memory', 'import', 'memory.txt', '--format', 'csv')).exitCode).toBe(0);
    const refused: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['import', 'nope.tmx'], 2, /no such file/],
      [['import', 'd', '--format', 'tmx'], 2, /Name the files in it/],
      [['import', 'memory.txt'], 2, /./],
      [['import'], 2, /path/],
      [['export', 'out.txt'], 2, /--format/],
      [['export', 'out.tmx', '-t', 'fr'], 1, /no such translations/],
      [['export', '-', '--json'], 2, /standard output/],
      [['export', 'out.tmx', '--memory', 'none.db'], 1, /none\.db/],
      [['export', 'd'], 2, /--format/],
      [['export', 'd', '--format', 'tmx'], 1, /not a regular file/],
      [['import', 'd/x.tmx'], 2, /d\/x\.tmx:1:1/],
    ];
    for (const [argv, code, message] of refused) {
      const { exitCode, stdout, stderr } = await run('memory', ...argv);
      expect([exitCode, stderr + stdout], argv.join(' ')).toEqual([code, expect.stringMatching(message)]);
    }
    expect(existsSync(join(root, 'out.tmx'))).toBe(false);
  });

  it('stop when interrupted, and keep the entries read so far', async () => {
    const { root } = project({ 't.csv': table });
    const env = { XDG_CACHE_HOME: temporaryDirectory() };
    const signal = AbortSignal.abort();
    const { exitCode } = await dragoman(['memory', 'import', 't.csv'], { cwd: root, env, signal });
    expect(exitCode).toBe(130);
  });
});
