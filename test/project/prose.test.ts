import { describe, expect, it } from 'vitest';
import { describeNote } from '../../src/project/plan/report.ts';
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

  it('requests only new or changed paragraphs, and keeps a person’s text when it moves', async () => {
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
    // The words still belong to a person: a change to their source is reported, and the words stay.
    directory.write('README.md', directory.read('README.md').replace('Second words', 'Other words'));
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toContain('Palabras de una persona.');
    expect(JSON.stringify(languages)).toContain('"outdated":1');
  });

  it.each([
    [
      'the first',
      'Same.\n\nA.\n\nSame.\n\nB.\n',
      'Other.\n\nA.\n\nSame.\n\nB.\n',
      'es:A.\n\nDe una persona.\n\nes:B.',
    ],
    [
      'the first, in a row',
      'Same.\n\nSame.\n\nSame.\n',
      'Other.\n\nSame.\n\nSame.\n',
      'es:Same.\n\nDe una persona.\n',
    ],
    [
      'each neighbour and the first',
      'Same.\n\nA.\n\nSame.\n\nB.\n',
      'Other.\n\nC.\n\nSame.\n\nD.\n',
      'De una persona.',
    ],
    ['the last', 'Same.\n\nA.\n\nSame.\n', 'New.\n\nSame.\n\nA.\n\nOther.\n', 'De una persona.\n\nes:A.'],
  ])(
    'keeps a person’s text for one of equal paragraphs when %s changes',
    async (name, before, after, kept) => {
      const directory = await translated({ 'README.md': before });
      const spanish = directory.read('README.es.md');
      const at = name === 'the last' ? spanish.indexOf('es:Same.') : spanish.lastIndexOf('es:Same.');
      directory.write(
        'README.es.md',
        `${spanish.slice(0, at)}De una persona.${spanish.slice(at + 'es:Same.'.length)}`,
      );
      directory.write('README.md', after);
      await directory.sync(new RecordingEngine());
      expect(directory.read('README.es.md')).toContain(kept);
    },
  );

  it.each([
    ['a new paragraph before it', 'Something else, which is new here.\n\nRun `npm test` 4 times.'],
    ['a new paragraph after it', 'Run `npm test` 4 times.\n\nSomething else, which is new here.'],
    ['two new ones around it', 'New.\n\nRun `npm test` 4 times.\n\nSomething else, which is new here.'],
  ])('keeps a person’s text beside its changed paragraph, with %s', async (_, changed) => {
    const directory = await translated({ 'README.md': 'First.\n\nRun `npm test` 3 times.\n\nLast.\n' });
    const own = 'Haz `npm test` tres veces (3).';
    directory.write('README.es.md', directory.read('README.es.md').replace(/es:Run.*/, own));
    directory.write('README.md', `First.\n\n${changed}\n\nLast.\n`);
    const { languages } = await directory.sync(new RecordingEngine());
    const expected = changed.replace(/^(?=New|Something)/gm, 'es:').replace(/^Run.*/m, own);
    expect(directory.read('README.es.md')).toBe(`es:First.\n\n${expected}\n\nes:Last.\n`);
    expect(JSON.stringify(languages)).toContain('"outdated":1');
  });

  it('keeps the text of a changed paragraph when its neighbour is removed', async () => {
    const before = 'First.\n\nSomething else, which goes.\n\nRun `npm test` 3 times.\n\nLast.\n';
    const directory = await translated({ 'README.md': before });
    const own = 'Haz `npm test` tres veces (3).';
    directory.write('README.es.md', directory.read('README.es.md').replace(/es:Run.*/, own));
    directory.write('README.md', 'First.\n\nRun `npm test` 4 times.\n\nLast.\n');
    await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(`es:First.\n\n${own}\n\nes:Last.\n`);
  });

  it('copies a page without texts, which a site needs in each language, and keeps it up to date', async () => {
    const code = '<script setup>\nimport { A } from "b"\n</script>\n\n<A />\n';
    const directory = project({ 'docs/team.md': code, 'docs/empty.md': '' });
    const { languages } = await directory.check();
    const isBehind = languages.flatMap(({ files }) =>
      files.flatMap((file) => (file.isBehind ? file.target : [])),
    );
    expect(isBehind).toEqual(['i18n/es/empty.md', 'i18n/es/team.md']);
    await directory.sync(new RecordingEngine());
    expect(directory.read('i18n/es/team.md')).toBe(code);
    expect(directory.read('i18n/es/empty.md')).toBe('');
    const before = directory.snapshot();
    await directory.sync(new RecordingEngine());
    expect(directory.snapshot()).toEqual(before);
    directory.write('docs/team.md', code.replaceAll('A', 'Team'));
    expect((await directory.check()).languages[0]?.files).toMatchObject([{ isBehind: true }]);
    await directory.sync(new RecordingEngine());
    expect(directory.read('i18n/es/team.md')).toBe(code.replaceAll('A', 'Team'));
    directory.write('i18n/es/team.md', code.replaceAll('A', 'Equipo'));
    directory.write('docs/team.md', code);
    const { languages: after } = await directory.sync(new RecordingEngine());
    expect(directory.read('i18n/es/team.md')).toBe(code.replaceAll('A', 'Equipo'));
    expect(JSON.stringify(after)).toContain('a person changed is kept');
  });

  it('translates below unreadable front matter, and reports its position', async () => {
    const directory = project({ 'docs/a/b.md': '---\ntitle: A: b\n---\n\nText.\n' });
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('i18n/es/a/b.md')).toBe('---\ntitle: A: b\n---\n\nes:Text.\n');
    expect(languages[0]?.files.flatMap(({ notes = [] }) => notes.map(describeNote))).toEqual([
      expect.stringMatching(/^docs\/a\/b\.md:2:8: the settings above the document are not valid YAML/),
    ]);
  });

  it('follows a removal of paragraphs without requests', async () => {
    const directory = await translated();
    directory.write('README.md', '# Tool\n\nSecond words.\n');
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(engine.texts).toEqual([]);
    expect(directory.read('README.es.md')).toBe('# es:Tool\n\nes:Second words.\n');
  });

  it('keeps an existing translation, and reports one that does not correspond', async () => {
    const same = await translated({ 'README.es.md': SPANISH.replaceAll('es:', 'humano ') });
    expect(same.read('README.es.md')).toBe(SPANISH.replaceAll('es:', 'humano '));
    const other = '# Otra\n\nEstructura.\n';
    const directory = project({ 'README.es.md': other });
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(other);
    expect(
      languages.flatMap((language) => language.allFiles()).flatMap(({ error }) => error?.message ?? []),
    ).toEqual([expect.stringMatching(/^from here on, its headings, .* do not match its source/)]);
  });
});

describe('content between the texts of a document', () => {
  const CODE = '# Tool\n\nWords.\n\n```sh\nold code\n```\n\nMore.\n\n```sh\nsecond\n```\n';
  const SPANISH_CODE = CODE.replace(/(Tool|Words|More)/g, 'es:$1');
  const changed = (text: string): string => text.replace('old code', 'new code');

  it('follows the source if nothing else has changed, without an engine', async () => {
    const directory = await translated({ 'README.md': CODE });
    expect(directory.read('README.es.md')).toBe(SPANISH_CODE);
    directory.write('README.md', changed(CODE));
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(engine.texts).toEqual([]);
    expect(directory.read('README.es.md')).toBe(changed(SPANISH_CODE));
    const before = directory.snapshot();
    await directory.sync(new RecordingEngine());
    expect(directory.snapshot()).toEqual(before);
  });

  it('keeps a person’s paragraph when the code after it is updated', async () => {
    const directory = await translated({ 'README.md': CODE });
    const own = SPANISH_CODE.replace('es:Words.', 'Palabras de\nuna *persona*.');
    directory.write('README.es.md', own);
    directory.write('README.md', changed(CODE));
    await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(changed(own));
  });

  it('keeps a person’s change when it moves, and is reported when its source changes', async () => {
    const directory = await translated({ 'README.md': CODE });
    directory.write('README.es.md', SPANISH_CODE.replace('old code', 'código'));
    await directory.sync(new RecordingEngine());
    const moved = CODE.replace('Words.', 'New.\n\nWords.');
    directory.write('README.md', moved);
    await directory.sync(new RecordingEngine());
    const expected =
      '# es:Tool\n\nes:New.\n\nes:Words.\n\n```sh\ncódigo\n```\n\nes:More.\n\n```sh\nsecond\n```\n';
    expect(directory.read('README.es.md')).toBe(expected);
    directory.write('README.md', changed(moved).replace('second', 'third'));
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(expected.replace('second', 'third'));
    const files = languages.flatMap((language) => language.allFiles());
    const notes = files.flatMap((file) => file.notes ?? []).map(describeNote);
    expect(notes).toEqual([
      'line 7: code or markup that a person changed is kept, although its source has changed',
    ]);
    // Another change records that the current source was seen.
    directory.write('README.es.md', directory.read('README.es.md').replace('código', 'código nuevo'));
    const again = await directory.sync(new RecordingEngine());
    expect(
      again.languages.flatMap((language) => language.allFiles()).flatMap((file) => file.notes ?? []),
    ).toEqual([]);
  });

  it('is not overwritten if it existed before the first sync', async () => {
    const own = SPANISH_CODE.replaceAll('es:', 'humano ').replace('old code', 'código');
    const directory = await translated({ 'README.md': CODE, 'README.es.md': own });
    directory.write('README.md', changed(CODE));
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(own);
    const notes = languages.flatMap(({ files }) => files.flatMap((file) => file.notes ?? []));
    expect(notes.map(describeNote)).toEqual([expect.stringMatching(/^line 5: code or markup/)]);
  });

  it('is updated in front matter, even if the translation needs quotes', async () => {
    const page = '---\ntitle: Page\ndate: 2026-01-31\n---\n\nText.\n';
    const directory = await translated({ 'docs/a/b.md': page });
    const own = directory.read('i18n/es/a/b.md').replace('es:Page', '"Página: uno"');
    directory.write('i18n/es/a/b.md', own);
    directory.write('docs/a/b.md', page.replace('01-31', '02-28'));
    await directory.sync(new RecordingEngine());
    expect(directory.read('i18n/es/a/b.md')).toBe(own.replace('01-31', '02-28'));
    directory.write('docs/a/b.md', page.replace('title', 'slug: /x\ntitle'));
    await directory.sync(new RecordingEngine());
    expect(directory.read('i18n/es/a/b.md')).toMatch(
      /^---\nslug: \/x\ntitle: "?Página: uno"?\ndate: 2026-01-31\n/,
    );
  });
});
