import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import { render } from '../../src/formats/render.ts';
import { scanSubtitles, subtitleNotation } from '../../src/formats/subtitles/format.ts';

describe('a paragraph of TTML', () => {
  const document = (content: string): string =>
    `<tt xml:lang="en"><body><div><p begin="1s" end="2s">${content}</p></div></body></tt>`;
  const translated = (content: string, to: (value: string) => string): string => {
    const source = scanSubtitles(document(content), 'ttml');
    const values = new Map(source.slots.map((slot, i) => [i, to(slot.value)]));
    return render({ scan: (text) => scanSubtitles(text, 'ttml') }, source, values).document.text;
  };

  it.each([
    ['\n  <span>One</span><br/>\n  <span>two</span>\n  <span>three</span>\n'],
    ['\r\n\t<span>One</span> <br />\r\n\t<br/>\r\n\t<span> <span>two</span> </span>\r\n'],
    ['One\n  <br/>\n  <metadata>x</metadata>\n  <span>two</span>'],
  ])('keeps the indentation between its tags: %j', (content) => {
    const wanted = content.replaceAll(/One|two|three/g, (word) => word.toUpperCase());
    const shout = (value: string): string => value.replaceAll(/One|two|three/g, (word) => word.toUpperCase());
    expect(translated(content, shout)).toBe(document(wanted));
  });

  const timesOf = (body: string): readonly unknown[] =>
    scanSubtitles(`<tt>${body}</tt>`, 'ttml').cues.map(({ start, end, text }) => [start, end, text]);

  it('begins in a sequence when the previous element ends, with or without paragraphs', () => {
    const body = `<body begin="10s" timeContainer="seq"><div dur="2s"/><metadata dur="90s"/>
      <div timeContainer="seq"><p dur="3s">a</p><p end="1s">b</p></div><div dur="4s"><p>c</p><p begin="1s">d</p></div>
      <p dur="1s">e</p></body>`;
    expect(timesOf(body)).toEqual([
      [12_000, 15_000, 'a'],
      [15_000, 16_000, 'b'],
      [12_000, 16_000, 'c'],
      [13_000, 16_000, 'd'],
      [16_000, 17_000, 'e'],
    ]);
  });

  it('uses times relative to the song in Apple’s lyrics, even in an element with times', () => {
    const body = `<body dur="1:00.000"><div begin="10.5" end="20"><p begin="10.5" end="12">a</p>
      <p><span begin="14" end="15">b</span> <span begin="15" end="16.25">c</span></p><p end="19">d</p></div></body>`;
    const lyrics = (root: string): readonly unknown[] =>
      scanSubtitles(`<tt${root}>${body}</tt>`, 'ttml').cues.map(({ start, end }) => [start, end]);
    expect(lyrics(' xmlns:itunes="http://music.apple.com/lyric-ttml-internal" itunes:timing="Word"')).toEqual(
      [
        [10_500, 12_000],
        [14_000, 16_250],
        [10_500, 19_000],
      ],
    );
    expect(lyrics('')[0]).toEqual([21_000, 20_000]);
  });

  it('must be in a body, and not in another paragraph', () => {
    const paragraph = '<p begin="1s" end="2s">a</p>';
    const other = `<head><p>x</p></head><div>${paragraph}</div><metadata><body>${paragraph}</body></metadata>`;
    const inner = `<body><span>${paragraph}</span><p begin="1s" end="2s">b<div><p>c</p></div></p></body>`;
    expect(timesOf(`${other}${inner}`)).toEqual([[1000, 2000, 'b<div 1/>']]);
  });

  it('keeps pronunciations with their words, even if their style is defined later', () => {
    const head = '<head><styling><style xml:id="r" tts:ruby="text"/></styling></head>';
    const body = '<body><div><p>kan<span style="r">ji</span></p></div></body>';
    expect(scanSubtitles(`<tt>${body}${head}</tt>`, 'ttml').slots[0]?.value).toBe('kan<span 1/>');
  });

  it('gets the target language if it declares the language of the whole file', () => {
    const text =
      '<tt xml:lang="en"><body><div xml:lang="np "><p>a</p></div><div xml:lang="en-GB"><p>b</p></div></body></tt>';
    const source = scanSubtitles(text, 'ttml');
    const edits = subtitleNotation('ttml').retarget?.(source.text, 'fr') ?? [];
    expect(splice(text, edits)).toBe(text.replace('"en"', '"fr"').replace('"en-GB"', '"fr"'));
  });

  it('gets lines that the source lacks, and loses lines that a translation lacks', () => {
    expect(translated('One<br/>\n  two', () => 'A\nB\nC')).toBe(document('A<br/>\n  B<br/>\n  C'));
    expect(translated('<span>One</span>\n  <span>two</span>', () => 'A')).toBe(document('A'));
  });
});
