import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/project/config/configuration.ts';
import { FOREIGN_TOOLS } from '../../src/project/config/foreign.ts';
import { ROOT } from '../docs/document.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const CASES = join(ROOT, 'fixtures/init');
const NAME = 'dragoman.config.yaml';

const written = (root: string): string => readFileSync(join(root, NAME), 'utf8');

const DJANGO = join(ROOT, 'fixtures/projects/gettext-without-template/project');

describe('catalogues that contain their sources', () => {
  it('do not use the file of one language as their source', async () => {
    const root = temporaryDirectory();
    cpSync(DJANGO, root, { recursive: true });
    const sources = ['blog/locale/*/LC_MESSAGES/django.po', 'shop/locale/*/LC_MESSAGES/django.po'];
    const init = await dragoman(['init', '--json'], { cwd: root });
    expect(JSON.parse(init.stdout)).toMatchObject({ files: sources });
    for (const path of sources) expect(written(root)).toContain(`#   ${path}\n`);
    const status = await dragoman(['status', '-t', 'de', '--json'], { cwd: root });
    const [{ languages }] = JSON.parse(status.stdout).projects;
    expect(languages[0].files.map(({ source }: { source: string }) => source).sort()).toEqual(sources);
    const report = join(root, 'report.html');
    expect(await dragoman(['status', '--report', report], { cwd: root })).toMatchObject({ exitCode: 0 });
    const page = readFileSync(report, 'utf8');
    expect(page).toContain(sources[0]);
    expect(page).not.toMatch(/"at":/);
  });
});

describe('dragoman init --from', () => {
  it.each(readdirSync(CASES))('reads the settings of %s', async (name) => {
    const root = temporaryDirectory();
    cpSync(join(CASES, name, 'project'), root, { recursive: true });
    const path = join(CASES, name, 'arguments.txt');
    const others = existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ') : [];
    const [tool = ''] = name.split('-');
    const { exitCode, stdout, stderr } = await dragoman(['init', '--from', tool, ...others], { cwd: root });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: `${NAME}\n`,
      stderr: readFileSync(join(CASES, name, 'expected.txt'), 'utf8'),
    });
    const [first = '', ...rest] = written(root).split('\n');
    expect(first).toMatch(/^# yaml-language-server: \$schema=/);
    expect(rest.join('\n')).toBe(readFileSync(join(CASES, name, 'expected.yaml'), 'utf8'));
    // The configuration refers to existing files.
    const sync = await dragoman(['sync', '-t', 'nl', '--engine', 'pseudo'], { cwd: root });
    expect(sync, sync.stderr).toMatchObject({ exitCode: 0 });
    expect(sync.stdout).toMatch(/^nl +[1-9]/m);
  });

  it('has a case for every tool', () => {
    expect(
      FOREIGN_TOOLS.filter((tool) => !readdirSync(CASES).some((name) => name.split('-')[0] === tool)),
    ).toEqual([]);
  });

  it('does not print values of settings, because they may be keys', async () => {
    for (const [tool, secret] of [
      ['crowdin', '0123456789abcdef'],
      ['weblate', 'wlu_0123456789'],
    ]) {
      const root = temporaryDirectory();
      cpSync(join(CASES, tool ?? '', 'project'), root, { recursive: true });
      const { stdout, stderr } = await dragoman(['init', '--from', tool ?? '', '--json'], { cwd: root });
      expect(JSON.parse(stdout)).toMatchObject({ left_out: expect.any(Array) });
      expect(stdout + stderr + written(root)).not.toContain(secret);
    }
  });

  it.each([
    [
      'an unknown tool',
      {},
      'phrase',
      'dragoman cannot read the configuration of "phrase"',
      'Known tools: i18next, lingo, deepl, crowdin, tolgee, weblate.',
    ],
    [
      'no configuration',
      {},
      'lingo',
      'no lingo configuration found in ROOT',
      'Expected i18n.json. Name its directory: dragoman init DIRECTORY --from lingo',
    ],
    [
      'no source language',
      { '.tolgeerc.json': '{ "push": { "filesTemplate": "i18n/{languageTag}.json" } }' },
      'tolgee',
      '.tolgeerc.json does not name the source language',
      'Name it: dragoman init --from tolgee -s en',
    ],
    [
      'a module that computes what it exports',
      { 'i18next.config.js': 'export default () => ({ locales: ["en"] });\n' },
      'i18next',
      'i18next.config.js does not export an object literal',
      'dragoman does not run it. Name the languages with -s and -t instead.',
    ],
    [
      'an unknown language',
      {
        'i18n.json':
          '{ "locale": { "source": "en", "targets": ["xx-nonsense"] }, "buckets": { "json": { "include": ["[locale].json"] } } }',
      },
      'lingo',
      /dragoman\.config\.yaml:3:\d+: .*xx-nonsense/,
      undefined,
    ],
    [
      'a path outside the project',
      {
        'i18n.json':
          '{ "locale": { "source": "en", "targets": ["es"] }, "buckets": { "json": { "include": ["../[locale].json"] } } }',
      },
      'lingo',
      /dragoman\.config\.yaml:\d+:\d+: /,
      undefined,
    ],
  ] as const)('writes nothing for %s', async (_, files, tool, message, hint) => {
    const root = projectWith(files);
    const { exitCode, stdout, stderr } = await dragoman(['init', '--from', tool], { cwd: root });
    expect(stdout).toBe('');
    expect(exitCode).toBeGreaterThan(0);
    const said = stderr.replaceAll(`${root}/`, '').replaceAll(root, 'ROOT');
    if (typeof message === 'string') expect(said).toBe(`error: ${message}\n  ${hint}\n`);
    else expect(said).toMatch(message);
    expect(existsSync(join(root, NAME))).toBe(false);
  });

  it('does not execute modules', async () => {
    const root = temporaryDirectory();
    const mark = join(root, 'executed');
    writeFileSync(
      join(root, 'i18next.config.cjs'),
      `require('fs').writeFileSync(${JSON.stringify(mark)}, '');\nmodule.exports = { locales: ['en', 'es'] };\n`,
    );
    writeFileSync(join(root, 'en.json'), '{ "a": "One" }\n');
    expect(await dragoman(['init', '--from', 'i18next'], { cwd: root })).toMatchObject({ exitCode: 0 });
    expect(existsSync(mark)).toBe(false);
    expect((await loadConfiguration(root))?.configuration).toMatchObject({ source: 'en', targets: ['es'] });
  });

  it('ends with a typed error for any broken configuration', async () => {
    const names = [
      'locale',
      'source',
      'targets',
      'buckets',
      'json',
      'include',
      'path',
      'provider',
      'id',
      'locales',
      'output',
      'extract',
      'push',
      'files',
      'language',
      'filesTemplate',
      'pull',
      'translation',
      'formality',
      '__proto__',
    ];
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(
          'en',
          'es',
          'locales/[locale].json',
          '$LOCALE.json',
          '%two_letters_code%',
          '',
          null,
          7,
          true,
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
      ),
    }));
    const files = {
      i18next: 'i18next.config.json',
      lingo: 'i18n.json',
      deepl: '.deepl-sync.yaml',
      crowdin: 'crowdin.yml',
      tolgee: '.tolgeerc',
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.entries(files)), value, async ([tool, file], settings) => {
        const root = projectWith({ [file]: JSON.stringify(settings), 'locales/en.json': '{ "a": "One" }' });
        const { exitCode, stderr } = await dragoman(['init', '--from', tool, '-s', 'en', '-t', 'es'], {
          cwd: root,
        });
        expect(stderr).not.toContain('defect of dragoman');
        expect(existsSync(join(root, NAME))).toBe(exitCode === 0);
        if (exitCode === 0) expect((await loadConfiguration(root))?.configuration.source).toBe('en');
      }),
      { numRuns: 60 },
    );
  });
});

describe('dragoman init', () => {
  it('puts the schema where editors find it, and prints the next command', async () => {
    const root = projectWith({ 'locales/en.json': '{ "a": "One" }' });
    const { exitCode, stderr } = await dragoman(['init', '-t', 'es', '--engine', 'pseudo'], { cwd: root });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: '1 source file in English\nnext: dragoman sync --dry-run\n',
    });
    expect(written(root).split('\n').slice(0, 4)).toEqual([
      '# yaml-language-server: $schema=./node_modules/dragoman/schema/dragoman.schema.json',
      'source: "en"',
      'targets: ["es"]',
      'engine: pseudo',
    ]);
  });

  it.each([[['--yes']], [['--no-input']], [['-t', 'es']], [['--json']]])(
    'does not ask with %j',
    async (flags) => {
      const root = projectWith({ 'locales/en.json': '{ "a": "One" }' });
      expect(await dragoman(['init', ...flags], { cwd: root, tty: true })).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(root, NAME))).toBe(true);
    },
  );

  it('refuses an unknown engine, and one that a project must not choose', async () => {
    const root = projectWith({ 'locales/en.json': '{ "a": "One" }' });
    expect((await dragoman(['init', '--engine', 'apertum'], { cwd: root })).stderr).toContain(
      'Did you mean apertium?',
    );
    expect(await dragoman(['init', '--engine', 'exec'], { cwd: root })).toMatchObject({ exitCode: 2 });
    expect(existsSync(join(root, NAME))).toBe(false);
  });
});
