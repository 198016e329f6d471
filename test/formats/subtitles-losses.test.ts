import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertSubtitles } from '../../src/formats/subtitles/convert.ts';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { scanSubtitles } from '../../src/formats/subtitles/format.ts';

const srtOf = (text: string, times = '00:00:01,000 --> 00:00:02,000'): string => `1\n${times}\n${text}\n`;
const ttmlOf = (paragraph: string, head = ''): string =>
  `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="en"><head>${head}</head><body><div>${paragraph}</div></body></tt>`;

function convert(
  text: string,
  from: SubtitleFormat,
  to: SubtitleFormat,
): ReturnType<typeof convertSubtitles> {
  return convertSubtitles(scanSubtitles(text, from), to);
}

describe('a conversion reports', () => {
  it.each<readonly [string, SubtitleFormat, SubtitleFormat, string, readonly string[]]>([
    ['bars', 'srt', 'microdvd', srtOf('a | b | c'), ['bars (2)']],
    [
      'font faces and sizes',
      'srt',
      'vtt',
      srtOf('<font color="red" face="Arial">a</font> <font size=12>b</font>'),
      ['font faces and sizes (1)', '<font> tags (1)'],
    ],
    [
      'times of spans in TTML',
      'ttml',
      'vtt',
      ttmlOf('<p begin="1s" end="3s"><span begin="0s">Two words</span> <span begin="1s">and two</span></p>'),
      ['timestamps within text (2)'],
    ],
    [
      'speakers in TTML',
      'ttml',
      'vtt',
      ttmlOf('<p begin="1s" end="3s" ttm:agent="a1">Hi</p>'),
      ['speaker names (1)'],
    ],
    [
      'other styles in TTML',
      'ttml',
      'vtt',
      ttmlOf(
        '<p begin="1s" end="3s" style="s1" tts:backgroundColor="black">Hi <span tts:fontSize="80%">you</span></p>',
        '<styling><style xml:id="s1" tts:fontFamily="serif"/><style xml:id="s2" tts:color="red"/></styling>',
      ),
      ['fonts and other styles (3)'],
    ],
    [
      'metadata in TTML',
      'ttml',
      'vtt',
      ttmlOf('<p begin="1s" end="3s">Hi<metadata/></p>', '<metadata><ttm:title>T</ttm:title></metadata>'),
      ['metadata and ruby texts (2)'],
    ],
    [
      'readings in WebVTT',
      'vtt',
      'srt',
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<ruby>kanji<rt>reading</rt></ruby>\n',
      ['<ruby> tags (1)', 'pronunciations (1)'],
    ],
  ])('%s', (_, from, to, text, lost) => {
    const { warnings } = convert(text, from, to);
    expect(warnings.map((warning) => warning.replace(/^dropped (.*): .*/, '$1'))).toEqual(lost);
  });

  it('nothing if the other format supports everything', () => {
    const text = ttmlOf(
      '<p begin="1s" end="3s" region="r"><span style="s2">Hi</span></p>',
      '<styling><style xml:id="s2" tts:color="red" tts:fontWeight="bold"/></styling><layout><region xml:id="r" tts:origin="10% 10%" tts:displayAlign="before"/></layout>',
    );
    expect(convert(text, 'ttml', 'vtt').warnings).toEqual([]);
  });
});

describe('times', () => {
  const short = fc.tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 30 }));

  it.each(['ass', 'microdvd', 'lrc'] as const)('of a short cue stay different in %s', (to) => {
    fc.assert(
      fc.property(short, ([start, length]) => {
        const clock = (time: number): string =>
          `00:0${Math.floor(time / 60_000)}:${(((time / 1000) | 0) % 60).toString().padStart(2, '0')},${(time % 1000).toString().padStart(3, '0')}`;
        const { content } = convert(srtOf('Hi', `${clock(start)} --> ${clock(start + length)}`), 'srt', to);
        const { cues } = scanSubtitles(content, to);
        const end = to === 'lrc' ? cues[1]?.start : cues[0]?.end;
        expect(end).toBeGreaterThan(cues[0]?.start ?? Infinity);
        expect(Math.abs((cues[0]?.start ?? 0) - start)).toBeLessThanOrEqual(10);
      }),
    );
  });

  it('of lyrics are shifted by their offset', () => {
    const { content, warnings } = convert(
      '[ti:T]\n[offset:+500]\n[00:02.00]<00:02.00>Hi\n[00:03.00]\n',
      'lrc',
      'vtt',
    );
    expect(content).toBe('WEBVTT\n\n00:00:01.500 --> 00:00:02.500\n<00:00:01.500>Hi\n');
    expect(warnings).toEqual(['dropped song tags (1): WebVTT does not support them']);
  });
});

describe('a file without words', () => {
  it.each(['srt', 'vtt', 'ass', 'ttml', 'lrc', 'microdvd'] as const)('becomes %s', (to) => {
    expect(convert('0:00:01.000,0:00:02.000\n[br]\n', 'sbv', to).content).not.toBe('');
  });
});

describe('a file that names its language', () => {
  it('in WebVTT keeps its language as TTML', () => {
    const text = 'WEBVTT\nKind: captions\nLanguage: en-US\n\n00:01.000 --> 00:02.000\nHi\n';
    const document = scanSubtitles(text, 'vtt');
    expect(document.locale).toBe('en-US');
    expect(
      document.notation
        .retarget?.(text, 'es')
        .map(({ span, text: by }) => [text.slice(span.start, span.end), by]),
    ).toEqual([['en-US', 'es']]);
    expect(convertSubtitles(document, 'ttml').content).toContain('xml:lang="en-US"');
    expect(document.notation.retarget?.('WEBVTT\n\n00:01.000 --> 00:02.000\nLanguage: en\n', 'es')).toEqual(
      [],
    );
  });
});
