import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const CONFIGURATION =
  'source: en\ntargets: [es]\nfiles:\n  - source: README.md\n    target: README.{locale}.md\n  - source: docs/**/*.md\n    target: i18n/{locale}/**/*.md\n';
const README = '# Tool\n\nFirst words.\n\nSecond words.\n\n## Use\n\n- Run `npm i`.\n- Read more.\n';
const PAGE = '---\ntitle: Page\n---\n\nText.\n';
const SPANISH = README.replace(/(Tool|First|Second|Use|Run|Read)/g, 'es:$1');

function project(files: Readonly<Record<string, string>> = {}): ProjectDirectory {
  return new ProjectDirectory({
    'dragoman.config.yaml': CONFIGURATION,
    'README.md': README,
    'docs/a/b.md': PAGE,
    ...files,
  });
}

async function translated(files: Readonly<Record<string, string>> = {}): Promise<ProjectDirectory> {
  const directory = project(files);
  await directory.sync(new RecordingEngine());
  return directory;
}

describe('sync of running text', () => {
  it('translates documents, and writes nothing a second time', async () => {
    const directory = await translated();
    expect(directory.read('README.es.md')).toBe(SPANISH);
    expect(directory.read('i18n/es/a/b.md')).toBe('---\ntitle: es:Page\n---\n\nes:Text.\n');
    const before = directory.snapshot();
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(engine.texts).toEqual([]);
    expect(directory.snapshot()).toEqual(before);
  });

  it('asks only for paragraphs that are new or changed, and keeps what a person wrote wherever it stands now', async () => {
    const directory = await translated();
    directory.write('README.es.md', SPANISH.replace('es:Second words.', 'Palabras de una persona.'));
    directory.write(
      'README.md',
      '# Tool\n\nA new one.\n\nSecond words.\n\n```sh\nnew code\n```\n\n## Why\n\nBecause.\n\n## Use\n\n- Run `npm i`.\n- Read less.\n\nFirst words.\n',
    );
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(engine.texts.toSorted()).toEqual(['es A new one.', 'es Because.', 'es Read less.', 'es Why']);
    const expected =
      '# es:Tool\n\nes:A new one.\n\nPalabras de una persona.\n\n```sh\nnew code\n```\n\n## es:Why\n\nes:Because.\n\n## es:Use\n\n- es:Run `npm i`.\n- es:Read less.\n\nes:First words.\n';
    expect(directory.read('README.es.md')).toBe(expected);
    const again = new RecordingEngine();
    const before = directory.snapshot();
    await directory.sync(again);
    expect(again.texts).toEqual([]);
    expect(directory.snapshot()).toEqual(before);
    // The words are still a person's: a change of their source is reported, and they stay.
    directory.write('README.md', directory.read('README.md').replace('Second words', 'Other words'));
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toContain('Palabras de una persona.');
    expect(JSON.stringify(languages)).toContain('"outdated":1');
  });

  it('follows a removal of paragraphs without asking for anything', async () => {
    const directory = await translated();
    directory.write('README.md', '# Tool\n\nSecond words.\n');
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(engine.texts).toEqual([]);
    expect(directory.read('README.es.md')).toBe('# es:Tool\n\nes:Second words.\n');
  });

  it('keeps a translation that was there, and reports one that does not correspond', async () => {
    const same = await translated({ 'README.es.md': SPANISH.replaceAll('es:', 'humano ') });
    expect(same.read('README.es.md')).toBe(SPANISH.replaceAll('es:', 'humano '));
    const other = '# Otra\n\nEstructura.\n';
    const directory = project({ 'README.es.md': other });
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(other);
    expect(
      languages.flatMap((language) => language.allFiles()).flatMap(({ error }) => error?.message ?? []),
    ).toEqual(['its headings, paragraphs and cells are not those of its source']);
  });
});
