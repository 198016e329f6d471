import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { translateSubtitles } from '../../src/documents/subtitles/translate-subtitles.ts';
import { adversary } from '../pipeline/adversary.ts';
import { runs } from '../property-runs.ts';

/** Each word belongs to the speaker whose letter it begins with. */
type Speaker = 'a' | 'b';

/** How a format marks the lines of two speakers. */
interface Marking {
  readonly name: string;
  readonly format: SubtitleFormat;
  /** A line with the speaker's mark. */
  readonly mark: (speaker: Speaker, line: string) => string;
  /** The speaker of a line. */
  readonly speakerOf: (line: string) => Speaker;
  /** The names of speakers outside a cue's text: fields in ASS, attributes in TTML. */
  readonly beside?: Readonly<Record<Speaker, string>>;
}

const tagged = (
  format: SubtitleFormat,
  name: string,
  marks: Readonly<Record<Speaker, readonly [open: string, close: string]>>,
): Marking => ({
  name: `${format}: ${name}`,
  format,
  mark: (speaker, line) => marks[speaker][0] + line + marks[speaker][1],
  speakerOf: (line) => (marks.a[0] !== '' && line.includes(marks.a[0]) ? 'a' : 'b'),
});

const NONE = ['', ''] as const;

const MARKINGS: readonly Marking[] = [
  tagged('srt', 'colours', {
    a: ['<font color="yellow">', '</font>'],
    b: ['<font color="cyan">', '</font>'],
  }),
  tagged('srt', 'italics beside none', { a: ['<i>', '</i>'], b: NONE }),
  tagged('srt', 'dashes', { a: ['- A', ''], b: ['- B', ''] }),
  tagged('srt', 'names', { a: ['ANN: ', ''], b: ['BOB: ', ''] }),
  tagged('vtt', 'names in brackets', { a: ['[ANN] ', ''], b: ['[BOB] ', ''] }),
  tagged('srt', 'codes of ASS', { a: ['{\\c&H00FFFF&}', '{\\c}'], b: ['{\\c&HFFFF00&}', '{\\c}'] }),
  tagged('vtt', 'classes', { a: ['<c.yellow>', '</c>'], b: ['<c.cyan>', '</c>'] }),
  tagged('vtt', 'voices', { a: ['<v Ann>', '</v>'], b: ['<v Bob>', '</v>'] }),
  tagged('vtt', 'a class beside none', { a: ['<c.loud>', '</c>'], b: NONE }),
  tagged('ass', 'colours', { a: ['{\\c&H00FFFF&}', ''], b: ['{\\c&HFFFF00&}', ''] }),
  tagged('ass', 'italics beside none', { a: ['{\\i1}', '{\\i0}'], b: NONE }),
  tagged('ass', 'styles', { a: ['{\\rAnn}', '{\\r}'], b: ['{\\rBob}', '{\\r}'] }),
  tagged('ttml', 'spans', {
    a: ['<span tts:color="yellow">', '</span>'],
    b: ['<span tts:color="cyan">', '</span>'],
  }),
  tagged('ttml', 'a style beside none', { a: ['<span style="ann">', '</span>'], b: NONE }),
  tagged('microdvd', 'italics beside none', { a: ['{y:i}', ''], b: NONE }),
  tagged('microdvd', 'colours', { a: ['{c:$00FFFF}', ''], b: ['{c:$FFFF00}', ''] }),
  tagged('sbv', 'arrows', { a: ['>> A', ''], b: ['>> B', ''] }),
];

const beside = (format: SubtitleFormat, name: string, a: string, b: string): Marking => ({
  ...tagged(format, name, { a: NONE, b: NONE }),
  beside: { a, b },
});

/** Marks of whole cues. */
const CUE_MARKINGS: readonly Marking[] = [
  ...MARKINGS,
  beside('ass', 'names', '0,TIMES,Default,Ann,0,0,0,', '0,TIMES,Default,Bob,0,0,0,'),
  beside('ass', 'styles of cues', '0,TIMES,Ann,,0,0,0,', '0,TIMES,Bob,,0,0,0,'),
  beside('ass', 'layers', '0,TIMES,Default,,0,0,0,', '1,TIMES,Default,,0,0,0,'),
  beside('ass', 'effects', '0,TIMES,Default,,0,0,0,', '0,TIMES,Default,,0,0,0,Banner;5'),
  beside('ttml', 'agents', 'ttm:agent="ann"', 'ttm:agent="bob"'),
  beside('ttml', 'regions', 'region="top"', 'region="bottom"'),
  beside('ttml', 'styles of cues', 'style="ann"', 'style="bob"'),
  tagged('lrc', 'voices', { a: ['F: ', ''], b: ['M: ', ''] }),
];

const LINE_BREAKS: Readonly<Partial<Record<SubtitleFormat, string>>> = {
  ass: '\\N',
  ttml: '<br/>',
  microdvd: '|',
};

/** A file with these cues, each with the parts outside its text. */
function fileOf(
  format: SubtitleFormat,
  cues: readonly (readonly string[])[],
  besides: readonly string[] = [],
): string {
  const clock = (seconds: number, sign: string): string =>
    `00:00:${String(seconds).padStart(2, '0')}${sign}000`;
  const texts = cues.map((lines) => lines.join(LINE_BREAKS[format] ?? '\n'));
  switch (format) {
    case 'ass':
      return `[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n${texts
        .map((text, i) => {
          const times = [i * 2, i * 2 + 2].map((second) => clock(second, '.').slice(1, -1)).join(',');
          const fields = (besides[i] ?? '0,TIMES,Default,,0,0,0,').replace('TIMES', times);
          return `Dialogue: ${fields},${text}\n`;
        })
        .join('')}`;
    case 'ttml':
      return `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="en"><body><div>\n${texts
        .map((text, i) => `<p begin="${i * 2}s" end="${i * 2 + 2}s" ${besides[i] ?? ''}>${text}</p>\n`)
        .join('')}</div></body></tt>\n`;
    case 'microdvd':
      return texts.map((text, i) => `{${i * 50}}{${i * 50 + 50}}${text}\n`).join('');
    case 'sbv':
      return texts
        .map((text, i) => `0:${clock(i * 2, '.').slice(3)},0:${clock(i * 2 + 2, '.').slice(3)}\n${text}\n\n`)
        .join('');
    case 'lrc':
      return texts.map((text, i) => `[${clock(i * 2, '.').slice(3, -1)}]${text}\n`).join('');
    case 'srt':
    case 'vtt':
    default: {
      const sign = format === 'srt' ? ',' : '.';
      const head = format === 'vtt' ? 'WEBVTT\n\n' : '';
      return (
        head +
        texts
          .map((text, i) => `${i + 1}\n${clock(i * 2, sign)} --> ${clock(i * 2 + 2, sign)}\n${text}\n\n`)
          .join('')
      );
    }
  }
}

/** The lines with words, of all cues. */
function linesOf(format: SubtitleFormat, content: string): readonly string[] {
  return content.split(/\\N|<br\/>|\||\n/).filter((line) => WORD.test(textOf(format, line)));
}

const WORD = /\b[ab][a-z]*q\b/;

/** The visible part of a line, without the mark of its speaker. */
function textOf(format: SubtitleFormat, line: string): string {
  const text = format === 'ass' ? line.replace(/^Dialogue:(?:[^,]*,){9}/, '') : line;
  return text.replaceAll(/<[^<>]*>|\{[^{}]*\}|^(?:- |>> )[AB]|^[^ ]*[FM]: /g, ' ');
}

/** Words that end in q, a letter that no markup contains; a translation may have more or fewer of them. */
const sentence = (speaker: Speaker): fc.Arbitrary<readonly string[]> =>
  fc.array(
    fc
      .array(fc.constantFrom('q', 'llq', 'rtherq', 'xq'), { minLength: 2, maxLength: 6 })
      .map((words) => words.map((end) => speaker + end).join(' ')),
    { minLength: 1, maxLength: 2 },
  );

interface Cue {
  readonly first: Speaker;
  readonly said: readonly [readonly string[], readonly string[]];
  readonly end: readonly [string, string];
}

const cue: fc.Arbitrary<Cue> = fc.constantFrom<Speaker>('a', 'b').chain((first) =>
  fc.record({
    first: fc.constant(first),
    said: fc.tuple(sentence(first), sentence(first === 'a' ? 'b' : 'a')),
    end: fc.tuple(fc.constantFrom('.', '?', ',', ''), fc.constantFrom('.', '!', ',', '')),
  }),
);

function linesOfCue({ first, said, end }: Cue, { mark }: Marking): readonly string[] {
  const speakers = [first, first === 'a' ? 'b' : 'a'] as const;
  return said.flatMap((lines, i) => {
    const speaker = speakers[i] ?? 'a';
    return lines.map((line, at) => mark(speaker, at === lines.length - 1 ? line + (end[i] ?? '') : line));
  });
}

/** Answers that are longer, shorter, or reordered. */
const ANSWERS: Readonly<Record<string, (text: string) => string>> = {
  longer: (text) => text.replaceAll(/\b[ab][a-z]*q\b/g, '$& $&'),
  shorter: (text) => text.replaceAll(/(\b[ab][a-z]*q\b) [ab][a-z]*q\b/g, '$1'),
  same: (text) => `${text} `,
};

describe.each(MARKINGS)('$name', (marking) => {
  it.each(Object.entries(ANSWERS))('keeps the words of two speakers apart: %s', async (_name, answer) => {
    await fc.assert(
      fc.asyncProperty(fc.array(cue, { minLength: 1, maxLength: 8 }), async (cues) => {
        const { format, speakerOf } = marking;
        const source = fileOf(
          format,
          cues.map((one) => linesOfCue(one, marking)),
        );
        const engine = adversary(answer);
        const options = { source: 'en', target: 'es', engine, signal: AbortSignal.timeout(20_000) };
        const { content } = await translateSubtitles(source, format, options);
        for (const line of linesOf(format, content)) {
          const words = textOf(format, line).match(/\b[ab][a-z]*q\b/g) ?? [];
          const speaker = speakerOf(line);
          expect({ line, wrong: words.filter((word) => !word.startsWith(speaker)) }).toEqual({
            line,
            wrong: [],
          });
        }
      }),
      { numRuns: runs(15) },
    );
  });
});

/** The source of each cue. */
function cuesOf(format: SubtitleFormat, content: string): readonly string[] {
  if (format === 'srt' || format === 'vtt' || format === 'sbv')
    return content.split('\n\n').filter((part) => /\d[.,]000/.test(part));
  const start = { ass: 'Dialogue:', ttml: '<p ', lrc: '[', microdvd: '{' }[format];
  return content.split('\n').filter((line) => line.startsWith(start));
}

describe.each(CUE_MARKINGS)('$name', ({ format, mark, beside: fields }) => {
  const cues = fc.array(
    fc
      .constantFrom<Speaker>('a', 'b')
      .chain((speaker) => fc.record({ speaker: fc.constant(speaker), said: sentence(speaker) })),
    { minLength: 2, maxLength: 8 },
  );

  it.each(Object.entries(ANSWERS))('keeps each cue to its speaker: %s', async (_name, answer) => {
    await fc.assert(
      fc.asyncProperty(cues, fc.constantFrom('', ',', '.'), async (said, end) => {
        const source = fileOf(
          format,
          said.map(({ speaker, said: [line = ''] }) => [mark(speaker, line + end)]),
          fields && said.map(({ speaker }) => fields[speaker]),
        );
        const options = {
          source: 'en',
          target: 'es',
          engine: adversary(answer),
          signal: AbortSignal.timeout(20_000),
        };
        const { content, failures } = await translateSubtitles(source, format, options);
        expect(failures).toEqual([]);
        const spoken = cuesOf(format, content).map((one) =>
          one
            .split('\n')
            .flatMap((line) => textOf(format, line).match(/\b[ab][a-z]*q\b/g) ?? [])
            .map(([letter]) => letter),
        );
        expect(spoken.map((letters) => [...new Set(letters)])).toEqual(said.map(({ speaker }) => [speaker]));
      }),
      { numRuns: runs(15) },
    );
  });
});

describe('sentences', () => {
  const asked = async (format: SubtitleFormat, content: string): Promise<readonly string[]> => {
    const engine = adversary((text) => text);
    const options = { source: 'en', target: 'es', engine, signal: AbortSignal.timeout(20_000) };
    await translateSubtitles(content, format, options);
    return engine.asked;
  };

  it('are joined over lines that open the same mark again', async () => {
    const content = fileOf('srt', [['<i>He was never</i>', '<i>in the garden.</i>']]);
    expect(await asked('srt', content)).toEqual(['He was never in the garden.']);
  });

  it('are not joined over lines of one mark that are sentences', async () => {
    const content = fileOf('srt', [['<i>He was here.</i>', '<i>In the garden.</i>']]);
    expect(await asked('srt', content)).toEqual(['He was here.', 'In the garden.']);
  });

  it('stay whole if a tag around a part of them ends on the next line', async () => {
    const content = fileOf('srt', [['He was <i>never', 'in the</i> garden.']]);
    expect(await asked('srt', content)).toEqual(['He was <x id="1">never in the</x> garden.']);
  });

  it('are not joined over cues of different colours', async () => {
    const content = fileOf('srt', [
      ['<font color="red">He was never</font>'],
      ['<font color="blue">in the garden.</font>'],
    ]);
    expect(await asked('srt', content)).toEqual(['He was never', 'in the garden.']);
  });

  it.each([
    ['the same', 'Default,Ann,0,0,0,', 'Default,Ann,0,0,0,', 1],
    ['another name', 'Default,Ann,0,0,0,', 'Default,Bob,0,0,0,', 2],
    ['another style', 'Default,Ann,0,0,0,', 'Alt,Ann,0,0,0,', 2],
    ['another effect', 'Default,Ann,0,0,0,', 'Default,Ann,0,0,0,Banner;5', 2],
  ])('of ASS are joined only over cues of one speaker: %s', async (_name, first, second, count) => {
    const content = `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,${first},He was never\nDialogue: 0,0:00:02.00,0:00:03.00,${second},in the garden.\n`;
    expect(await asked('ass', content)).toHaveLength(count);
  });

  it.each([
    ['the same', 'ttm:agent="ann"', 'ttm:agent="ann"', 1],
    ['another agent', 'ttm:agent="ann"', 'ttm:agent="bob"', 2],
    ['another region', 'region="top"', 'region="bottom"', 2],
    ['another style', 'style="x"', 'style="y"', 2],
  ])('of TTML are joined only over cues of one speaker: %s', async (_name, first, second, count) => {
    const content = `<tt><body><div><p begin="1s" end="2s" ${first}>He was never</p><p begin="2s" end="3s" ${second}>in the garden.</p></div></body></tt>`;
    expect(await asked('ttml', content)).toHaveLength(count);
  });
});

it('an ASS cue keeps its source text if that has more lines than the translation has words', async () => {
  const line = `Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,${'GRANDHOTELBAR'.split('').join('\\N')}\n`;
  const content = `[Events]\n${line}`;
  const engine = adversary(() => 'El gran hotel');
  const options = { source: 'en', target: 'es', engine, signal: AbortSignal.timeout(20_000) };
  const { content: written, failures } = await translateSubtitles(content, 'ass', options);
  expect(written).toBe(content);
  expect(failures).toEqual([{ line: 2, column: 51, reason: 'the answer cannot be divided among 13 lines' }]);
});

it('TTML keeps the line break next to its spans', async () => {
  const content =
    '<tt><body><div><p begin="1s" end="2s">We <span>never</span> met<br/>in the garden.</p></div></body></tt>';
  const engine = adversary((text) => text.replace('>never<', '>never ever in all of the long years<'));
  const options = { source: 'en', target: 'es', engine, signal: AbortSignal.timeout(20_000) };
  const { content: written } = await translateSubtitles(content, 'ttml', options);
  expect(written).toContain('<span>never ever in all of the long years</span>');
  expect(written).toContain('<br/>');
});
