import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import type { SubtitleOptions } from '../../src/documents/subtitles/file-translation.ts';
import {
  countBlocks,
  type TranslatedSubtitles,
  translateSubtitles,
} from '../../src/documents/subtitles/translate-subtitles.ts';
import { processorTime } from '../processor-time.ts';
import { adversary } from '../pipeline/adversary.ts';

function translate(
  content: string,
  engine: Engine,
  options: SubtitleOptions = {},
  { format = 'srt', target = 'fr' }: { readonly format?: SubtitleFormat; readonly target?: string } = {},
): Promise<TranslatedSubtitles> {
  const signal = new AbortController().signal;
  return translateSubtitles(content, format, { engine, source: 'en', target, signal, options });
}

/** Cues of a second each, one after the other. */
function srt(...texts: readonly string[]): string {
  const clock = (second: number): string => `00:00:${String(second).padStart(2, '0')},000`;
  return texts.map((text, i) => `${i + 1}\n${clock(i)} --> ${clock(i + 1)}\n${text}\n`).join('\n');
}

function textsOf(content: string): readonly string[] {
  return content
    .trimEnd()
    .split('\n\n')
    .map((block) => block.split('\n').slice(2).join('\n'));
}

/** An engine that answers from a table, and records its requests. */
function table(answers: Readonly<Record<string, string>>): ReturnType<typeof adversary> {
  return adversary((text) => answers[text] ?? text);
}

describe('fixtures', () => {
  const cases = (['srt', 'vtt'] as const).flatMap((format) => {
    const root = new URL(`../../fixtures/formats/${format}/`, import.meta.url).pathname;
    return readdirSync(root).map((name) => [`${format}/${name}`, format, `${root}${name}`] as const);
  });

  it.each(cases)(
    '%s: an engine that returns its input does not change a byte',
    async (_, format, directory) => {
      const source = readFileSync(`${directory}/source.${format}`, 'utf8');
      const result = await translate(
        source,
        adversary((text) => text),
        {},
        { format },
      );
      expect(result).toEqual({ content: source, blocks: countBlocks(source, format), failures: [] });
    },
  );

  it.each(cases)('%s: only texts change', async (_, format, directory) => {
    const source = readFileSync(`${directory}/source.${format}`, 'utf8');
    const { content, failures } = await translate(source, createPseudoEngine(), {}, { format });
    expect(failures).toEqual([]);
    expect(content).toBe(readFileSync(`${directory}/pseudo.${format}`, 'utf8'));
  });
});

describe('lyrics', () => {
  it('keep HTML tags', async () => {
    const source = '[00:01.00]<i>Hello</i> my friend\n[00:03.00]You and <b class="x">me</b><br>\n';
    const { content, failures } = await translate(source, createPseudoEngine(), {}, { format: 'lrc' });
    expect(failures).toEqual([]);
    expect(content).toBe('[00:01.00]<i>Ĥéļļö</i> ɱý ƒŕîéñð\n[00:03.00]Ýöû åñð <b class="x">ɱé</b><br>\n');
  });
});

describe('a sentence over several cues', () => {
  const source = srt('I never thought that', 'the old man would', 'come back.');

  it('is translated as a whole and distributed by length', async () => {
    const engine = table({
      'I never thought that the old man would come back.':
        'Je n’ai jamais pensé que le vieil homme reviendrait.',
    });
    const { content, failures } = await translate(source, engine);
    expect(engine.asked).toHaveLength(1);
    expect(failures).toEqual([]);
    expect(textsOf(content)).toEqual(['Je n’ai jamais pensé que', 'le vieil homme', 'reviendrait.']);
  });

  it('is not joined with perCue', async () => {
    const engine = table({});
    await translate(source, engine, { perCue: true });
    expect(engine.asked).toEqual(['I never thought that', 'the old man would', 'come back.']);
  });

  it('is translated cue by cue if the answer has too few words', async () => {
    const engine = adversary((text) => (text.includes('thought that the') ? 'Jamais.' : text.toUpperCase()));
    const { content, failures } = await translate(source, engine);
    expect(failures).toEqual([]);
    expect(textsOf(content)).toEqual(['I NEVER THOUGHT THAT', 'THE OLD MAN WOULD', 'COME BACK.']);
  });

  it('keeps placeholders in their cues, or is translated cue by cue', async () => {
    const tagged = srt('I never <i>thought</i> that', 'you would.');
    const moved = adversary((text) =>
      text.includes('would') && text.includes('<x')
        ? 'You would that I never think of <x id="1">it</x>'
        : text,
    );
    const { content, failures } = await translate(tagged, moved);
    expect(failures).toEqual([]);
    expect(textsOf(content)).toEqual(['I never <i>thought</i> that', 'you would.']);
  });

  it.each([
    ['a full stop', srt('It ends here.', 'Another begins.')],
    ['a dash', srt('- It does not end', '- another begins.')],
    ['a title', srt('LONDON', 'It was raining.')],
    ['a note', srt('♪ It does not end ♪', '♪ another begins ♪')],
    [
      'a long pause',
      '1\n00:00:01,000 --> 00:00:02,000\nIt does not\n\n2\n00:01:01,000 --> 00:01:02,000\nend.\n',
    ],
    [
      'cues at one time',
      '1\n00:00:01,000 --> 00:00:02,000\nIt does not\n\n2\n00:00:01,000 --> 00:00:02,000\nend.\n',
    ],
    ['no punctuation anywhere', srt('Caption text 1', 'Caption text 2', 'Caption text 3')],
  ])('does not continue across %s', async (_, content) => {
    const engine = table({});
    await translate(content, engine);
    expect(engine.asked.length).toBe(countBlocks(content, 'srt'));
  });
});

describe('lines', () => {
  it('are as many as in the source, of about the same width', async () => {
    const engine = table({ 'One two three four': 'Eins zwei drei vier fünf sechs sieben acht neun' });
    const { content } = await translate(srt('One two\nthree four'), engine);
    expect(textsOf(content)).toEqual(['Eins zwei drei vier fünf\nsechs sieben acht neun']);
  });

  it('are at most as wide as the widest of the source', async () => {
    const wide = 'A line of the source that is wider than most lines are.';
    const engine = table({ 'One.': 'A translation that is just as wide as the other one is.' });
    const { content } = await translate(srt(`<i>${wide}</i>`, 'One.'), engine);
    expect(textsOf(content)[1]).toBe('A translation that is just as wide as the other one is.');
    const limited = await translate(srt(wide, 'One.'), engine, { maxLine: 42 });
    expect(textsOf(limited.content)[1]?.split('\n')).toHaveLength(2);
    const narrow = await translate(srt('Short.', 'One.'), engine);
    expect(textsOf(narrow.content)[1]?.split('\n')).toHaveLength(2);
  });

  it('increase up to maxLines if one becomes too long', async () => {
    const engine = adversary(() => 'word '.repeat(20).trim());
    const source = srt('Nobody here said one word.');
    const two = await translate(source, engine);
    expect(
      textsOf(two.content)[0]
        ?.split('\n')
        .map((line) => line.length),
    ).toEqual([49, 49]);
    const three = await translate(source, engine, { maxLines: 3 });
    expect(textsOf(three.content)[0]?.split('\n')).toHaveLength(3);
    const wide = await translate(source, engine, { maxLine: 99 });
    expect(textsOf(wide.content)[0]?.split('\n')).toHaveLength(1);
  });

  it('keep speakers and labels apart', async () => {
    const engine = adversary((text) => `${text} ${text.toUpperCase()}`);
    const { content } = await translate(srt('- Who?\n- You.', 'MAN:\nGo there\nright now.'), engine);
    expect(textsOf(content)).toEqual([
      '- Who? WHO?\n- You. YOU.',
      'MAN: MAN:\nGo there right now.\nGO THERE RIGHT NOW.',
    ]);
  });

  it('break texts without spaces between words, never in a grapheme or before a closing mark', async () => {
    const answer = '今日はとても天気がいいので、公園まで散歩に行きましょう。👩‍👩‍👧‍👦';
    const engine = adversary(() => answer);
    const { content } = await translate(
      srt('It is a lovely day\nfor a walk in the park.'),
      engine,
      {},
      { target: 'ja' },
    );
    const lines = textsOf(content)[0]?.split('\n') ?? [];
    expect(lines).toHaveLength(2);
    expect(lines.join('')).toBe(answer);
    for (const line of lines) expect(line).not.toMatch(/^[、。]/);
    expect(lines.some((line) => line.includes('👩‍👩‍👧‍👦'))).toBe(true);
  });

  it('never begin with a dash because of a line break', async () => {
    const engine = adversary(() => 'aaaaaaaaaa aaaaaaaaa - bbbbbbbbbbbbbbbbbbbb');
    const { content } = await translate(srt('One\ntwo.'), engine);
    expect(textsOf(content)[0]).not.toMatch(/\n-/);
  });
});

describe('codes among words', () => {
  it('are hidden from the engine if they surround the words', async () => {
    const engine = table({});
    await translate(
      srt('{\\an8}<i>- Hello there.</i>', '♪ Sing ♪', '<font color="#fff"><b>Bold.</b></font>'),
      engine,
    );
    expect(engine.asked).toEqual(['Hello there.', 'Sing', 'Bold.']);
  });

  it('are sent as placeholders inside the words', async () => {
    const engine = table({});
    const text = 'See <i>this</i> &amp; www.example.org, <00:00:01.500>Ann';
    await translate(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`, engine, {}, { format: 'vtt' });
    expect(engine.asked).toEqual(['See <x id="1">this</x> <x id="2"/> <x id="3"/>, <x id="4"/>Ann']);
  });

  it.each(['srt', 'ass'] as const)(
    'that look like escapes among the words of %s are kept',
    async (format) => {
      const text = String.raw`Aligned by \an1 and \bord0.`;
      const cue =
        format === 'srt'
          ? srt(text)
          : `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,${text}\n`;
      const { failures } = await translate(cue, createPseudoEngine(), {}, { format });
      expect(failures).toEqual([]);
    },
  );

  it('keep a space before the next line', async () => {
    const engine = table({});
    await translate(srt('Write to a@b.org\nor to\nc@d.org again.'), engine);
    expect(engine.asked).toEqual(['Write to <x id="1"/> or to <x id="2"/> again.']);
  });

  it('are escaped in WebVTT if an answer contains them as words', async () => {
    const engine = adversary(() => 'a &lt; b &amp; c --&gt; d');
    const { content } = await translate(
      'WEBVTT\n\n00:01.000 --> 00:02.000\nX.\n',
      engine,
      {},
      { format: 'vtt' },
    );
    expect(content).toContain('\na &lt; b &amp; c --&gt; d\n');
  });

  it('make a SubRip cue fail if its answer contains them; the cue is reported with its position', async () => {
    const engine = adversary(() => '&lt;b&gt;bold&lt;/b&gt;');
    const { content, failures } = await translate(srt('One.', 'Two.'), engine);
    expect(content).toBe(srt('One.', 'Two.'));
    expect(failures).toMatchObject([
      { line: 3, column: 1, reason: expect.stringContaining('<b>') },
      { line: 7, column: 1 },
    ]);
  });

  it('keep timestamps in order', async () => {
    const engine = adversary((text) =>
      text
        .replace(/(<x id="1"\/>)(.*)(<x id="2"\/>)/, '$3$2$1')
        .toUpperCase()
        .replaceAll('<X ID', '<x id'),
    );
    const text = 'A <00:00:01.200>b <00:00:01.400>c';
    const { content, failures } = await translate(
      `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`,
      engine,
      {},
      { format: 'vtt' },
    );
    expect(failures).toEqual([]);
    expect(content).toContain('\nA <00:00:01.200>B <00:00:01.400>C\n');
  });

  it('keep pronunciations above the words of the translation', async () => {
    const engine = adversary((text) => text.replaceAll(/[a-z]+(?![^<]*>)/g, (word) => word.toUpperCase()));
    const text = 'Read <ruby>kanji<rt>reading</rt></ruby> now.';
    const { content, failures } = await translate(
      `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`,
      engine,
      {},
      { format: 'vtt' },
    );
    expect(failures).toEqual([]);
    expect(content).toContain(' <ruby>KANJI<rt>reading</rt></ruby> NOW.\n');
  });
});

describe('options', () => {
  it('put the source below the translation', async () => {
    const engine = adversary((text) => text.toUpperCase());
    const { content } = await translate(srt('{\\an8}<i>One\ntwo.</i>', '...'), engine, { bilingual: true });
    expect(textsOf(content)).toEqual(['{\\an8}<i>ONE\nTWO.</i>\n<i>One\ntwo.</i>', '...']);
  });

  it('put right-to-left marks around the lines, for languages that need them', async () => {
    const engine = adversary(() => 'שלום עולם.');
    const hebrew = await translate(srt('<i>Hello.</i>'), engine, { rtlMarks: true }, { target: 'he' });
    expect(textsOf(hebrew.content)).toEqual(['<i>\u200fשלום עולם.</i>\u200f']);
    const french = await translate(srt('Hello.'), engine, { rtlMarks: true }, { target: 'fr' });
    expect(french.content).not.toContain('\u200f');
  });

  it('count progress in cues, without going back', async () => {
    const seen: number[] = [];
    const content = srt(...Array.from({ length: 40 }, (_, i) => `Cue <i>${'x'.repeat(i)}</i> y.`));
    const engine = adversary((text) => text.replace(/<x id="1">|<\/x>/g, ''));
    await translateSubtitles(content, 'srt', {
      engine,
      source: 'en',
      target: 'fr',
      signal: new AbortController().signal,
      onProgress: (done, total) => {
        expect(total).toBe(40);
        seen.push(done);
      },
    });
    expect(seen.at(-1)).toBe(40);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  });
});

it('subtitles take time proportional to the length of a cue', async () => {
  const started = processorTime();
  await translate(srt('- word\n'.repeat(40_000).trimEnd()), createPseudoEngine());
  expect(processorTime() - started).toBeLessThan(10_000);
});

it('subtitles stop when interrupted', async () => {
  const controller = new AbortController();
  controller.abort();
  const context = { engine: createPseudoEngine(), source: 'en', target: 'fr', signal: controller.signal };
  await expect(translateSubtitles(srt('One.'), 'srt', context)).rejects.toMatchObject({
    code: 'interrupted',
  });
});
