import { describe, expect, it } from 'vitest';
import { readTmx } from '../../../src/memory/exchange/tmx-unit.ts';
import type { NewEntry } from '../../../src/memory/stored-memory.ts';
import { collect } from './entries.ts';
import { read, tmx, unit } from './tmx-document.ts';

describe('the TMX reader', () => {
  const refusals: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'billion laughs',
      `<!DOCTYPE tmx [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${tmx('').slice(39)}`,
      'unreadable_input',
      /entities/,
    ],
    [
      'parameter entities',
      '<!DOCTYPE tmx [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]><tmx/>',
      'unreadable_input',
      /entities/,
    ],
    ['external entities', tmx(unit('&passwd;', 'x')), 'unreadable_input', /undefined entity/],
    ['depth', tmx(unit('<hi>'.repeat(100) + 'x' + '</hi>'.repeat(100), 'x')), 'limit_exceeded', /nested/],
    ['a truncated file', tmx(unit('One day', 'Un día')).slice(0, -20), 'unreadable_input', /unclosed/],
    ['no XML', 'msgid "a"\n', 'unreadable_input', /./],
    ['nothing', '', 'unreadable_input', /root element/],
    ['another document', '<?xml version="1.0"?><xliff/>', 'unreadable_input', /not a TMX/],
    ['tags that do not match', tmx('<tu></tuv>'), 'unreadable_input', /./],
    ['control characters', tmx(unit('a\u0001', 'b')), 'unreadable_input', /./],
  ];

  it.each(refusals)('refuses %s and reports the place', async (_, document, code, message) => {
    await expect(read(document)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
      at: { line: expect.any(Number) as number, column: expect.any(Number) as number },
    });
  });

  it('refuses invalid bytes and reports the line', async () => {
    const bytes = Buffer.concat([Buffer.from(tmx('').slice(0, 50)), Buffer.from([0xff, 0xff])]);
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'unreadable_input',
      at: { line: 2, column: 12 },
    });
  });

  it('reads the entries before the damage', async () => {
    const found: NewEntry[] = [];
    const document = tmx(unit('One day', 'Un día') + unit('Two days', 'Dos días')).slice(0, -60);
    const reading = async (): Promise<void> => {
      for await (const item of readTmx([Buffer.from(document)], { origin: 'human', onSkip: () => undefined }))
        found.push(item);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'unreadable_input' });
    expect(found.map(({ translations }) => translations)).toEqual([['Un día']]);
  });

  const head = tmx('').replace('</body></tmx>', '');

  it.each([
    ['a segment', `${head}<tu><tuv xml:lang="en"><seg>`, 'word '],
    ['a segment in pieces', `${head}<tu><tuv xml:lang="en"><seg>`, 'word <hi>x</hi>'],
    ['empty elements', `${head}<tu><tuv xml:lang="en"><seg>`, '<ph/>'],
    ['variants', `${head}<tu>`, '<tuv xml:lang="en"><seg/></tuv>'],
    ['properties', `${head}<tu>`, '<prop type="a">b</prop>'],
    ['an attribute', `${head}<tu x="`, 'word '],
    ['a comment', `${head}<!--`, 'word '],
    ['a document type', '<!DOCTYPE tmx [', 'word '],
  ])('refuses %s of 100 MB after reading less than 10', async (_, start, piece) => {
    let sent = 0;
    function* endless(): Generator<Buffer> {
      yield Buffer.from(start);
      const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
      for (; sent < 100_000_000; sent += chunk.length) yield chunk;
    }
    const reading = collect(readTmx(endless(), { origin: 'human', onSkip: () => undefined }));
    await expect(reading).rejects.toMatchObject({ code: 'limit_exceeded' });
    expect(sent).toBeLessThan(10_000_000);
  });

  it('is not slower for words that look like its element markers', async () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `tmx${i}-${i}`).join(' ');
    const { entries, skips } = await read(tmx(unit(`${words} <ph>{n}</ph>`, `<ph>{n}</ph> ${words}`)));
    expect([entries.length, skips.length, entries[0]?.placeholders]).toEqual([1, 0, ['n']]);
  });

  it('keeps only the units of one piece of a large file in memory', async () => {
    const units = 500;
    let sent = 0;
    function* file(): Generator<Buffer> {
      yield Buffer.from(head);
      for (; sent < 40; sent++) yield Buffer.from(unit('Save the file', 'Guardar el archivo').repeat(units));
      yield Buffer.from('</body></tmx>');
    }
    let count = 0;
    for await (const _ of readTmx(file(), { origin: 'human', onSkip: () => undefined })) {
      expect(sent).toBe(Math.floor(count++ / units));
    }
    expect(count).toBe(40 * units);
  });
});
