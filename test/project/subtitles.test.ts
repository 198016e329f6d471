import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeTime } from '../../src/formats/subtitles/timing.ts';
import { lintProject } from '../../src/project/lint/lint.ts';
import { describeNote } from '../../src/project/plan/report.ts';
import { runs } from '../property-runs.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const MOVIE = `1
00:00:01,000 --> 00:00:02,500
{\\an8}Today the garden

2
00:00:02,600 --> 00:00:04,000
is closed.

3
00:00:05,000 --> 00:00:06,000
<i>Yes.</i>

4
00:00:07,000 --> 00:00:08,000
♪

5
00:00:09,000 --> 00:00:11,000
- Come in.
- No.
`;

async function translated(movie: string = MOVIE): Promise<ProjectDirectory> {
  const directory = new ProjectDirectory({ 'movie.srt': movie, 'dragoman.config.yaml': CONFIGURATION });
  await directory.sync(new RecordingEngine());
  return directory;
}

interface TestCue {
  /** Milliseconds; it is shown for two seconds. */
  readonly start: number;
  readonly text: string;
}

const timed =
  (point: string, digits: number, from = 0) =>
  (time: number): string =>
    writeTime(time, point, digits).slice(from);
const [comma, stop, short, minutes] = [timed(',', 3), timed('.', 3), timed('.', 2, 1), timed('.', 2, 3)];

/** The same cues in each format. */
const NOTATIONS: Readonly<Record<string, (cues: readonly TestCue[]) => string>> = {
  srt: (cues) =>
    cues
      .map(({ start, text }, i) => `${i + 1}\n${comma(start)} --> ${comma(start + 2000)}\n${text}\n`)
      .join('\n'),
  vtt: (cues) =>
    `WEBVTT\n\n${cues
      .map(({ start, text }) => `${stop(start)} --> ${stop(start + 2000)} line:0\n${text}\n`)
      .join('\n')}`,
  sbv: (cues) => cues.map(({ start, text }) => `${stop(start)},${stop(start + 2000)}\n${text}\n`).join('\n'),
  ass: (cues) =>
    `[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n${cues
      .map(
        ({ start, text }) => `Dialogue: 0,${short(start)},${short(start + 2000)},Default,,0,0,0,,${text}\n`,
      )
      .join('')}`,
  ttml: (cues) =>
    `<tt xmlns="http://www.w3.org/ns/ttml"><body><div>\n${cues
      .map(({ start, text }) => `<p begin="${stop(start)}" end="${stop(start + 2000)}">${text}</p>\n`)
      .join('')}</div></body></tt>\n`,
  lrc: (cues) => cues.map(({ start, text }) => `[${minutes(start)}]${text}\n`).join(''),
  sub: (cues) =>
    `{1}{1}25\n${cues
      .map(({ start, text }) => `{${start / 40}}{${(start + 2000) / 40}}${text}\n`)
      .join('')}`.replaceAll(/\{(\d+)\.\d+\}/g, '{$1}'),
};

const CONFIGURATION =
  'source: en\ntargets: [es]\nfiles:\n  - source: movie.srt\n    target: movie.{locale}.srt\n';

/** Texts of the engine without the target's code. */
async function asked(directory: ProjectDirectory): Promise<readonly string[]> {
  const engine = new RecordingEngine();
  await directory.sync(engine);
  return engine.texts.map((text) => text.slice('es '.length)).toSorted();
}

describe('sync of subtitles', () => {
  it('translates sentences over their cues, and writes nothing a second time', async () => {
    const directory = await translated();
    expect(directory.read('movie.es.srt')).toMatchInlineSnapshot(`
      "1
      00:00:01,000 --> 00:00:02,500
      {\\an8}es:Today the garden

      2
      00:00:02,600 --> 00:00:04,000
      is closed.

      3
      00:00:05,000 --> 00:00:06,000
      <i>es:Yes.</i>

      4
      00:00:07,000 --> 00:00:08,000
      ♪

      5
      00:00:09,000 --> 00:00:11,000
      - es:Come in.
      - es:No.
      "
    `);
    const before = directory.snapshot();
    expect(await asked(directory)).toEqual([]);
    expect(directory.snapshot()).toEqual(before);
  });

  it('keeps a corrected cue byte for byte when another is changed, added or removed', async () => {
    const directory = await translated();
    const corrected = directory.read('movie.es.srt').replace('<i>es:Yes.</i>', '<i>¡Que sí!</i>');
    directory.write('movie.es.srt', corrected);
    directory.write(
      'movie.srt',
      MOVIE.replace('4\n00:00:07,000 --> 00:00:08,000\n♪\n\n', '')
        .replace('5\n', '4\n')
        .replace('is closed.', 'is open.')
        .replace('1\n', '1\n00:00:00,100 --> 00:00:00,900\nHello.\n\n2\n'),
    );
    expect(await asked(directory)).toEqual(['Hello.', 'Today the garden is open.']);
    expect(directory.read('movie.es.srt')).toMatchInlineSnapshot(`
      "1
      00:00:00,100 --> 00:00:00,900
      es:Hello.

      2
      00:00:01,000 --> 00:00:02,500
      {\\an8}es:Today the garden

      2
      00:00:02,600 --> 00:00:04,000
      is open.

      3
      00:00:05,000 --> 00:00:06,000
      <i>¡Que sí!</i>

      4
      00:00:09,000 --> 00:00:11,000
      - es:Come in.
      - es:No.
      "
    `);
    expect(await asked(directory)).toEqual([]);
  });

  it('lets times follow the source, except for those that a person moved', async () => {
    const directory = await translated();
    const moved = directory.read('movie.es.srt').replace('00:00:05,000', '00:00:05,250');
    directory.write('movie.es.srt', moved);
    expect(await asked(directory)).toEqual([]);
    expect(directory.read('movie.es.srt')).toBe(moved);
    directory.write(
      'movie.srt',
      MOVIE.replace('00:00:09,000 --> 00:00:11,000', '00:00:09,500 --> 00:00:12,000'),
    );
    expect(await asked(directory)).toEqual([]);
    expect(directory.read('movie.es.srt')).toBe(
      moved.replace('00:00:09,000 --> 00:00:11,000', '00:00:09,500 --> 00:00:12,000'),
    );
    directory.write('movie.srt', directory.read('movie.srt').replaceAll('00:00:05,000', '00:00:05,100'));
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('movie.es.srt')).toContain('00:00:05,250 --> 00:00:06,000\n<i>es:Yes.</i>');
    const notes = languages.flatMap((language) => language.allFiles()).flatMap((file) => file.notes ?? []);
    expect(notes.map(describeNote)).toEqual([
      'line 10: times that a person changed are kept, although those of the source have changed',
    ]);
  });

  it('retranslates an emptied or removed cue, unless another one covers it', async () => {
    const directory = await translated();
    const spanish = directory.read('movie.es.srt');
    directory.write('movie.es.srt', spanish.replace('<i>es:Yes.</i>\n', ''));
    expect(await asked(directory)).toEqual(['Yes.']);
    expect(directory.read('movie.es.srt')).toBe(spanish);
    const third = '3\n00:00:05,000 --> 00:00:06,000\n<i>es:Yes.</i>\n\n';
    directory.write('movie.es.srt', spanish.replace(third, ''));
    expect(await asked(directory)).toEqual(['Yes.']);
    expect(directory.read('movie.es.srt')).toBe(spanish);
    const merged = spanish
      .replace(third, '')
      .replace('00:00:04,000\nis closed.', '00:00:06,000\nestá cerrado. Sí.');
    directory.write('movie.es.srt', merged);
    const { languages } = await directory.sync(new RecordingEngine());
    expect(directory.read('movie.es.srt')).toBe(merged);
    expect(languages).toMatchObject([{ coverage: { unmatched: 1, missing: 0 } }]);
    expect(await asked(directory)).toEqual([]);
  });

  it('compares someone else’s translation with its source by times, and keeps it', async () => {
    const spanish =
      '1\n00:00:01,000 --> 00:00:04,000\nHoy el jardín está cerrado.\n\n2\n00:00:05,000 --> 00:00:06,000\nSí.\n\n3\n00:00:09,000 --> 00:00:11,000\n- Pase.\n- No.\n';
    const directory = new ProjectDirectory({ 'movie.srt': MOVIE, 'movie.es.srt': spanish });
    const engine = new RecordingEngine();
    const { languages } = await directory.sync(engine);
    expect(engine.texts).toEqual([]);
    const [{ coverage }] = languages as [(typeof languages)[0]];
    expect(coverage).toMatchObject({ unknown: 3, unmatched: 1, missing: 0 });
    expect(directory.read('movie.es.srt')).toContain('00:00:04,000\nHoy el jardín está cerrado.\n');
  });

  it('reports a sentence that a person corrected when another of its cues changes', async () => {
    const directory = await translated();
    directory.write('movie.es.srt', directory.read('movie.es.srt').replace('is closed.', 'está cerrado.'));
    directory.write('movie.srt', MOVIE.replace('the garden', 'the park'));
    const engine = new RecordingEngine();
    const { languages } = await directory.sync(engine);
    expect(engine.texts).toEqual(['es Today the park']);
    expect(directory.read('movie.es.srt')).toContain(
      'es:Today the park\n\n2\n00:00:02,600 --> 00:00:04,000\nestá cerrado.',
    );
    expect(languages).toMatchObject([{ coverage: { outdated: 1, stale: 0, missing: 0 } }]);
  });

  it('retries in the next run a cue that the engine could not translate', async () => {
    const directory = new ProjectDirectory({ 'movie.srt': MOVIE, 'dragoman.config.yaml': CONFIGURATION });
    const engine = new RecordingEngine();
    engine.broken.add('Yes');
    const { languages } = await directory.sync(engine);
    expect(languages).toMatchObject([{ changes: { failed: 1, translated: 4 } }]);
    expect(directory.read('movie.es.srt')).toContain('<i>Yes.</i>');
    expect(await asked(directory)).toEqual(['Yes.']);
  });

  it('costs what its requests cost', async () => {
    const directory = await translated();
    directory.write('movie.srt', MOVIE.replace('is closed.', 'is open.'));
    const { languages } = await directory.check({
      pricing: { via: 'strings', engine: 'recording', creditsOf: (segment: string) => segment.length },
    });
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(languages).toMatchObject([
      { credits: engine.calls.flatMap(({ texts }) => texts).join('').length },
    ]);
  });

  it('lints the times and lines of sources and translations', async () => {
    const directory = await translated(MOVIE.replace('00:00:02,500', '00:00:03,500'));
    const project = await directory.open();
    const findings = await lintProject(project, new AbortController().signal);
    expect(findings.map(({ rule, file, line, locale }) => ({ rule, file, line, locale }))).toEqual([
      { rule: 'cue-overlap', file: 'movie.es.srt', line: 5, locale: 'es' },
      { rule: 'cue-overlap', file: 'movie.srt', line: 5, locale: 'en' },
    ]);
  });
});

describe('layouts of subtitles', () => {
  const cue = '1\n00:00:01,000 --> 00:00:02,500\nHello.\n';

  it.each([
    ['movie.srt', ['movie.es.srt'], 'movie.es.srt'],
    ['movie.en.srt', ['movie.es.srt'], 'movie.es.srt'],
    ['subs/en/movie.srt', ['subs/es/other.srt', 'subs/en/other.srt'], 'subs/es/movie.srt'],
    ['subs/movie.srt', ['subs/es/other.srt', 'subs/other.srt'], 'subs/es/movie.srt'],
    ['movie_en.srt', ['movie_es.srt', 'movie_fr.srt'], 'movie_es.srt'],
  ])('are found: %s next to %j', async (source, others, target) => {
    const directory = new ProjectDirectory(
      Object.fromEntries([source, ...others].map((path) => [path, cue])),
    );
    const { resources } = await directory.open({ targets: ['es'] });
    const found = resources.find((resource) => resource.source === source);
    expect(found?.targetPath('es')).toBe(target);
  });

  it('exclude subtitles that nobody translated, even among the pages of a site', async () => {
    const directory = new ProjectDirectory({
      'docs/en/page.md': '# Page\n',
      'docs/es/page.md': '# Página\n',
      'docs/en/movie.srt': cue,
      'movie.srt': cue,
    });
    const { resources } = await directory.open();
    expect(resources.map(({ source }) => source)).toEqual(['docs/en/page.md']);
  });
});

describe.each(Object.entries(NOTATIONS))('sync of %s', (extension, write) => {
  it('keeps corrections, follows texts and times, and requests no text again, after any changes', async () => {
    const change = fc.record({
      kind: fc.constantFrom('text', 'time', 'insert', 'remove', 'correct'),
      at: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const source = `movie.${extension}`;
        const target = `movie.es.${extension}`;
        let cues: readonly TestCue[] = Array.from({ length: 5 }, (_, i) => ({
          start: 10_000 * (i + 1),
          text: `Text ${i}.`,
        }));
        const directory = new ProjectDirectory({
          [source]: write(cues),
          'dragoman.config.yaml': CONFIGURATION.replaceAll('.srt', `.${extension}`),
        });
        await directory.sync(new RecordingEngine());
        const corrected = new Map<string, string>();
        for (const [n, { kind, at }] of changes.entries()) {
          const i = at % cues.length;
          const { text, start } = cues[i] ?? { text: '', start: 0 };
          if (kind === 'correct' && !corrected.has(text)) {
            corrected.set(text, `Corregido ${n}.`);
            const before = directory.read(target);
            directory.write(target, before.replace(`es:${text}`, `Corregido ${n}.`));
          } else if (kind === 'text' && !corrected.has(text))
            cues = cues.with(i, { start, text: `New ${n}.` });
          else if (kind === 'time') cues = cues.with(i, { start: start + 100, text });
          else if (kind === 'insert')
            cues = cues.toSpliced(i, 0, { start: start - 3000 + 10 * n, text: `More ${n}.` });
          else if (kind === 'remove' && cues.length > 2 && !corrected.has(text)) cues = cues.toSpliced(i, 1);
          directory.write(source, write(cues));
          await directory.sync(new RecordingEngine());
          const expected = cues.map((cue) => ({
            ...cue,
            text: corrected.get(cue.text) ?? `es:${cue.text}`,
          }));
          expect(directory.read(target)).toBe(write(expected));
        }
        const engine = new RecordingEngine();
        await directory.sync(engine);
        expect(engine.texts).toEqual([]);
      }),
      { numRuns: runs(8) },
    );
  });
});
