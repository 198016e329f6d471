import { describe, expect, it } from 'vitest';
import { render } from '../../src/formats/render.ts';
import { strings } from '../../src/formats/strings/format.ts';
import { goldenCases } from './golden.ts';

goldenCases('strings', strings);

describe('.strings', () => {
  it.each([0, 1, 2, 3, 4, 5, 6])('reads values in parts that do not split escapes: %s', (shift) => {
    const value = `${'a'.repeat(shift)}${'\\U0041\\\\'.repeat(30_000)}`;
    const { slots } = strings.scan(`"k" = "${value}";`);
    expect(slots[0]?.value === `${'a'.repeat(shift)}${'A\\'.repeat(30_000)}`).toBe(true);
  });

  it('escapes characters that the encoding lacks', () => {
    const latin1 = { encodable: (text: string): boolean => !/[^\u0000-\u00ff]/.test(text) };
    const document = strings.scan('"a" = "é";\n"b" = "é";\n', latin1);
    const values = new Map([
      [0, 'ß 日 😀'],
      [1, '\ud800'],
    ]);
    const { document: after, rejected } = render(strings, document, values, latin1);
    expect(rejected.size).toBe(0);
    expect(after.text).toBe('"a" = "ß \\U65e5 \\Ud83d\\Ude00";\n"b" = "\\Ud800";\n');
  });

  it('keeps the letter case of the file’s escapes', () => {
    const { slots } = strings.scan('"a" = "\\u00e9";\n"b" = "x";\n');
    expect(slots.map((slot) => slot.encode('ü'))).toEqual(['"\\u00fc"', '"\\u00fc"']);
  });

  it('reads octal escapes as NeXTSTEP characters', () => {
    const { slots } = strings.scan('"a" = "\\200\\252\\266\\312\\333\\351\\372\\373\\377";\n');
    expect(slots[0]?.value).toBe('\u00a0“¶˚çØœß\ufffd');
  });

  it('reports duplicates by meaning, not by spelling', () => {
    const { warnings } = strings.scan('"a b" = "1";\n"a\\U0020b" = "2";\n');
    expect(warnings).toEqual([{ rule: 'duplicate-key', key: ['a b'], offset: 13 }]);
  });

  it('separates comments at blank lines', () => {
    const { slots } = strings.scan('/* file */\n\n// section\n\n// key\n"a" = "1";\n');
    expect(slots[0]?.comment).toBe('key');
  });

  it('does not change when retargeted', () => {
    const document = strings.scan('"a" = "1";\n');
    expect(strings.retarget(document, { locale: 'fr', spelling: 'fr', role: 'new' })).toEqual([]);
  });
});
