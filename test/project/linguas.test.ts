import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLanguage } from '../../src/project/sync/language-list.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const TEMPLATE =
  'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Save"\nmsgstr ""\n';
const TARGETS = { source: 'en-US', targets: ['es', 'pt-BR'] };

describe('a LINGUAS file', () => {
  it.each([
    ['one on each line, in order', 'de\nfr\n', 'de\nes\nfr\n'],
    ['before the first', 'fr\nja\n', 'es\nfr\nja\n'],
    ['after the last', 'de\nen_GB\n', 'de\nen_GB\nes\n'],
    ['not in order', 'ja\nde\n', 'ja\nde\nes\n'],
    ['without a final line break', 'de\nfr', 'de\nes\nfr'],
    ['the last one without a final line break', 'de', 'de\nes'],
    ['all on one line', 'de fr ja\n', 'de es fr ja\n'],
    ['several lines', 'ar de\nfr ja\n', 'ar de es\nfr ja\n'],
    ['several lines, first of all', 'fr ja\nko zh_CN\n', 'es fr ja\nko zh_CN\n'],
    [
      'comments',
      '# keep sorted\nde\n# French\nfr # Jeanne\n',
      '# keep sorted\nde\nes\n# French\nfr # Jeanne\n',
    ],
    ['indented', '\tde\n\tfr\n', '\tde\n\tes\n\tfr\n'],
    ['CRLF', 'de\r\nfr\r\n', 'de\r\nes\r\nfr\r\n'],
    ['empty', '', 'es\n'],
    ['only a comment', '# languages', '# languages\nes\n'],
    ['blank lines', 'de\n\nfr\n', 'de\nes\n\nfr\n'],
    ['already there', 'es # Spanish\n', 'es # Spanish\n'],
    ['only in a comment', '# es\nde\n', '# es\nde\nes\n'],
  ])('gets a language: %s', (_, before, after) => {
    expect(addLanguage(before, 'es')).toBe(after);
  });

  it('gets one more language, and everything else stays', () => {
    const line = fc.oneof(
      fc.array(fc.constantFrom('ar', 'de', 'en_GB', 'fr', 'sr@latin', 'zh_TW'), { maxLength: 3 }),
      fc.constantFrom(['# note'], ['fr', '# Jeanne']),
    );
    const files = fc
      .tuple(
        fc.array(line, { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(' ', '\t', '  '),
      )
      .map(([lines, newline, gap]) => lines.map((words) => words.join(gap)).join(newline));
    const words = (text: string): readonly string[] =>
      text
        .split('\n')
        .flatMap((one) => (one.split('#', 1)[0] ?? '').split(/\s+/).filter((word) => word !== ''));
    const comments = (text: string): readonly string[] => text.match(/#.*/g) ?? [];
    fc.assert(
      fc.property(files, (before) => {
        const after = addLanguage(before, 'es');
        expect([...words(after)].sort()).toEqual([...words(before), 'es'].sort());
        expect(words(after).filter((word) => word !== 'es')).toEqual(words(before));
        expect(comments(after)).toEqual(comments(before));
      }),
    );
  });

  it('is extended when a sync writes the catalogue of a new language', async () => {
    const project = new ProjectDirectory({ 'po/demo.pot': TEMPLATE, 'po/LINGUAS': '# languages\nfr\n' });
    const { languages } = await project.sync(new RecordingEngine(), TARGETS);
    expect(project.read('po/LINGUAS')).toBe('# languages\nes\nfr\npt_BR\n');
    expect(languages.map(({ files }) => files.map(({ listedIn }) => listedIn))).toEqual([
      ['po/LINGUAS'],
      ['po/LINGUAS'],
    ]);
  });

  it('is extended above a directory for each language', async () => {
    const french = TEMPLATE.replace('msgstr ""\n"', 'msgstr ""\n"Language: fr\\n"\n"');
    const project = new ProjectDirectory({
      'po/fr.po': french,
      'po/LINGUAS': 'fr\n',
      'help/fr/fr.po': french,
      'help/LINGUAS': 'fr\n',
    });
    await project.sync(new RecordingEngine(), { source: 'en-US', targets: ['pt-BR'] });
    expect(project.list()).toContain('help/pt_BR/pt_BR.po');
    expect(project.read('help/LINGUAS')).toBe('fr\npt_BR\n');
    expect(project.read('po/LINGUAS')).toBe('fr\npt_BR\n');
  });

  it('is unchanged if a catalogue existed before, and not created', async () => {
    const project = new ProjectDirectory({ 'po/demo.pot': TEMPLATE, 'po/es.po': '', 'po/LINGUAS': 'fr\n' });
    await project.sync(new RecordingEngine(), { source: 'en-US', targets: ['es'] });
    expect(project.read('po/es.po')).toContain('es:Save');
    expect(project.read('po/LINGUAS')).toBe('fr\n');
    const other = new ProjectDirectory({ 'po/demo.pot': TEMPLATE });
    await other.sync(new RecordingEngine(), TARGETS);
    expect(other.list()).toEqual(['dragoman.lock', 'po/demo.pot', 'po/es.po', 'po/pt_BR.po']);
  });

  it('is not written through a link', async () => {
    const project = new ProjectDirectory({ 'po/demo.pot': TEMPLATE, 'src/main.c': 'int main;\n' });
    symlinkSync('../src/main.c', join(project.path, 'po/LINGUAS'));
    await project.sync(new RecordingEngine(), TARGETS);
    expect(project.read('src/main.c')).toBe('int main;\n');
    expect(project.read('po/es.po')).toContain('es:Save');
  });

  it('is reported as an error if it is unreadable; the catalogue is written', async () => {
    const project = new ProjectDirectory({ 'po/demo.pot': TEMPLATE });
    mkdirSync(join(project.path, 'po/LINGUAS'));
    const { languages } = await project.sync(new RecordingEngine(), { source: 'en-US', targets: ['es'] });
    expect(project.read('po/es.po')).toContain('es:Save');
    const [error] = languages.flatMap(({ files }) => files.flatMap((file) => file.error ?? []));
    expect(error?.message).toContain('LINGUAS');
  });
});
