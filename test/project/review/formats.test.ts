import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMAT_IDS, BUILT_IN_FORMATS, TEMPLATES } from '../../../src/formats/registry.ts';
import { SUBTITLE_NAMES, subtitleFormatOfPath } from '../../../src/formats/subtitles/names.ts';
import { dragoman } from '../../cli/harness.ts';
import { ProjectDirectory } from '../project-directory.ts';
import { answerTo, rowsOf, save } from './answers.ts';
import { FILES, TRANSLATED } from './samples.ts';

/**
 * The mark that an import adds to the texts that it writes, because nobody has approved them, and the text that the
 * mark replaces.
 */
const MARKS: Readonly<Record<string, readonly [mark: string, before: string]>> = {
  'XLIFF 1.2': [' state="needs-review-translation"', ''],
  'XLIFF 2': [' state="translated" subState="dragoman:needs-review"', ''],
  'Qt TS': [' type="unfinished"', ''],
  'String Catalog': ['needs_review', 'translated'],
};

describe('samples', () => {
  it('cover every format and every extension of translations', () => {
    const samples = [...FILES.values()];
    const formats = samples.map(
      ({ target, text }) =>
        subtitleFormatOfPath(target) ?? BUILT_IN_FORMATS.ofPath(target, () => text(TRANSLATED))?.id,
    );
    expect(new Set(formats)).toEqual(new Set([...FORMAT_IDS, ...Object.keys(SUBTITLE_NAMES)]));
    const known = [...BUILT_IN_FORMATS.all, ...Object.values(SUBTITLE_NAMES)].flatMap(
      ({ extensions }) => extensions,
    );
    const covered = samples.map(({ target }) => extname(target).slice(1));
    expect(new Set([...covered, ...TEMPLATES.keys()])).toEqual(new Set(known));
  });
});

describe('imported texts', () => {
  it.each([...FILES])(
    'change only the bytes of their values and their review marks: %s',
    async (_name, { format, target, text, files: made }) => {
      const before = text(TRANSLATED);
      const { path: cwd } = new ProjectDirectory({ ...made, [target]: before });
      const exported = ['export', '-s', 'en', '-t', 'es', '--format', 'xliff2', '-o', 'out/texts.xlf'];
      mkdirSync(join(cwd, 'out'));
      expect(await dragoman(exported, { cwd })).toMatchObject({ exitCode: 0 });
      const file = join(cwd, 'out/texts.xlf');
      const returned = readFileSync(file, 'utf8')
        .replace('>Dos<', '>Dos veces<')
        .replace('>Tres<', '>Tercero<');
      writeFileSync(file, returned);
      expect(await dragoman(['import', 'out/texts.xlf', '--as', 'ana'], { cwd })).toMatchObject({
        exitCode: 0,
      });
      const [mark, bare] = MARKS[format] ?? [];
      const parts = readFileSync(join(cwd, target), 'utf8').split(mark ?? '\0');
      expect(parts).toHaveLength(mark === undefined ? 1 : 3);
      expect(parts.join(bare)).toBe(before.replace('Dos', 'Dos veces').replace('Tres', 'Tercero'));
    },
  );
});

describe('saved texts', () => {
  it.each([...FILES])(
    'change only the bytes of one value: %s',
    async (_name, { target, text, files: made }) => {
      const before = text(TRANSLATED);
      const directory = new ProjectDirectory({ ...made, [target]: before });
      const rows = [...(await rowsOf(directory)).values()].filter(({ locale }) => locale === 'es');
      const rowOf = (source: string) => rows.find(({ forms }) => forms[0]?.source.endsWith(source));
      const values = rowOf('Two')?.forms.map(({ translation = '' }) =>
        translation.replace('Dos', 'Dos veces'),
      );
      const results = await save(directory, [answerTo(rowOf('Two'), { values })]);
      expect(results).toMatchObject([{ kind: 'saved' }]);
      expect(directory.read(target)).toBe(before.replaceAll('Dos', 'Dos veces'));
    },
  );
});
