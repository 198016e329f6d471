import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findGlossaryFile } from '../../src/cli/options/glossary.ts';
import { openProjects } from '../../src/project/state/project.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const GLOSSARY = 'term,dnt,es\nFirefox,yes,\ndashboard,,panel|tablero\n';
const FILES = {
  'locales/en.json': '{\n  "a": "The dashboards of Firefox",\n  "b": "Firefox"\n}\n',
  'locales/es.json': '{\n  "a": "Los paneles del zorro",\n  "b": "Firefox"\n}\n',
};
/** Answers with its texts, in which only "of" is translated. */
const COPY = [
  "'use strict'; require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {",
  '  const { id, texts } = JSON.parse(line);',
  "  console.log(JSON.stringify({ id, translations: texts.map((text) => text.replace('of', 'de')) }));",
  '});',
].join('\n');

describe('the glossary of a command', () => {
  it('is found by its default name, next to the configuration or in the current directory', async () => {
    const cwd = projectWith({ ...FILES, 'glossary.csv': GLOSSARY });
    expect(await dragoman(['lint'], { cwd })).toMatchObject({
      exitCode: 8,
      stdout: 'locales/es.json:2:8: warning: glossary-term: "Firefox" is missing (a)\n',
    });
    const configured = projectWith({
      ...FILES,
      'dragoman.config.json': '{"source": "en", "targets": ["es"]}',
      'glossary.yaml': '- {term: Firefox, dnt: true}\n',
    });
    const { stdout } = await dragoman(['lint'], { cwd: join(configured, 'locales') });
    expect(stdout).toContain('glossary-term');
  });

  it('comes from the flag, otherwise the environment, the configuration or the default name', async () => {
    const term = (name: string): string => `term,dnt\n${name},yes\n`;
    const cwd = projectWith({
      'locales/en.json': '{"a": "One two three four"}',
      'locales/es.json': '{"a": "x"}',
      'glossary.csv': term('four'),
      'words/three.csv': term('three'),
      'two.csv': term('two'),
      'one.yml': 'One: {dnt: true}\n',
      'dragoman.config.yaml': 'source: en\ntargets: [es]\nglossary: words/three.csv\n',
    });
    const lint = async (flags: readonly string[], glossary?: string): Promise<string> => {
      const env = glossary === undefined ? {} : { DRAGOMAN_GLOSSARY: glossary };
      return (await dragoman(['lint', ...flags], { cwd, env })).stdout;
    };
    expect(await lint(['--glossary', 'one.yml'], 'two.csv')).toContain('"One" is missing');
    expect(await lint([], 'two.csv')).toContain('"two" is missing');
    expect(await lint([], '')).toContain('"three" is missing');
    expect(await lint([], 'off')).toBe('');
    expect(await lint(['--no-glossary'], 'two.csv')).toBe('');
    expect(await lint(['--glossary', 'off'])).toBe('');
    expect(await dragoman(['lint', '--glossary', 'none.csv'], { cwd })).toMatchObject({ exitCode: 2 });
    const { stdout } = await dragoman(['config', '--engine', 'pseudo'], { cwd });
    expect(stdout).toMatch(/^glossary +\S+three\.csv +from \S+dragoman\.config\.yaml:3$/m);
  });

  it('can be turned off by the configuration, but cannot be outside its directory', async () => {
    const cwd = projectWith({ ...FILES, 'glossary.csv': GLOSSARY });
    const configure = async (glossary: string): Promise<{ stdout: string; stderr: string }> =>
      dragoman(['lint'], {
        cwd: projectWith({
          ...FILES,
          'glossary.csv': GLOSSARY,
          'dragoman.config.json': JSON.stringify({ source: 'en', targets: ['es'], glossary }),
        }),
      });
    expect((await dragoman(['lint', '--no-glossary'], { cwd })).stdout).toBe('');
    expect((await configure('off')).stdout).toBe('');
    expect((await configure('./glossary.csv')).stdout).toContain('glossary-term');
    expect((await configure('../glossary.csv')).stderr).toMatch(/leads out of the directory/);
  });

  it('cannot leave the project by a link that replaces it while it is used', async () => {
    const cwd = projectWith({
      ...FILES,
      'terms.csv': GLOSSARY,
      'dragoman.config.json': '{"source": "en", "targets": ["es"], "glossary": "terms.csv"}',
    });
    const { stdin, stdout, stderr } = process;
    const { signal } = new AbortController();
    const [project] = await openProjects([], { cwd });
    const file =
      project && (await findGlossaryFile({}, { stdin, stdout, stderr, env: {}, cwd, signal }, project));
    expect((await file?.read())?.terms).toHaveLength(2);
    const outside = join(temporaryDirectory(), 'private.csv');
    writeFileSync(outside, 'term,dnt\nSecret,yes\n');
    rmSync(join(cwd, 'terms.csv'));
    symlinkSync(outside, join(cwd, 'terms.csv'));
    expect((await file?.read())?.terms).toHaveLength(2);
  });

  it('is never translated, and an invalid file is reported with the reason for reading it', async () => {
    const cwd = projectWith({
      'glossary.csv': 'word;meaning\n',
      'locales/en.json': '{"a": "A"}',
      'locales/es.json': '{"a": "A"}',
    });
    const { exitCode, stderr } = await dragoman(['lint'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/glossary\.csv:1:1: "word" is neither a column/);
    expect(stderr).toContain('Its name marks it as the glossary; DRAGOMAN_GLOSSARY=off ignores it.');
    const languages = ['-s', 'en', '-t', 'es'];
    expect(await dragoman(['status', ...languages], { cwd })).toMatchObject({ exitCode: 2 });
    const env = { DRAGOMAN_GLOSSARY: 'off' };
    expect(await dragoman(['status', ...languages], { cwd, env })).toMatchObject({ exitCode: 0 });
    // Review decisions do not depend on the glossary.
    const approval = ['review', 'approve', '--all', '--dry-run', ...languages];
    expect(await dragoman(approval, { cwd })).toMatchObject({ exitCode: 0 });
    const namespaces = projectWith({
      'en/glossary.yaml': 'en:\n  a: One\n',
      'es/glossary.yaml': 'es:\n  a: Uno\n',
    });
    expect(await dragoman(['lint', 'en'], { cwd: namespaces })).toMatchObject({ exitCode: 0 });
  });
});

describe('a missing term', () => {
  const engineIn = (cwd: string): readonly string[] => {
    const program = join(cwd, 'copy.cjs');
    return ['--engine', 'exec', '--engine-command', `"${process.execPath}" "${program}"`];
  };

  it('is reported by sync without failing it', async () => {
    const cwd = projectWith({
      ...FILES,
      'locales/es.json': '{}',
      'glossary.csv': GLOSSARY,
      'copy.cjs': COPY,
    });
    const { exitCode, stderr } = await dragoman(['sync', '-s', 'en', '-t', 'es', ...engineIn(cwd)], { cwd });
    expect(stderr).toContain('locales/en.json:2:8: a (es): "dashboard" is not translated as "panel"\n');
    expect(stderr).not.toContain('"Firefox" is missing');
    expect(exitCode).toBe(0);
    const again = await dragoman(['sync', '-s', 'en', '-t', 'es', '--json', ...engineIn(cwd)], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({
      projects: [{ languages: [{ files: [{ terms: [], written: false }] }] }],
    });
  });

  it('is in the JSON document, and is a warning in a workflow', async () => {
    const files = { ...FILES, 'locales/es.json': '{}', 'glossary.csv': GLOSSARY, 'copy.cjs': COPY };
    const cwd = projectWith(files);
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd };
    const argv = ['sync', '-s', 'en', '-t', 'es', '--json', ...engineIn(cwd)];
    const { exitCode, stdout, stderr } = await dragoman(argv, { cwd, env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      projects: [
        {
          languages: [
            {
              changes: { translated: 2, failed: 0 },
              files: [
                {
                  terms: [
                    {
                      file: 'locales/en.json',
                      line: 2,
                      column: 8,
                      key: ['a'],
                      term: 'dashboard',
                      translation: 'panel',
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
    expect(stderr).toContain(
      '::warning file=locales/en.json,line=2,col=8,title=glossary-term::a (es): "dashboard" is not translated as "panel"\n',
    );
  });

  it('is reported by i18n too', async () => {
    const cwd = projectWith({ ...FILES, 'glossary.csv': GLOSSARY, 'copy.cjs': COPY });
    const argv = ['i18n', 'locales/en.json', '-s', 'en', '-t', 'es', '-o', 'out', ...engineIn(cwd)];
    const { exitCode, stderr } = await dragoman(argv, { cwd });
    expect(stderr).toMatch(/locales\/en\.json:2:8: a \(es\): "dashboard" is not translated as "panel"\n/);
    expect(exitCode).toBe(0);
    const json = await dragoman([...argv, '--json', '--force'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      files: [
        {
          failures: [],
          terms: [{ key: ['a'], line: 2, column: 8, term: 'dashboard', translation: 'panel' }],
        },
      ],
    });
    expect(existsSync(join(cwd, 'out', 'en_es.json'))).toBe(true);
  });

  it('is found by lint and check in any format, including plurals', async () => {
    const cwd = projectWith({
      'glossary.csv': GLOSSARY,
      'locales/en.json': '{"n": "{n, plural, one {# dashboard} other {# dashboards}}"}',
      'locales/es.json': '{"n": "{n, plural, one {# panel} many {# paneles} other {# cuadros}}"}',
      'po/messages.pot':
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Firefox dashboard"\nmsgstr ""\n\nmsgid "dashboard"\nmsgstr ""\n',
      'po/es.po':
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: es\\n"\n\nmsgid "Firefox dashboard"\nmsgstr "Zorro"\n\nmsgid "dashboard"\nmsgstr "tableros"\n',
    });
    const options = ['-s', 'en', '-t', 'es'];
    const { stdout } = await dragoman(['lint', 'locales', 'po', ...options, '--glossary', 'glossary.csv'], {
      cwd,
    });
    expect(stdout.split('\n').filter((line) => line.includes('glossary-term'))).toEqual([
      'locales/es.json:1:7: warning: glossary-term: "dashboard" is not translated as "panel" (n)',
      'po/es.po:5:8: warning: glossary-term: "dashboard" is not translated as "panel"; "Firefox" is missing ("Firefox dashboard")',
    ]);
    const checked = await dragoman(['check', 'locales', ...options, '--glossary', 'glossary.csv'], { cwd });
    expect(checked.stdout).toContain('glossary-term');
    expect(checked.exitCode).toBe(8);
    const sarif = await dragoman(
      ['lint', 'locales', ...options, '--glossary', 'glossary.csv', '--output-format', 'sarif'],
      { cwd },
    );
    expect(sarif.stdout).toContain('"ruleId": "glossary-term"');
  });
});
