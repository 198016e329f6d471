import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { positionsIn, splice } from '../../src/base/span.ts';
import { convertSubtitles } from '../../src/formats/subtitles/convert.ts';
import { readCueText } from '../../src/formats/subtitles/cue-text.ts';
import { subtitleFormatOfPath, type SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import {
  scanSubtitles,
  SUBTITLE_FORMATS,
  subtitleFormatOfText,
  subtitleNotation,
} from '../../src/formats/subtitles/format.ts';
import { render } from '../../src/formats/render.ts';
import { processorTime } from '../processor-time.ts';

const fixtures = SUBTITLE_FORMATS.flatMap((format) => {
  const root = new URL(`../../fixtures/formats/${format}/`, import.meta.url).pathname;
  return readdirSync(root).map((name) => [`${format}/${name}`, format, join(root, name)] as const);
});

/** The thrown error, as people see it. */
function failureOf(text: string, format: SubtitleFormat): string {
  try {
    scanSubtitles(text, format);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return `${error.code} ${error.at?.line}:${error.at?.column} ${error.message}`;
  }
  return 'nothing was thrown';
}

describe.each(fixtures)('%s', (_, format, directory) => {
  const files = readdirSync(directory);
  // A byte order mark belongs to the encoding; with it, the text reads the same.
  const source = readFileSync(
    join(directory, files.find((file) => file.startsWith('source.')) ?? ''),
    'utf8',
  );

  it('has the expected cues', () => {
    const { cues, blocks } = scanSubtitles(source, format);
    const expected: unknown = JSON.parse(readFileSync(join(directory, 'cues.json'), 'utf8'));
    // In SubRip and WebVTT, every text is translated.
    const isNamed = format !== 'srt' && format !== 'vtt';
    expect({
      blocks: blocks.map(({ kind }) => kind),
      cues: cues.map(({ id, start, end, settings, text, slot }) => ({
        id: id ?? null,
        start,
        end,
        settings,
        text,
        ...(isNamed && slot === undefined && { isKept: true }),
      })),
    }).toEqual(expected);
  });

  it('has exactly the expected problems', () => {
    const { problems } = scanSubtitles(source, format);
    const file = join(directory, 'problems.txt');
    const expected = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    const positionOf = positionsIn(source);
    const found = problems.map(({ offset, message }) => {
      const { line, column } = positionOf(offset);
      return `${line}:${column} ${message}`;
    });
    expect(found).toEqual(expected);
  });

  it('has spans that cover the texts, and is recognized', () => {
    const document = scanSubtitles(source, format);
    for (const slot of document.slots) {
      const raw = source.slice(slot.span.start, slot.span.end);
      const written = slot.encode(slot.value);
      // XML blanks are written as they are displayed.
      if (format !== 'ttml') expect(written).toBe(raw);
      const again = scanSubtitles(splice(source, [{ span: slot.span, text: written }]), format);
      expect(again.slots.map(({ value }) => value)).toEqual(document.slots.map(({ value }) => value));
    }
    expect(subtitleFormatOfText(source)).toBe(format);
  });

  it('only changes in the texts, for any values', () => {
    const document = scanSubtitles(source, format);
    const second = document.notation.keepsLines === true ? '' : '\nand another';
    const values = new Map(document.slots.map((_slot, i) => [i, `Line ${i}${second}`]));
    const rendering = render({ scan: (text) => scanSubtitles(text, format) }, document, values);
    expect(rendering.rejected.size).toBe(0);
    expect(rendering.document.slots.map((slot) => slot.value)).toEqual([...values.values()]);
    expect(heads(rendering.document)).toEqual(heads(document));
  });

  const conversions = files.flatMap((file) => /^converted\.(.*)$/.exec(file)?.[1] ?? []);
  it.each(conversions)('converts to %s', (extension) => {
    const other = subtitleFormatOfPath(`x.${extension}`) ?? 'srt';
    const { content, warnings } = convertSubtitles(scanSubtitles(source, format), other);
    expect(content).toBe(readFileSync(join(directory, `converted.${extension}`), 'utf8'));
    const expected = readFileSync(join(directory, `warnings.${extension}.txt`), 'utf8');
    expect(warnings).toEqual(expected.split('\n').filter(Boolean));
  });
});

function heads({ text, cues }: ReturnType<typeof scanSubtitles>): readonly string[] {
  return cues.map(({ head }) => text.slice(head.start, head.end));
}

const CUE = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

describe('bad input', () => {
  it.each<[string, SubtitleFormat, string, string]>([
    ['a number without times', 'srt', `2\nHello\n\nX\n`, '1:1 a timing line is missing'],
    [
      'minutes over 59',
      'srt',
      '1\n00:60:00,000 --> 01:00:00,000\nX\n',
      '2:1 the time 00:60:00,000 has 60 minutes',
    ],
    [
      'seconds over 59',
      'srt',
      '1\n00:00:00,000 --> 00:00:61,000\nX\n',
      '2:18 the time 00:00:61,000 has 61 seconds',
    ],
    ['no time at all', 'srt', '1\n00:00:00,000 --> \nX\n', '2:1 the times of this line cannot be read'],
    [
      'a negative time',
      'srt',
      '1\n-00:00:01,000 --> 00:00:02,000\nX\n',
      '2:1 the times of this line cannot be read',
    ],
    [
      'more broken parts than subtitles',
      'srt',
      `${CUE}2\n00:00:x --> 00:00:09,000\nX\n\nlost words\n`,
      '5:1 the times of this line',
    ],
    ['nothing', 'srt', '', '1:1 the file has no subtitle'],
    ['another kind of file', 'srt', '{"a": "b"}\n', '1:1 this text is not part of a subtitle'],
    ['no header', 'vtt', '00:01.000 --> 00:02.000\nX\n', '1:1 a WebVTT file begins with WEBVTT'],
    ['a header that only looks like one', 'vtt', 'WEBVTTX\n', '1:1 a WebVTT file begins with WEBVTT'],
    ['an overflow', 'vtt', 'WEBVTT\n\n00:99.000 --> 02:00.000\nX\n', '3:1 the time 00:99.000 has 99 seconds'],
    [
      'a broken timing line',
      'vtt',
      'WEBVTT\n\nid\nnow --> then\nX\n',
      '4:1 the times of this line cannot be read',
    ],
  ])('is refused with its place: %s', (_, format, text, expected) => {
    expect(failureOf(text, format)).toContain(`unreadable_input ${expected}`);
  });

  it('does not include an arrow within a SubRip text', () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\nclick File --> Open\n';
    expect(scanSubtitles(text, 'srt').cues[0]?.text).toBe('click File --> Open');
  });
});

describe('the text of a cue', () => {
  it('cannot contain anything that would end it or begin another', () => {
    const [slot] = scanSubtitles(CUE, 'srt').slots;
    for (const text of ['a\n\nb', '', ' ', '\na', 'a\n00:00:01,000 --> 00:00:02,000\nb', 'a\rb'])
      expect(() => slot?.encode(text), JSON.stringify(text)).toThrow(DragomanError);
    const [vtt] = scanSubtitles('WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n', 'vtt').slots;
    expect(() => vtt?.encode('a --> b')).toThrow(DragomanError);
  });

  it('is the same when its tokens are joined', () => {
    const piece = fc.constantFrom(
      '<i>',
      '</i>',
      '<c.x.y>',
      '<v A B>',
      '<00:01.5>',
      '{\\an8}',
      '&amp;',
      '♪',
      '\n',
      'a ',
      '<',
      '&',
      '{',
      'x@y.zz',
      'www.a.bc/d.',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect(
          readCueText(text)
            .map((token) => token.raw)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it.each([
    '<',
    '<a',
    '{\\',
    '&',
    'x@',
    'http://',
    'www.a',
    '- ->',
    ' ',
    '1:',
    '<v ',
    '[br',
    '{p',
    '\\',
    '|',
    '[1:',
  ])('is read in linear time: %s', (piece) => {
    const started = processorTime();
    for (const format of SUBTITLE_FORMATS) {
      const { cueText } = subtitleNotation(format);
      cueText.readTokens(piece.repeat(300_000));
    }
    const vtt = scanSubtitles(`WEBVTT\n\n00:01.000 --> 00:02.000\n${piece.repeat(300_000)}\n`, 'vtt');
    expect(vtt.cues).toHaveLength(1);
    expect(processorTime() - started).toBeLessThan(6000);
  });
});

describe('timing lines', () => {
  const part = (max: number) => fc.integer({ min: 0, max });
  const time = fc.tuple(
    fc.option(part(99)),
    part(59),
    part(59),
    fc.option(part(999)),
    fc.constantFrom(',', '.'),
  );
  const written = (width: number, number: number): string => String(number).padStart(width, '0');
  const text = ([hours, minutes, seconds, milliseconds, point]: readonly [
    number | null,
    number,
    number,
    number | null,
    string,
  ]): string =>
    [...(hours === null ? [] : [written(2, hours)]), written(2, minutes), written(2, seconds)].join(':') +
    (milliseconds === null ? '' : `${point}${written(3, milliseconds)}`);
  const millisecondsOf = ([hours, minutes, seconds, milliseconds]: readonly (
    number | null | string
  )[]): number =>
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(milliseconds);

  it('accept all common spellings', () => {
    fc.assert(
      fc.property(
        time,
        time,
        fc.constantFrom('', ' ', '\t '),
        fc.constantFrom('', ' line:0', 'line:0'),
        (a, b, gap, rest) => {
          const line = `${text(a)}${gap}-->${gap}${text(b)}${rest}`;
          const { cues, problems } = scanSubtitles(`WEBVTT\n\n${line}\nX\n`, 'vtt');
          expect(problems).toEqual([]);
          expect(cues[0]).toMatchObject({
            start: millisecondsOf(a),
            end: millisecondsOf(b),
            settings: rest.trim(),
          });
        },
      ),
    );
  });

  it('that are broken stay, with one problem each, and do not affect other cues', () => {
    const broken = fc.constantFrom('00:0x --> 00:02', '00:00:61,000 --> 00:01:02,000', '--> 00:00:01,000');
    const format = fc.constantFrom<SubtitleFormat>('srt', 'vtt');
    fc.assert(
      fc.property(format, fc.array(fc.option(broken), { minLength: 1 }), (kind, lines) => {
        const head = kind === 'vtt' ? 'WEBVTT\n\n' : '';
        const good = lines.filter((line) => line === null).length;
        fc.pre(good > 0 && lines.length - good <= good);
        const source =
          head +
          lines
            .map((line, i) => `${i + 1}\n${line ?? '00:00:01,000 --> 00:00:02,000'}\nText ${i}\n`)
            .join('\n');
        const document = scanSubtitles(source, kind);
        expect(document.cues).toHaveLength(good);
        expect(document.problems).toHaveLength(lines.length - good);
        const values = new Map(document.slots.map((_slot, i) => [i, 'New']));
        const { text: rendered } = render({ scan: (again) => scanSubtitles(again, kind) }, document, values);
        for (const [i, line] of lines.entries())
          expect(rendered).toContain(line === null ? `${i + 1}\n00:00:01,000` : `${line}\nText ${i}\n`);
      }),
    );
  });
});

describe('texts that would be misread', () => {
  const cue = '1\n00:00:01,000 --> 00:00:02,000\n';

  it('refuse a number that would be the rate of a MicroDVD file', () => {
    const [first, second] = scanSubtitles('{1}{1}Hi\n{1}{1}you\n', 'microdvd').slots;
    for (const rate of ['0', '25', '23.976 ']) expect(() => first?.encode(rate)).toThrow(DragomanError);
    expect(first?.encode('25\n30')).toBe('25|30');
    expect(second?.encode('25')).toBe('25');
    expect(scanSubtitles('{1}{2}Hi\n', 'microdvd').slots[0]?.encode('25')).toBe('25');
  });

  it('refuse blanks as the last line of a cue directly before the next', () => {
    const text = `${cue}a\n${cue}b\n`;
    const document = scanSubtitles(text, 'srt');
    const scanner = { scan: (source: string) => scanSubtitles(source, 'srt') };
    const { rejected, text: written } = render(scanner, document, new Map([[0, 'x\n  ']]));
    expect([...rejected.values()].map(({ code }) => code)).toEqual(['unencodable_value']);
    expect(written).toBe(text);
  });

  it.each(['00:00:03,000 --> 00:00:04,000', '-->'])('refuse a number right before %s', (times) => {
    const text = `${cue}a\n${times}\nb\n`;
    const document = scanSubtitles(text, 'srt');
    const scanner = { scan: (source: string) => scanSubtitles(source, 'srt') };
    const { rejected } = render(scanner, document, new Map([[0, '0']]));
    expect([...rejected.values()].map(({ code }) => code)).toEqual(['unencodable_value']);
  });

  it('refuse a comma if a field of ASS follows the text', () => {
    const head = '[Events]\nFormat: Start, End, Text, Name\nDialogue: 0:00:01.00,0:00:02.00,';
    const scanner = { scan: (source: string) => scanSubtitles(source, 'ass') };
    const document = scanner.scan(`${head}Hi,Ann\n`);
    const { rejected } = render(scanner, document, new Map([[0, 'Hi, you']]));
    expect([...rejected.values()].map(({ code }) => code)).toEqual(['unencodable_value']);
    expect(render(scanner, document, new Map([[0, 'Hello']])).text).toBe(`${head}Hello,Ann\n`);
  });

  it('do not contain an arrow after a tag was removed', () => {
    const { content } = convertSubtitles(scanSubtitles(`${cue}-<p>->\n`, 'srt'), 'vtt');
    expect(content).toBe('WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\n--&gt;\n');
  });

  it('keep the entity that hides a timing line', () => {
    const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n00:00:01 --&gt; 00:00:02\n';
    const { content } = convertSubtitles(scanSubtitles(vtt, 'vtt'), 'srt');
    expect(content).toBe(`${cue}00:00:01 --&gt; 00:00:02\n`);
  });
});
