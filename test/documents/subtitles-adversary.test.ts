import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SubtitleDocument } from '../../src/formats/subtitles/document.ts';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { readCueText } from '../../src/formats/subtitles/cue-text.ts';
import { scanSubtitles, SUBTITLE_FORMATS } from '../../src/formats/subtitles/format.ts';
import { splice } from '../../src/base/span.ts';
import { translateSubtitles } from '../../src/documents/subtitles/translate-subtitles.ts';
import { adversary, DAMAGES } from '../pipeline/adversary.ts';
import { runs } from '../property-runs.ts';

/** Damage to lines and lengths, in addition to placeholders. */
const DAMAGES_OF_LINES: Readonly<Record<string, (tagged: string) => string>> = {
  'one word': () => 'Oui',
  'more lines': (text) => text.replaceAll(' ', '\n\n'),
  'a cue': (text) => `${text}\n\n99\n00:00:01,000 --> 00:00:02,000\n${text}`,
  'a timing line': (text) => `00:00:01.000 --&gt; 00:00:02.000\n${text}`,
  'a dash on every line': (text) => `- ${text.replaceAll(' ', '\n- ')}`,
  'much longer': (text) => `${text} ${'bla '.repeat(300)}`,
  'one long word': (text) => 'x'.repeat(text.length * 3),
  'a note block': (text) => `NOTE ${text}`,
  'carriage returns': (text) => text.replaceAll(' ', '\r'),
  'notes and effects': (text) => `♪ {\\an8} ${text}`,
  backwards: (text) => text.split(' ').toReversed().join(' '),
};

const word = fc.constantFrom(
  'a',
  'rain',
  'and',
  'London,',
  'go.',
  'What?',
  'x@y.org',
  '今日は',
  '12',
  '&',
  '-',
  'naïve',
);
const code = fc.constantFrom(
  '&amp;',
  '♪',
  '<i>',
  '</i>',
  '<c.x>',
  '</c>',
  '<v Ann>',
  '{\\an8}',
  '<00:00:05.000>',
  '<00:00:06.000>',
  '<br>',
  '<font color="#fff">',
  '</font>',
);
const text = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: word },
      { weight: 2, arbitrary: code },
      { weight: 1, arbitrary: fc.constant('\n') },
    ),
    {
      maxLength: 14,
    },
  )
  .map((pieces) =>
    pieces
      .join(' ')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n'),
  );
const lead = fc.constantFrom('', '- ', '{\\an8}', '♪ ', '<i>');
const cues = fc.array(
  fc.record({
    lead,
    text,
    number: fc.constantFrom('', '7\n', 'n'),
    gap: fc.nat(4000),
    settings: fc.constantFrom('', ' X1:40 Y1:20', ' align:start'),
  }),
  { minLength: 1, maxLength: 12 },
);

/** A file of these cues, with optional parts between them. */
const file = fc
  .tuple(
    cues,
    fc.constantFrom<SubtitleFormat>('srt', 'vtt'),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.boolean(),
  )
  .map(([list, format, lineEnd, lastLineEnd]) => {
    let clock = 0;
    const blocks = list.map((cue, i) => {
      const [start, end] = [clock, (clock += 1000)];
      clock += cue.gap;
      const time = (ms: number): string =>
        new Date(ms)
          .toISOString()
          .slice(11, 23)
          .replace('.', format === 'srt' ? ',' : '.');
      const id = cue.number === 'n' ? `${i + 1}\n` : cue.number;
      const body = cue.text === '' ? '' : `\n${cue.lead}${cue.text}`;
      const note = format === 'vtt' && i % 3 === 1 ? 'NOTE\nof the translator\n\n' : '';
      return `${note}${id}${time(start)} --> ${time(end)}${cue.settings}${body}\n`;
    });
    const whole = (format === 'vtt' ? 'WEBVTT\nKind: captions\n\n' : '') + blocks.join('\n');
    const content = (lastLineEnd ? whole : whole.slice(0, -1)).replaceAll('\n', lineEnd);
    return { content, format };
  });

/** Everything but the texts of cues. */
function frameOf({ text: content, slots }: SubtitleDocument): string {
  let frame = '';
  let at = 0;
  for (const { span } of slots) {
    frame += `${content.slice(at, span.start)}¶`;
    at = span.end;
  }
  return frame + content.slice(at);
}

function codesOf(value: string): string[] {
  return readCueText(value)
    .flatMap((token) => (token.type === 'words' || token.type === 'break' ? [] : [token.raw]))
    .filter((raw) => raw !== '&amp;' && raw !== '&lt;' && raw !== '&gt;')
    .sort();
}

const context = { source: 'en', target: 'fr', signal: new AbortController().signal };

const damages = { ...DAMAGES, ...DAMAGES_OF_LINES };

/** Fixtures of formats whose files the properties below do not generate. */
const fixtures = SUBTITLE_FORMATS.filter((format) => format !== 'srt' && format !== 'vtt').flatMap(
  (format) => {
    const root = new URL(`../../fixtures/formats/${format}/`, import.meta.url).pathname;
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
    return paths
      .filter((path) => basename(path).startsWith('source.'))
      .map((path) => [`${format}/${path}`, format, readFileSync(join(root, path), 'utf8')] as const);
  },
);

describe.each(fixtures)('any answer of an engine for %s', (_, format, content) => {
  const codes = (value: string, { notation }: SubtitleDocument): readonly string[] =>
    notation.cueText
      .readTokens(value)
      .flatMap((token) => (token.type === 'words' || token.type === 'break' ? [] : [token.raw]))
      .filter((raw) => !/^&(?:amp|lt|gt);$/.test(raw))
      .sort();

  it('everything but the texts stays', async () => {
    const source = scanSubtitles(content, format);
    // The translation of a file that declares its language declares the target language.
    const renamed = splice(content, source.notation.retarget?.(content, context.target) ?? []);
    for (const [name, damage] of Object.entries(damages)) {
      const engine = adversary(damage);
      const { content: after } = await translateSubtitles(content, format, { ...context, engine });
      const before = scanSubtitles(after === content ? content : renamed, format);
      const target = scanSubtitles(after, format);
      expect(frameOf(target), name).toBe(frameOf(before));
      expect(target.cues.map(({ start, end }) => [start, end])).toEqual(
        source.cues.map(({ start, end }) => [start, end]),
      );
      for (const [i, slot] of source.slots.entries())
        expect(codes(target.slots[i]?.value ?? '', target), name).toEqual(codes(slot.value, source));
    }
  });
});

describe('any answer of an engine', () => {
  it.each(Object.entries(damages))('keeps the structure of cues: %s', async (_, damage) => {
    await fc.assert(
      fc.asyncProperty(file, fc.boolean(), fc.nat(3), async ({ content, format }, perCue, every) => {
        let asked = 0;
        const engine = adversary((tagged) =>
          asked++ % (every + 1) === 0 ? damage(tagged) : tagged.replaceAll('a', 'å'),
        );
        const {
          content: after,
          blocks,
          failures,
        } = await translateSubtitles(content, format, { ...context, engine, options: { perCue } });
        const [source, target] = [scanSubtitles(content, format), scanSubtitles(after, format)];
        expect(target.cues.length).toBe(source.cues.length);
        expect(blocks).toBe(source.cues.length);
        expect(frameOf(target)).toBe(frameOf(source));
        expect(target.cues.map(({ id, start, end, settings }) => [id, start, end, settings])).toEqual(
          source.cues.map(({ id, start, end, settings }) => [id, start, end, settings]),
        );
        source.slots.forEach((slot, i) => {
          const value = target.slots[i]?.value ?? '';
          expect(codesOf(value), JSON.stringify([slot.value, value])).toEqual(codesOf(slot.value));
        });
        const places = new Set(failures.map(({ line }) => line));
        expect(places.size).toBe(failures.length);
      }),
      { numRuns: runs(60) },
    );
  });

  it('an unchanged text changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ content, format }) => {
        const engine = adversary((tagged) => tagged);
        const result = await translateSubtitles(content, format, { ...context, engine });
        expect(result.content).toBe(content);
        expect(result.failures).toEqual([]);
      }),
    );
  });

  it('a failed cue is reported with the position of its text, which stays', async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ content, format }) => {
        const engine = {
          ...adversary((tagged) => tagged),
          translate: ({ texts }: { texts: readonly string[] }) =>
            Promise.resolve(texts.map(() => ({ failure: 'no' }))),
        };
        const result = await translateSubtitles(content, format, { ...context, engine });
        expect(result.content).toBe(content);
        const lines = content.split(/\r\n|\n|\r/);
        for (const { line, column, reason } of result.failures) {
          expect(reason).toBe('no');
          expect(column).toBe(1);
          expect(lines[line - 2]).toContain('-->');
        }
      }),
    );
  });
});
