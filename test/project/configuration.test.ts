import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfiguration, CONFIGURATION_SCHEMA } from '../../src/project/config/configuration.ts';
import { localeStyles } from '../../src/languages/locale.ts';
import { isSchema } from '../../src/project/config/schema.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

describe('configuration', () => {
  it.each([
    ['dragoman.config.json', '{\n  // comment\n  "source": "en_US",\n  "targets": ["pt_BR", "zh-Hans"],\n}'],
    ['dragoman.config.yaml', 'source: en-US\ntargets: [pt-BR, zh-CN]\n'],
    ['.dragomanrc', 'source: en-US\ntargets:\n  - pt-BR\n  - zh-CN\n'],
    ['.dragomanrc', '{"source": "en-US", "targets": ["pt-BR", "zh-CN"]}'],
    ['package.json', '{"name": "x", "dragoman": {"source": "en-US", "targets": ["pt-BR", "zh-CN"]}}'],
  ])('reads %s', async (name, text) => {
    const project = new ProjectDirectory({ [name]: text, 'deep/er/file': '' });
    const expected = { source: 'en-US', targets: ['pt-BR', 'zh-CN'] };
    expect((await loadConfiguration(project.path))?.configuration).toEqual(expected);
    expect((await loadConfiguration(join(project.path, 'deep', 'er')))?.configuration).toEqual(expected);
  });

  it('ignores programs, and packages without the key', async () => {
    const project = new ProjectDirectory({
      '.git/HEAD': '',
      'dragoman.config.js': 'throw 1',
      '.config/config.js': 'throw 1',
      'package.json': '{"name": "dragoman"}',
    });
    expect(await loadConfiguration(project.path)).toBeUndefined();
  });

  it('reads the first existing file, and continues after a package without the key', async () => {
    const project = new ProjectDirectory({ 'package.json': '{"x": "\\"dragoman\\""}' });
    const sourceOf = async (): Promise<unknown> =>
      (await loadConfiguration(project.path))?.configuration.source;
    for (const [name, source] of [
      ['dragoman.config.yml', 'yo'],
      ['dragoman.config.yaml', 'ha'],
      ['dragoman.config.json', 'it'],
      ['.dragomanrc.yml', 'es'],
      ['.dragomanrc.yaml', 'fr'],
      ['.dragomanrc.json', 'de'],
      ['.dragomanrc', 'en'],
    ] as const) {
      project.write(name, `{"source": "${source}"}`);
      expect(await sourceOf(), name).toBe(source);
    }
    project.write('package.json', '{"$import": "./other.json", "dragoman": {"source": "pt"}}');
    expect(await sourceOf()).toBe('pt');
  });

  it.each([
    ['.dragomanrc', '$import: ./other.yaml\n', 1, 1],
    ['.dragomanrc', 'source: en\n"$import": [./other.js]\n', 2, 1],
    ['dragoman.config.yaml', 'source: en\n$import: ./other.yaml\n', 2, 1],
    ['dragoman.config.json', '{\n  "$import": "./other.json"}', 2, 3],
    ['package.json', '{"dragoman": {"$import": "./other.json"}}', 1, 15],
  ])('imports nothing into %s: %s', async (name, text, line, column) => {
    const other = {
      'other.yaml': 'targets: [es]\n',
      'other.json': '{"targets": ["es"]}',
      'other.js': 'throw 1',
    };
    const project = new ProjectDirectory({ ...other, [name]: text });
    await expect(loadConfiguration(project.path)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('`$import` is not a setting'),
      at: { line, column, file: join(project.path, name) },
    });
  });

  it.each([
    ['.dragomanrc', '', 1, 1],
    ['dragoman.config.json', ' \n  ', 2, 3],
    ['dragoman.config.yaml', '\ufeff', 1, 1],
  ])('reports the position of errors in an empty %s', async (name, text, line, column) => {
    const project = new ProjectDirectory({ [name]: text });
    await expect(loadConfiguration(project.path)).rejects.toMatchObject({ at: { line, column } });
  });

  it('does not look above the repository', async () => {
    const project = new ProjectDirectory({
      'dragoman.config.json': '{"targets": ["es"]}',
      'repository/.git/HEAD': '',
    });
    expect(await loadConfiguration(join(project.path, 'repository'))).toBeUndefined();
  });

  it.each([
    ['{"tragets": ["es"]}', 1, 2, /`tragets` is not a setting/, /Did you mean targets\?/],
    [
      '{\n  "files": [\n    {"source": "a/{locale}.json", "fromat": "po"}]}',
      3,
      35,
      /fromat/,
      /mean format\?/,
    ],
    [
      '{"files": [\n  {"source": "a/en.pairs", "target": "a/{locale}.json"}]}',
      2,
      28,
      /JSON, but the source is \.pairs/,
      /extension \.pairs/,
    ],
    ['{\n "targets": 5}', 2, 2, /must be a list/, undefined],
    ['{\n "targets": ["es", "xyzzy"]}', 2, 20, /"xyzzy" is not a language code/, undefined],
    ['{"files": [{"source": "../{locale}.json"}]}', 1, 13, /leads out/, /below/],
    ['{"files": [{"source": "/etc/{locale}.json"}]}', 1, 13, /leads out/, /below/],
    ['{"files": [{"source": "a.json", "target": "C:\\\\{locale}.json"}]}', 1, 33, /leads out/, /below/],
    ['{"files": [{"source": "en.json"}]}', 1, 13, /every language into one file/, /\{locale\}/],
    ['{"files": [{"source": "*/a.json", "target": "{locale}.json"}]}', 1, 35, /same wildcards/, /\*/],
    ['{"exclude": ["../x"]}', 1, 14, /leads out/, undefined],
    ['{"memory": "../m.db"}', 1, 2, /leads out/, /below/],
    ['{"memory": ""}', 1, 2, /memory/, undefined],
    ['{"glossary": "../words.csv"}', 1, 2, /leads out/, /below/],
    ['{"review": {"screenshots": ".git"}}', 1, 13, /\.git/, /neither hidden/],
    ['{"glossary": "/words.csv"}', 1, 2, /leads out/, /below/],
    ['{"concurrency": 0}', 1, 2, /from 1 to 64/, undefined],
    ['{"localeStyle": "androit"}', 1, 2, /cannot be "androit"/, /Did you mean android\?/],
    ['{"source": "en"', 1, 16, /not well-formed JSON/, undefined],
    ['[]', 1, 1, /must be an object/, undefined],
  ])('refuses %s', async (text, line, column, message, hint) => {
    const project = new ProjectDirectory({ 'dragoman.config.json': text });
    await expect(loadConfiguration(project.path)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(message),
      at: { line, column, file: join(project.path, 'dragoman.config.json') },
      ...(hint && { hint: expect.stringMatching(hint) }),
    });
  });

  it('also reports positions in YAML', async () => {
    const project = new ProjectDirectory({
      '.dragomanrc': 'source: en\nfiles:\n  - source: a.json\n    tagret: b\n',
    });
    await expect(loadConfiguration(project.path)).rejects.toMatchObject({ at: { line: 4, column: 5 } });
    project.write('.dragomanrc', 'source: [en\n');
    await expect(loadConfiguration(project.path)).rejects.toMatchObject({
      message: expect.stringMatching(/YAML/),
    });
    project.write('.dragomanrc', `a: &a [x]\n${'b: [*a, *a]\n'.repeat(200)}`);
    await expect(loadConfiguration(project.path)).rejects.toMatchObject({ code: 'configuration' });
  });

  it('sets the form of address per language', async () => {
    const project = new ProjectDirectory();
    project.json('dragoman.config.json', { formality: { de: 'informal', pt_br: 'formal', '*': 'formal' } });
    const loaded = await loadConfiguration(project.path);
    expect(loaded?.configuration.formality).toEqual(
      new Map([
        ['de', 'informal'],
        ['pt-BR', 'formal'],
        ['*', 'formal'],
      ]),
    );
  });

  it.each([
    [{ de: 'polite' }, 'formality.de'],
    [{ nowhere: 'formal' }, 'not a language code'],
    [{ 'pt-BR': 'formal', pt_BR: 'informal' }, 'pt-BR twice'],
    ['formal', 'must be an object'],
  ])('refuses the formality %j', async (formality, problem) => {
    const project = new ProjectDirectory();
    project.json('dragoman.config.json', { formality });
    await expect(loadConfiguration(project.path)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(problem),
    });
  });

  it('enforces every keyword of its schema, which contains all settings', () => {
    expect(isSchema(CONFIGURATION_SCHEMA)).toBe(true);
    expect(isSchema({ type: 'string', format: 'uri' })).toBe(false);
    const rule = CONFIGURATION_SCHEMA.properties?.['files']?.items?.properties;
    expect(rule?.['localeStyle']?.enum).toEqual(localeStyles);
    expect(CONFIGURATION_SCHEMA.properties?.['localeStyle']?.enum).toEqual(localeStyles);
  });
});

describe('configured files', () => {
  const engine = (): RecordingEngine => new RecordingEngine();

  it('are written to the paths that the template defines', async () => {
    const project = new ProjectDirectory();
    project.json('dragoman.config.json', {
      source: 'en',
      targets: ['pt-BR', 'zh-CN'],
      locales: { 'zh-CN': 'chinese' },
      exclude: ['**/skip/**'],
      files: [
        { source: 'src/**/text.{locale}.json', localeStyle: 'lower-underscore' },
        { source: 'docs/*.txt', target: 'out/{locale}/*.txt', format: 'properties', exclude: ['docs/b*'] },
      ],
    });
    project.json('src/a/b/text.en.json', { a: 'A' });
    project.json('src/text.en.json', { a: 'A' });
    project.json('src/skip/text.en.json', { a: 'A' });
    project.write('docs/a.txt', 'a = A\n');
    project.write('docs/b.txt', 'a = A\n');
    await project.sync(engine());
    expect(project.list().filter((file) => /pt|chinese/.test(file))).toEqual([
      'out/chinese/a.txt',
      'out/pt-BR/a.txt',
      'src/a/b/text.chinese.json',
      'src/a/b/text.pt_br.json',
      'src/text.chinese.json',
      'src/text.pt_br.json',
    ]);
    expect(project.read('out/pt-BR/a.txt')).toBe('a = pt-BR:A\n');
    expect(await project.open()).toMatchObject({ targets: ['pt-BR', 'zh-CN'] });
  });

  it.each([
    ['es', ['a', 'sub/b', 'api/a', 'it/tools', 'it/more']],
    ['it', ['a', 'sub/b', 'api/a', 'es-in-words']],
  ])('may have targets among their sources: %s', async (target, pages) => {
    const project = new ProjectDirectory();
    project.json('dragoman.config.json', {
      source: 'en',
      targets: [target],
      files: [{ source: 'docs/**/*.md', target: 'docs/{locale}/**/*.md' }],
    });
    for (const page of pages) project.write(`docs/${page}.md`, '# Page\n');
    await project.sync(engine());
    const written = project.list();
    expect(written.filter((file) => file.endsWith('.md'))).toEqual(
      pages.flatMap((page) => [`docs/${page}.md`, `docs/${target}/${page}.md`]).sort(),
    );
    rmSync(join(project.path, 'docs/sub/b.md'));
    await project.sync(engine());
    expect(project.list()).toEqual(written.filter((file) => file !== 'docs/sub/b.md'));
  });

  it('cause an error if nothing matches, or if two of them have the same target', async () => {
    const project = new ProjectDirectory({ 'a/en.json': '{}', 'b/en.json': '{}' });
    project.json('dragoman.config.json', { targets: ['es'], files: [{ source: 'c/{locale}.json' }] });
    await expect(project.open()).rejects.toMatchObject({
      message: expect.stringMatching(/no file matches c/),
    });
    project.json('dragoman.config.json', {
      targets: ['es'],
      files: [
        { source: 'a/{locale}.json', target: '{locale}.json' },
        { source: 'b/{locale}.json', target: '{locale}.json' },
      ],
    });
    await expect(project.open()).rejects.toMatchObject({
      message: expect.stringMatching(/belongs to a\/en.json/),
    });
  });

  it('do not follow a directory link out of the project', async () => {
    const project = new ProjectDirectory({ 'in/en.json': '{"a": "A"}' });
    const outside = new ProjectDirectory();
    mkdirSync(join(outside.path, 'es'));
    symlinkSync(outside.path, join(project.path, 'out'));
    project.json('dragoman.config.json', {
      targets: ['es'],
      files: [{ source: 'in/{locale}.json', target: 'out/{locale}/x.json' }],
    });
    await expect(project.sync(engine())).rejects.toMatchObject({ code: 'configuration' });
    expect(outside.list()).toEqual([]);
  });
});
