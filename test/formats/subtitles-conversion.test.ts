import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertSubtitles } from '../../src/formats/subtitles/convert.ts';
import { scanSubtitles, SUBTITLE_FORMATS, subtitleNotation } from '../../src/formats/subtitles/format.ts';
import type { StyledCue, StyledToken, CueStyle } from '../../src/formats/subtitles/styled-cue.ts';
import { runs } from '../property-runs.ts';

const CUE = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

describe('conversion', () => {
  const toSrt = (text: string): string =>
    convertSubtitles(scanSubtitles(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`, 'vtt'), 'srt')
      .content.split('\n')
      .slice(2, -1)
      .join('\n');
  const toVtt = (text: string): string =>
    convertSubtitles(scanSubtitles(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`, 'srt'), 'vtt')
      .content.split('\n')
      .slice(4, -1)
      .join('\n');

  it.each([
    ['<v Ann>Hi <b.loud>you</b>', 'Hi <b>you</b>'],
    ['a &lt; b &amp; c&nbsp;d', 'a < b & c\u00a0d'],
    ['&lt;b&gt; is a tag', '&lt;b&gt; is a tag'],
    ['<i>one\n</i>\ntwo', '<i>one\n</i>\ntwo'],
  ])('writes %j as SubRip', (vtt, srt) => expect(toSrt(vtt)).toBe(srt));

  it.each([
    ['{\\an8}<I>Hi</I> <font color="red">you</font>', '<i>Hi</i> <c.red>you</c>'],
    ['a < b & c --> d', 'a &lt; b &amp; c --&gt; d'],
    ['Tom &amp; Jerry', 'Tom &amp; Jerry'],
  ])('writes %j as WebVTT', (srt, vtt) => expect(toVtt(srt)).toBe(vtt));

  it.each([
    [
      'ass',
      'srt',
      '[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}One{\\i0}\\N{\\i1}two\\Nthree{\\i0} four\n',
      '1\n00:00:01,000 --> 00:00:02,000\n<i>One</i>\n<i>two\nthree</i> four\n',
    ],
    [
      'srt',
      'sbv',
      '1\n00:00:01,000 --> 00:00:02,000\n0:0:0.0, Hi\nyou\n',
      '0:00:01.000,0:00:02.000\n[br]0:0:0.0, Hi\nyou\n',
    ],
    [
      'ass',
      'vtt',
      '[Events]\nFormat: Start, End, Name, Text\nDialogue: 0:00:01.00,0:00:02.00,--,Hi\n',
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v -- >Hi\n',
    ],
    [
      'ass',
      'vtt',
      '[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,{\\{}p}\n',
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n(\\p}\n',
    ],
    ['sbv', 'microdvd', '5000:00:03.0,5000:00:06.0\nHi\n', '{1}{1}100.000\n{1800000300}{1800000600}Hi\n'],
  ] as const)('of %s into %s escapes text that could be misread', (from, to, text, converted) => {
    expect(convertSubtitles(scanSubtitles(text, from), to).content).toBe(converted);
  });

  const READ_AS_CODES = [
    '{F:}',
    '{F:}{y:i}',
    '{{F:}',
    String.raw`{\an8}`,
    '<b>',
    '<br>',
    '&nbsp;',
    '&#32;',
    '<1:00>',
    '<00:01.00>',
    '[0:01]',
    'F:',
    'M: ',
    '[br]',
  ];
  const from = {
    sbv: (text: string) => `0:00:01.000,0:00:02.000\n${text}\n`,
    lrc: (text: string) => `[0:01]${text}`,
    ttml: (text: string) => {
      const [most, last] = [text.slice(0, -1), text.slice(-1)].map((part) =>
        part.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      );
      const words = `${most}<span tts:fontStyle="italic">${last}</span>`;
      return `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling"><body><div><p begin="1s" end="2s">${words}</p></div></body></tt>`;
    },
  };
  // Codes that these two formats read themselves are not words.
  const OWN_CODES = { sbv: ['[br]'], lrc: ['<1:00>', '<00:01.00>', '[0:01]'], ttml: [] };

  it.each(
    (['sbv', 'lrc', 'ttml'] as const).flatMap((format) =>
      READ_AS_CODES.filter((text) => !(OWN_CODES[format] as string[]).includes(text)).map(
        (text) => [format, text] as const,
      ),
    ),
  )('of %s into any format keeps the words %j', (format, text) => {
    const document = scanSubtitles(from[format](text), format);
    for (const to of SUBTITLE_FORMATS.filter((other) => other !== format)) {
      const { content } = convertSubtitles(document, to);
      const { cues, notation } = scanSubtitles(content, to);
      const seen = notation.cueText
        .readTokens(cues[0]?.text ?? '')
        .flatMap((token) =>
          token.type === 'words' || (token.type === 'code' && token.kind === 'entity') ? [token.raw] : [],
        );
      expect(seen.join('').replaceAll(/[^a-zA-Z\d]/g, ''), to).toContain(/[a-zA-Z\d]+/.exec(text)?.[0]);
    }
  });

  it.each([
    ['srt', '{F:} & {a}', '(F:} & {a}', 'braces (1)'],
    ['vtt', '{F:} {a}', '(F:} {a}', 'braces (1)'],
    ['microdvd', 'a {F:}', 'a (F:}', 'braces (1)'],
    ['lrc', 'a <1:00>', 'a (1:00>', 'brackets (1)'],
    ['srt', 'a &nbsp; b', 'a &amp;nbsp; b', undefined],
  ] as const)(
    'into %s writes %j as %j, and reports characters without an escape',
    (to, text, written, lost) => {
      const { content, warnings } = convertSubtitles(scanSubtitles(from.sbv(text), 'sbv'), to);
      expect(content).toContain(written);
      expect(warnings).toEqual(lost === undefined ? [] : [expect.stringContaining(`dropped ${lost}: `)]);
    },
  );

  it('refuses times that no other format can represent', () => {
    const text =
      '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="36000000s" end="36000001s">Hi</p></div></body></tt>';
    expect(() => convertSubtitles(scanSubtitles(text, 'ttml'), 'srt')).toThrow(
      /a time of 10,000 hours or more/,
    );
  });

  it('preserves cues, times and words in both directions', () => {
    const time = fc.integer({ min: 0, max: 400 * 3_600_000 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(time, time, fc.constantFrom('Hi', '<b>Hi</b>\nyou', '')), { minLength: 1 }),
        (cues) => {
          const clock = (ms: number): string => {
            const pad = (n: number, digits = 2): string => String(Math.trunc(n)).padStart(digits, '0');
            return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)},${pad(ms % 1000, 3)}`;
          };
          const srt = cues
            .map(([from, to, text], i) => `${i + 1}\n${clock(from)} --> ${clock(to)}\n${text && `${text}\n`}`)
            .join('\n');
          const vtt = convertSubtitles(scanSubtitles(srt, 'srt'), 'vtt');
          const back = convertSubtitles(scanSubtitles(vtt.content, 'vtt'), 'srt');
          expect(back.content).toBe(srt);
          expect([...vtt.warnings, ...back.warnings]).toEqual([]);
        },
      ),
    );
  });
});

describe('alignments', () => {
  const digits = fc.integer({ min: 1, max: 9 });

  it('survive a round trip through WebVTT', () => {
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1 }), (alignments) => {
        const text = alignments.map((digit) => CUE.replace('Hello', `{\\an${digit}}Hello`)).join('\n');
        const vtt = convertSubtitles(scanSubtitles(text, 'srt'), 'vtt');
        const srt = convertSubtitles(scanSubtitles(vtt.content, 'vtt'), 'srt');
        expect([...vtt.warnings, ...srt.warnings]).toEqual([]);
        expect(scanSubtitles(srt.content, 'srt').cues.map((cue) => cue.text)).toEqual(
          alignments.map((digit) => (digit === 2 ? 'Hello' : `{\\an${digit}}Hello`)),
        );
      }),
    );
  });

  it('map any settings to one of nine, and report losses', () => {
    const setting = fc.tuple(
      fc.constantFrom('line', 'position', 'align', 'size', 'vertical', 'region', 'x'),
      fc.oneof(
        fc.constantFrom(
          '0',
          '50%',
          '100%',
          '-1',
          '-3',
          '84.66%,end',
          'start',
          'end',
          'left',
          'middle',
          'rl',
          '',
        ),
        fc.string({ maxLength: 8 }).map((text) => text.replace(/\s|--/g, '')),
      ),
    );
    fc.assert(
      fc.property(fc.array(setting), fc.boolean(), (settings, isGlued) => {
        const written = settings.map(([name, value]) => `${name}:${value}`).join(' ');
        const vtt = `WEBVTT\n\n00:01.000 --> 00:02.000${isGlued ? '' : ' '}${written}\nHello\n`;
        const document = scanSubtitles(vtt, 'vtt');
        expect(document.cues[0]?.settings).toBe(written);
        const { content, warnings } = convertSubtitles(document, 'srt');
        expect(content).toMatch(/^1\n00:00:01,000 --> 00:00:02,000\n(?:\{\\an[13-9]\})?Hello\n$/);
        const known = settings.every(([name]) => name !== 'vertical' && name !== 'region' && name !== 'x');
        if (!known) expect(warnings).toEqual(['dropped cue settings (1): SubRip does not support them']);
      }),
    );
  });
});

describe('conversions between all formats', () => {
  const words = fc
    .array(
      fc.constantFrom(
        'rain',
        'and',
        '<b>',
        '{x}',
        '&amp;',
        'a & b',
        '|',
        '[1',
        '\\N',
        '-->',
        '12',
        'ß',
        '今日は',
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((parts) => `Well ${parts.join(' ')}`);
  const token = fc.oneof(
    { weight: 4, arbitrary: words.map((text): StyledToken => ({ type: 'words', text })) },
    fc.constant<StyledToken>({ type: 'break' }),
    fc
      .tuple(fc.constantFrom('open', 'close'), fc.constantFrom<CueStyle>('b', 'i', 'u'))
      .map(([type, style]): StyledToken => ({ type, style })),
    fc.constantFrom<StyledToken>(
      { type: 'open', style: 'color', color: '#12ab34' },
      { type: 'open', style: 'color', color: '#ff0000' },
      { type: 'close', style: 'color' },
    ),
  );
  const cues = fc
    .array(
      fc.record({
        wait: fc.integer({ min: 0, max: 90_000 }),
        lasts: fc.integer({ min: 40, max: 20_000 }),
        alignment: fc.integer({ min: 1, max: 9 }),
        speaker: fc.option(fc.constantFrom('Ann', 'Mary Ann'), { nil: undefined }),
        first: words,
        tokens: fc.array(token, { maxLength: 6 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    .map((list): readonly StyledCue[] => {
      let clock = 0;
      return list.map(({ wait, lasts, first, tokens, ...cue }) => {
        const start = clock + wait;
        clock = start + lasts;
        return { ...cue, start, end: clock, tokens: [{ type: 'words', text: first }, ...tokens] };
      });
    });
  /** The content, without format-specific notation. */
  const plain = (list: readonly StyledCue[]): readonly string[] =>
    list.map(({ tokens }) =>
      tokens
        .map((read) => (read.type === 'words' ? read.text : read.type === 'break' ? ' ' : ''))
        .join('')
        .replaceAll(/&?(?:amp|lt|gt);|[\s|/(){}[<>&]+/g, ''),
    );

  it.each(SUBTITLE_FORMATS)('%s keeps words and times', (format) => {
    const notation = subtitleNotation(format);
    fc.assert(
      fc.property(cues, (list) => {
        const lost: string[] = [];
        const text = notation.fromStyled(list, (what) => lost.push(what), 'en');
        const document = notation.scan(text);
        expect(document.problems).toEqual([]);
        const read = notation.toStyled(document, () => undefined);
        expect(read).toHaveLength(list.length);
        for (const [i, cue] of list.entries()) {
          expect(Math.abs((read[i]?.start ?? -1) - cue.start)).toBeLessThanOrEqual(
            notation.timeGrid(document),
          );
          expect(Math.abs((read[i]?.end ?? -1) - cue.end)).toBeLessThanOrEqual(notation.timeGrid(document));
        }
        expect(plain(read)).toEqual(plain(list));
        if (!lost.includes('positions')) {
          expect(read.map(({ alignment }) => alignment)).toEqual(list.map(({ alignment }) => alignment));
        }
        if (!lost.includes('speaker names'))
          expect(read.map(({ speaker }) => speaker)).toEqual(list.map(({ speaker }) => speaker));
      }),
      { numRuns: runs(200) },
    );
  });

  it.each(SUBTITLE_FORMATS)('%s becomes every other format, and its cues stay', (from) => {
    fc.assert(
      fc.property(cues, fc.constantFrom(...SUBTITLE_FORMATS), (list, to) => {
        const text = subtitleNotation(from).fromStyled(list, () => undefined);
        const document = scanSubtitles(text, from);
        const { content } = convertSubtitles(document, to);
        const again = scanSubtitles(content, to);
        expect(again.cues.filter((cue) => cue.text.trim() !== '')).toHaveLength(list.length);
      }),
      { numRuns: runs(60) },
    );
  });
});
