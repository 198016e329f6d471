import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from '../cli/harness.ts';

describe('a region of a language', () => {
  const EN = '{"a": "One", "b": "Two"}';
  const OLD = '{\n  "a": "x"\n}\n';
  const filesIn = (root: string): readonly string[] =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json') && !path.endsWith('en.json'))
      .sort();

  it.each([
    ['es', ['es-ES'], ['es-ES']],
    ['zh', ['zh-CN'], ['zh-CN']],
    ['es', ['es-ES', 'es-MX'], ['es', 'es-ES', 'es-MX']],
    ['es', ['fr'], ['es', 'fr']],
    ['es-MX', ['es-ES'], ['es-ES', 'es-MX']],
    ['es,es-ES', ['es-ES'], ['es', 'es-ES']],
    ['sr', ['sr-Latn'], ['sr', 'sr-Latn']],
  ])('-t %s next to %j selects %j', async (wished, existing, expected) => {
    const root = projectWith({
      'locales/en.json': EN,
      ...Object.fromEntries(existing.map((code) => [`locales/${code}.json`, OLD])),
    });
    const run = () => dragoman(['sync', '-t', wished, '--engine', 'pseudo'], { cwd: root });
    const first = await run();
    expect(first.exitCode, first.stderr).toBe(0);
    expect(filesIn(root)).toEqual(expected.map((code) => `locales/${code}.json`).sort());
    const isMeant = !expected.includes(wished.split(',')[0] ?? '');
    expect(first.stderr.includes(`${wished} means ${existing[0]} here`)).toBe(isMeant);
    if (isMeant) expect(readFileSync(join(root, `locales/${existing[0]}.json`), 'utf8')).toContain('"b"');
    // With the lock that this sync wrote, later commands find nothing to do.
    expect(await dragoman(['check'], { cwd: root })).toMatchObject({ exitCode: 0 });
    expect(await run()).toMatchObject({ exitCode: 0 });
    expect(filesIn(root)).toEqual(expected.map((code) => `locales/${code}.json`).sort());
  });

  it('is reported when a flag selects it, and not by commands without the flag', async () => {
    const root = projectWith({
      'dragoman.config.yaml': 'source: en\ntargets: [es]\n',
      'locales/en.json': EN,
      'locales/es-ES.json': OLD,
    });
    expect((await dragoman(['status'], { cwd: root })).stderr).not.toContain('es means');
    expect((await dragoman(['status', '-t', 'es'], { cwd: root })).stderr).toContain('es means es-ES here');
  });

  it('is used in directories that have it, and its language in the others', async () => {
    const root = projectWith({
      'a/locales/en.json': EN,
      'a/locales/es-ES.json': OLD,
      'b/locales/en.json': EN,
      'b/locales/es.json': OLD,
      'c/locales/en.json': EN,
    });
    const expected = ['a/locales/es-ES.json', 'b/locales/es.json', 'c/locales/es.json'];
    for (const argv of [['-t', 'es'], [], ['-t', 'es']]) {
      const { exitCode, stderr } = await dragoman(['sync', ...argv, '--engine', 'pseudo'], { cwd: root });
      expect(exitCode, stderr).toBe(0);
      expect(filesIn(root)).toEqual(expected);
    }
    expect(await dragoman(['check'], { cwd: root })).toMatchObject({ exitCode: 0 });
    expect(JSON.parse((await dragoman(['status', '--json'], { cwd: root })).stdout)).toMatchObject({
      projects: [
        {
          languages: [
            { language_code: 'es', coverage: { keys: 4, missing: 0 } },
            { language_code: 'es-ES', coverage: { keys: 2, missing: 0 } },
          ],
        },
      ],
    });
  });

  it('is selected by a configuration that has only its language', async () => {
    const root = projectWith({
      'dragoman.config.yaml': 'source: en\ntargets: [es]\n',
      'locales/en.json': EN,
      'locales/es-ES.json': OLD,
    });
    for (const argv of [['-t', 'es'], [], ['-t', 'es']]) {
      const run = await dragoman(['sync', ...argv, '--engine', 'pseudo'], { cwd: root });
      expect(run).toMatchObject({ exitCode: 0 });
      expect(filesIn(root)).toEqual(['locales/es-ES.json']);
    }
  });

  it('is not listed by init next to its language, if no source has files in both', async () => {
    const root = projectWith({
      'a/locales/en.json': EN,
      'a/locales/es-ES.json': OLD,
      'a/locales/fr.json': OLD,
      'a/locales/fr-CA.json': OLD,
      'b/locales/en.json': EN,
      'b/locales/es.json': OLD,
    });
    expect((await dragoman(['init'], { cwd: root })).exitCode).toBe(0);
    const configuration = readFileSync(join(root, 'dragoman.config.yaml'), 'utf8');
    expect(configuration).toContain('\ntargets: ["es", "fr", "fr-CA"]\n');
    const { exitCode, stderr } = await dragoman(['sync', '-t', 'es', '--engine', 'pseudo'], { cwd: root });
    expect(exitCode, stderr).toBe(0);
    expect(filesIn(root).filter((path) => /\bes\b/.test(path))).toEqual([
      'a/locales/es-ES.json',
      'b/locales/es.json',
    ]);
    expect(stderr).toContain('es also means es-ES here, the language of a/locales/es-ES.json.');
    expect(stderr).not.toContain('list both');
    const { stdout } = await dragoman(['status', '--json'], { cwd: root });
    expect(JSON.parse(stdout)).toMatchObject({
      projects: [{ languages: [{ language_code: 'es' }, { language_code: 'es-ES' }, {}, {}] }],
    });
  });

  it('is not taken as its language if the lock already has that language', async () => {
    const root = projectWith({ 'locales/en.json': '{"a": "One"}' });
    await dragoman(['sync', '-t', 'es', '--engine', 'pseudo'], { cwd: root });
    renameSync(join(root, 'locales/es.json'), join(root, 'locales/es-ES.json'));
    expect((await dragoman(['sync', '-t', 'es', '--engine', 'pseudo'], { cwd: root })).exitCode).toBe(0);
  });

  it('is Minecraft’s code for a language', async () => {
    const lang = 'src/main/resources/assets/mod/lang';
    const root = projectWith({ [`${lang}/en_us.json`]: EN });
    const run = () =>
      dragoman(['sync', '-t', 'ar,cy,eo,la,li,nb,sr,sw,szl,yi', '--engine', 'pseudo'], { cwd: root });
    const { exitCode, stderr } = await run();
    expect(exitCode, stderr).toBe(0);
    expect(stderr.match(/programs may not find .*/g)).toEqual([
      expect.stringContaining(`${lang}/sr.json: `),
      // The game does not support Swahili.
      expect.stringContaining(`${lang}/sw.json: `),
    ]);
    const codes = ['ar_sa', 'cy_gb', 'eo_uy', 'la_la', 'li_li', 'no_no', 'sr', 'sw', 'szl', 'yi_de'];
    const names = codes.map((code) => `${lang}/${code}.json`);
    const written = filesIn(root).filter((path) => !path.endsWith('en_us.json'));
    expect(written).toEqual(names);
    expect((await run()).stderr).toContain('everything is up to date');
    expect(filesIn(root).filter((path) => !path.endsWith('en_us.json'))).toEqual(names);
  });

  it.each([['no'], ['nb'], ['no,nb'], ['nb,no'], ['nn,no,cv']])(
    'is Minecraft’s code for Norwegian and others: -t %s',
    async (wished) => {
      const lang = 'src/main/resources/assets/mod/lang';
      const root = projectWith({ [`${lang}/en_us.json`]: EN });
      const run = () => dragoman(['sync', '-t', wished, '--engine', 'pseudo'], { cwd: root });
      const { exitCode, stderr } = await run();
      expect(exitCode, stderr).toBe(0);
      const codes = wished.includes('nn') ? ['cv_cu', 'nn_no', 'no_no'] : ['no_no'];
      const names = codes.map((code) => `${lang}/${code}.json`);
      expect(filesIn(root).filter((path) => !path.endsWith('en_us.json'))).toEqual(names);
      expect((await run()).stderr).toContain('everything is up to date');
      expect(filesIn(root).filter((path) => !path.endsWith('en_us.json'))).toEqual(names);
      expect(await dragoman(['check'], { cwd: root })).toMatchObject({ exitCode: 0 });
    },
  );
});
