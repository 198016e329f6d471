import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const PSEUDO = ['-s', 'en', '--engine', 'pseudo'];
const PAGE = '<!DOCTYPE html>\r\n<P title="Tip">Hello <b>world</b>!</P>\r\n<script>run("Hello")</script>';
const FRENCH = '<!DOCTYPE html>\r\n<P title="Tip">Ĥéļļö <b>ŵöŕļð</b>!</P>\r\n<script>run("Hello")</script>';
/** An engine that returns no answer for texts with the word `Bad`. */
const FAILING = `process.stdin.on('data',d=>{for(const l of String(d).trim().split('\\n')){const {id,texts}=JSON.parse(l);console.log(JSON.stringify({id,translations:texts.map(t=>t.includes('Bad')?null:t.toUpperCase().replaceAll('<X ID','<x id').replaceAll('</X','</x'))}))}})`;

describe('html', () => {
  it('translates standard input to standard output, byte for byte', async () => {
    const result = await dragoman(['html', '-t', 'fr', ...PSEUDO], { stdin: PAGE });
    expect(result).toEqual({ exitCode: 0, stdout: FRENCH, stderr: '' });
  });

  it('translates a file to standard output, with attributes on request', async () => {
    const cwd = projectWith({ 'a.html': PAGE });
    const result = await dragoman(['html', 'a.html', '-t', 'fr', '--attributes', ...PSEUDO], { cwd });
    expect(result.stdout).toBe(FRENCH.replace('Tip', 'Ţîþ'));
  });

  it('answers in the shape of the specification', async () => {
    const { stdout } = await dragoman(['html', '-t', 'fr', '--json', ...PSEUDO], { stdin: PAGE });
    expect(JSON.parse(stdout)).toEqual({ html: FRENCH });
  });

  it('writes {name}.{lang}.html for several targets, next to the source or in a directory', async () => {
    const cwd = projectWith({ 'a.html': PAGE, 'b.htm': PAGE });
    const beside = await dragoman(['html', 'a.html', '-t', 'fr,es', ...PSEUDO], { cwd });
    expect(beside.exitCode, beside.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'a.fr.html'), 'utf8')).toBe(FRENCH);
    expect(existsSync(join(cwd, 'a.es.html'))).toBe(true);
    const again = await dragoman(['html', 'a.html', '-t', 'fr,es', ...PSEUDO], { cwd });
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    const out = await dragoman(['html', 'a.html', 'b.htm', '-t', 'fr', '-o', 'out', '--json', ...PSEUDO], {
      cwd,
    });
    const { files } = JSON.parse(out.stdout) as { files: { path: string; text_nodes: number }[] };
    expect(files.map(({ path }) => path)).toEqual([join(cwd, 'out/a.fr.html'), join(cwd, 'out/b.fr.htm')]);
    expect(files.map((file) => file.text_nodes)).toEqual([3, 3]);
  });

  it('translates the readable pages, and ends with 7 for the others', async () => {
    const cwd = projectWith({ 'a.html': PAGE, 'bad.html': Buffer.from([0x3c, 0x70, 0x3e, 0xc3]) });
    const result = await dragoman(['html', 'bad.html', 'a.html', 'none.html', '-t', 'fr', ...PSEUDO], {
      cwd,
    });
    expect(result).toMatchObject({ exitCode: 7, stdout: 'a.fr.html\n' });
    expect(result.stderr).toMatch(/bad\.html:1:4: [^]*none\.html/);
  });

  it('writes one page to the given file', async () => {
    const cwd = projectWith({ 'a.html': PAGE });
    const result = await dragoman(['html', 'a.html', '-t', 'fr', '-o', 'fr/index.html', ...PSEUDO], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'fr/index.html'), 'utf8')).toBe(FRENCH);
  });

  it.each(['iso-8859-1', 'us-ascii', 'ISO_8859-1'])(
    'reads and writes %s as browsers do: windows-1252',
    async (name) => {
      const head = `<meta charset="${name}"><p>`;
      const stdin = Buffer.from(`${head}\x93Caf\xe9\x94 \x80 5 \x8d</p>`, 'latin1');
      const cwd = temporaryDirectory();
      // The engine receives the quotes as words, and characters that the encoding lacks become references.
      const args = ['-', '-t', 'fr', '-o', 'out.html', '--json', ...PSEUDO];
      const { exitCode, stderr } = await dragoman(['html', ...args], { cwd, stdin });
      expect(exitCode, stderr).toBe(0);
      const expected = `${head}\x93\xc7\xe5\x83\xe9\x94 \x80 5 \x8d</p>`;
      expect(readFileSync(join(cwd, 'out.html'), 'latin1')).toBe(expected);
    },
  );

  it('--encoding overrides the encoding that a page declares', async () => {
    const page = (word: string): Buffer => Buffer.from(`<meta charset="utf-8"><p>${word}`, 'latin1');
    // windows-1251: "Да, the boat"
    const stdin = page('\xc4\xe0, the boat');
    const result = await dragoman(['html', '-t', 'fr', ...PSEUDO], { stdin });
    expect(result).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--encoding') });
    const cwd = temporaryDirectory();
    const args = ['-', '-t', 'fr', '-o', 'out.html', '--encoding', 'windows-1251', ...PSEUDO];
    expect(await dragoman(['html', ...args], { cwd, stdin })).toMatchObject({ exitCode: 0 });
    const written = readFileSync(join(cwd, 'out.html'));
    expect(written).toEqual(page('\xc4\xe0, &#355;&#293;&#233; &#384;&#246;&#229;&#355;'));
    const unknown = await dragoman(['html', '-t', 'fr', '--encoding', 'klingon', ...PSEUDO], { stdin });
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('klingon') });
  });

  it('keeps the declared encoding of a page; missing characters become references', async () => {
    const cwd = projectWith({});
    const head = '<meta charset="windows-1252"><p>';
    writeFileSync(join(cwd, 'a.html'), Buffer.from(`${head}Caf\xe9 went`, 'latin1'));
    const result = await dragoman(['html', 'a.html', '-t', 'fr', '-o', 'b.html', ...PSEUDO], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    const text = readFileSync(join(cwd, 'b.html'), 'latin1');
    expect(text).toBe(`${head}\xc7\xe5\x83\xe9 &#373;\xe9\xf1&#355;`);
  });

  it('detects the language from the words of the page', async () => {
    const stdin = '<p>Das ist ein <b>Satz</b> in deutscher Sprache.</p>';
    const { exitCode, stderr } = await dragoman(['html', '-t', 'fr', '--engine', 'pseudo'], { stdin });
    expect(exitCode, stderr).toBe(0);
  });

  it('reports failures with their position, keeps their source and ends with 7', async () => {
    const cwd = projectWith({ 'a.html': '<p>Good</p>\n<p>  Bad</p>', 'engine.cjs': FAILING });
    const engine = ['-s', 'en', '--engine-command', `node ${join(cwd, 'engine.cjs')}`];
    const result = await dragoman(['html', 'a.html', '-t', 'fr', ...engine], { cwd });
    expect(result).toMatchObject({ exitCode: 7, stdout: '<p>GOOD</p>\n<p>  Bad</p>' });
    expect(result.stderr).toMatch(/a\.html:2:6: /);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ['50 MB', 'x'.repeat(50_000_000), /standard input:1:1: .*10 MiB/],
    ['100,000 nested elements', '<div>'.repeat(100_000), /standard input:1:\d+: elements nest deeper/],
    ['truncated UTF-8', Buffer.from([0x3c, 0x70, 0x3e, 0xc3]), /standard input:1:4: .*UTF-8/],
  ])('refuses %s', async (_, stdin, message) => {
    const result = await dragoman(['html', '-t', 'fr', ...PSEUDO], { stdin });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(message);
  });

  it('does not wait for a page on a terminal, and shows two examples in its help', async () => {
    expect((await dragoman(['html', '-t', 'fr', ...PSEUDO], { tty: true })).exitCode).toBe(2);
    const { stdout } = await dragoman(['html', '--help']);
    expect(stdout.match(/\$ dragoman html /g)).toHaveLength(2);
  });
});
