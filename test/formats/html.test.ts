import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decode } from '../../src/formats/encoding.ts';
import { charsetOfLabel, declaredCharset } from '../../src/formats/html/charset.ts';
import { blockValueOf } from '../../src/formats/html/block-value.ts';
import { countTextNodes, readPage } from '../../src/formats/html/page.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { translateHtml } from '../../src/documents/page/translate-page.ts';
import { processorTime } from '../processor-time.ts';

const root = new URL('../../fixtures/formats/html/', import.meta.url).pathname;

/**
 * Each directory: `source.html`, `values.json` (the translated texts, including attributes), `pseudo.html` (the
 * result).
 */
describe('html fixtures', () => {
  it.each(readdirSync(root))('%s', async (name) => {
    const text = (file: string): string => readFileSync(join(root, name, file), 'utf8');
    const html = text('source.html');
    const values = readPage(html, { attributes: true }).blocks.map(
      (block) => blockValueOf(block, html).value,
    );
    expect(values).toEqual(JSON.parse(text('values.json')));
    const engine = createPseudoEngine();
    const { signal } = new AbortController();
    const result = await translateHtml(html, {
      engine,
      source: 'en',
      target: 'fr',
      signal,
      attributes: true,
    });
    expect(result.failures).toEqual([]);
    expect(result.html).toBe(text('pseudo.html'));
  });
});

describe('countTextNodes', () => {
  it.each<[string, number]>([
    ['<p>One</p> <p>Two <b>three</b> four</p>', 4],
    ['<script>x</script><style>y</style><title>One</title>', 1],
    ['<p>&nbsp;</p>\n<br>  ', 0],
    ['plain', 1],
    ['', 0],
    ['<p translate=no>Counts</p><!-- not this --><code>counts</code>', 2],
    ['a<!-- x -->b', 2],
    ['<table>foo<tr><td>x</table>', 2],
  ])('counts the text nodes of %j', (html, count) => {
    expect(countTextNodes(html)).toBe(count);
  });
});

describe('declaredCharset', () => {
  it.each<[string, string | undefined]>([
    ['<meta charset=Shift_JIS>', 'Shift_JIS'],
    ['<META http-equiv=Content-Type content="text/html; charset=ISO-8859-1">', 'ISO-8859-1'],
    ['<meta charset="utf-16le">', 'utf-8'],
    ['<!-- <meta charset=x> --><p>', undefined],
    ['<meta name=viewport content="width=1">', undefined],
  ])('reads %s', (head, charset) => {
    expect(declaredCharset(head)).toBe(charset);
  });
});

describe('charsetOfLabel', () => {
  it.each([
    ['ISO-8859-1', 'windows-1252'],
    ['ascii', 'windows-1252'],
    ['GB2312', 'gbk'],
    ['iso-8859-9', 'windows-1254'],
    ['utf8', 'utf-8'],
    ['Klingon', 'klingon'],
  ])('knows the label %s', (label, charset) => {
    expect(charsetOfLabel(label)).toBe(charset);
  });

  it('names a supported encoding for every label of the standard', () => {
    const labels =
      'ibm866 iso-8859-2 iso-8859-8-i iso-8859-15 koi8-r koi8-u macintosh windows-874 x-mac-cyrillic gbk gb18030 big5 euc-jp shift_jis euc-kr utf-16be';
    for (const label of labels.split(' '))
      expect(iconv.encodingExists(charsetOfLabel(label)), label).toBe(true);
  });
});

describe('windows-1252', () => {
  it('has a character for every byte, including those of Windows encodings', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const decoded = await decode(bytes, 'html', 'latin1');
    const { text } = decoded;
    expect(decoded.encode(text)).toEqual(bytes);
    expect(decoded.encodable(text)).toBe(true);
    for (const [i, character] of Array.from(iconv.decode(bytes, 'windows-1252')).entries())
      expect(text[i]).toBe(character === '\ufffd' ? String.fromCharCode(i) : character);
    for (const character of 'ƀ‑č😀') expect(decoded.encodable(character)).toBe(false);
  });
});

describe('hostile pages', () => {
  it.each<[string, string]>([
    ['nested elements', '<div>'.repeat(100_000)],
    [
      'formatting elements',
      Array.from({ length: 30_000 }, (_, i) => `<b id=${i}>`).join('') + '<p>x</p>'.repeat(9),
    ],
    ['length', 'x'.repeat(11_000_000)],
  ])('that are too large are refused: %s', (_, html) => {
    expect(() => readPage(html)).toThrow(expect.objectContaining({ code: 'limit_exceeded' }));
  });

  it.each<[string, string]>([
    ['openings', '<'.repeat(300_000)],
    ['template openings', '<% '.repeat(100_000)],
    ['braces', '{{'.repeat(150_000)],
    ['references', '&a'.repeat(150_000)],
    ['tags in one sentence', 'a <b>b</b> '.repeat(20_000)],
    ['lines', `<pre>${'a {{b}}\n'.repeat(30_000)}`],
  ])('of 300 kB take little time: %s', (_, html) => {
    const started = processorTime();
    for (const block of readPage(html).blocks) blockValueOf(block, html);
    expect(processorTime() - started).toBeLessThan(5000);
  });
});
