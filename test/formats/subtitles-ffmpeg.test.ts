import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertSubtitles } from '../../src/formats/subtitles/convert.ts';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { scanSubtitles, subtitleNotation } from '../../src/formats/subtitles/format.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/** The times and words that FFmpeg reads, without markup, which it interprets differently. */
function readByFfmpeg(content: string, demuxer: string): readonly (readonly [number, number, string])[] {
  const { stdout, stderr, status } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-f', demuxer, '-i', 'pipe:0', '-f', 'srt', 'pipe:1'],
    { input: content, encoding: 'utf8', timeout: 30_000 },
  );
  if (status !== 0) throw new Error(stderr);
  return scanSubtitles(stdout, 'srt').cues.map(({ start, end, text }) => [start, end, wordsOf(text)]);
}

function wordsOf(text: string): string {
  return text
    .replaceAll(/<[^<>]*>|\{[^{}]*\}/g, '')
    .replaceAll('\\h', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const DEMUXERS: Readonly<Partial<Record<SubtitleFormat, string>>> = { srt: 'srt', vtt: 'webvtt', ass: 'ass' };

const source = (path: string): string =>
  readFileSync(new URL(`../../fixtures/formats/${path}`, import.meta.url), 'utf8');

describe.skipIf(!hasFfmpeg)('an independent program', () => {
  it.each<[string, SubtitleFormat]>([
    ['ass/old/source.ssa', 'ass'],
    ['srt/everyday/source.srt', 'srt'],
    ['srt/alignment/source.srt', 'srt'],
    ['vtt/alignment/source.vtt', 'vtt'],
  ])('reads the times and words of %s', (path, format) => {
    const document = scanSubtitles(source(path), format);
    const ours = document.cues.map(
      ({ start, end, text }) => [start, end, wordsOf(text.replaceAll('&amp;', '&'))] as const,
    );
    const theirs = readByFfmpeg(source(path), DEMUXERS[format] ?? format);
    expect(theirs.map(([start, end, words]) => [start, end, words.replaceAll('&amp;', '&')])).toEqual(
      ours.toSorted((a, b) => a[0] - b[0]),
    );
  });

  it.each<[string, SubtitleFormat, SubtitleFormat]>([
    ['ttml/everyday/source.ttml', 'ttml', 'ass'],
    ['ttml/styles/source.ttml', 'ttml', 'ass'],
    ['ttml/times/source.ttml', 'ttml', 'srt'],
    ['sbv/everyday/source.sbv', 'sbv', 'ass'],
    ['microdvd/everyday/source.sub', 'microdvd', 'vtt'],
    ['lrc/everyday/source.lrc', 'lrc', 'srt'],
    ['vtt/loose-blocks/source.vtt', 'vtt', 'ass'],
    ['srt/everyday/source.srt', 'srt', 'ass'],
  ])('reads the times and words of %s, converted from %s to %s', (path, from, to) => {
    const document = scanSubtitles(source(path), from);
    const { content } = convertSubtitles(document, to);
    const expected = document.notation
      .toStyled(document, () => undefined)
      .map(({ start, end, tokens }) => {
        const words = tokens.map((token) =>
          token.type === 'words' ? token.text : token.type === 'break' ? ' ' : '',
        );
        return [start, end, wordsOf(words.join(''))] as const;
      });
    const grid = subtitleNotation(to).timeGrid();
    const theirs = readByFfmpeg(content, DEMUXERS[to] ?? to);
    const text = (words: string): string => words.replaceAll(/&amp;/g, '&');
    expect(theirs.map(([, , words]) => text(words))).toEqual(expected.map(([, , words]) => text(words)));
    for (const [i, [start, end]] of expected.entries()) {
      expect(Math.abs((theirs[i]?.[0] ?? -1) - start)).toBeLessThanOrEqual(grid);
      expect(Math.abs((theirs[i]?.[1] ?? -1) - end)).toBeLessThanOrEqual(grid);
    }
  });
});
