import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { mo } from 'gettext-parser';
import { describe, expect, it } from 'vitest';
import { compileMo, decompileMo } from '../../src/formats/po/mo.ts';
import { works } from '../readers/process.ts';

const PO = `msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: es\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Open\\tfile"
msgstr "Abrir\\tarchivo"

msgctxt "verb"
msgid "Open"
msgstr "Abrir"

#, fuzzy
msgid "Doubtful"
msgstr "Dudoso"

msgid "Missing"
msgstr ""

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d archivo"
msgstr[1] "%d archivos"

#~ msgid "Old"
#~ msgstr "Viejo"
`;

describe('a binary catalogue', () => {
  it.skipIf(!works('msgunfmt', ['--version']))('equals the output of msgfmt', async () => {
    const unformat = (input: Uint8Array): string =>
      spawnSync('msgunfmt', ['--sort-output', '-'], { input }).stdout.toString();
    const theirs = spawnSync('msgfmt', ['-o', '-', '-'], { input: PO }).stdout;
    const ours = await compileMo(PO);
    expect(unformat(ours)).toBe(unformat(theirs).replace('charset=UTF-8', 'charset=utf-8'));
    expect(unformat(ours)).not.toMatch(/Doubtful|Missing|Old/);
  });

  it('returns the messages that it was compiled from', async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((s) => !/[\u0000\u0004]/.test(s) && s.isWellFormed());
    await fc.assert(
      fc.asyncProperty(text, text, text, async (id, plural, value) => {
        const quote = (s: string): string =>
          JSON.stringify(s).replace(/\\u(00[01][0-9a-f]|007f)/g, (_, hex: string) => `\\x${hex.slice(2)}`);
        const po = `msgid ${quote(id)}\nmsgid_plural ${quote(plural)}\nmsgstr[0] ${quote(value)}\nmsgstr[1] "x"\n`;
        const read = mo.parse(Buffer.from(await compileMo(po)));
        expect(read.translations['']?.[id]).toMatchObject({ msgid_plural: plural, msgstr: [value, 'x'] });
      }),
      { numRuns: 200 },
    );
  });

  it('refuses input that could take more memory than its length', async () => {
    const bytes = Buffer.from(await compileMo(PO));
    const table = bytes.readUInt32LE(16);
    const overlapping = Buffer.from(bytes);
    for (let i = 0; i < bytes.readUInt32LE(8); i++) {
      overlapping.writeUInt32LE(bytes.length - 60, table + i * 8);
      overlapping.writeUInt32LE(30, table + i * 8 + 4);
    }
    await expect(decompileMo(overlapping)).rejects.toMatchObject({ code: 'unreadable_input' });
    const many = Buffer.from(bytes);
    many.writeUInt32LE(0xffff_ffff, 8);
    await expect(decompileMo(many)).rejects.toThrow(/ends inside a table/);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = byte;
        await decompileMo(damaged.subarray(0, bytes.length)).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'unreadable_input' });
        });
      }),
      { numRuns: 500 },
    );
  });
});
