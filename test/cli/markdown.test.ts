import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const PSEUDO = ['-s', 'en', '--engine', 'pseudo'];
const SOURCE = '---\ntitle: Guide\nslug: guide\n---\n\n# Read *this*\r\n\n- [x] Run `npm i` [now](a.md).\n';
const FRENCH = '---\ntitle: Ĝûîðé\nslug: guide\n---\n\n# Ŕéåð *ţĥîš*\r\n\n- [x] Ŕûñ `npm i` [ñöŵ](a.md).\n';
/** An engine that answers in Chinese, moves the full stop inside the strong text, and loses nothing. */
const CHINESE = `process.stdin.on('data',d=>{for(const l of String(d).trim().split('\\n')){const {id,texts}=JSON.parse(l);console.log(JSON.stringify({id,translations:texts.map(t=>t.replace(/ ?(<[^>]*>) ?/g,'$1').replace(/[a-z. ]+(?![^<]*>)/gi,m=>/[a-z]/i.test(m)?'词。':m))}))}})`;

describe('markdown', () => {
  it('translates standard input to standard output, and keeps every other byte', async () => {
    const result = await dragoman(['markdown', '-t', 'fr', ...PSEUDO], { stdin: SOURCE });
    expect(result).toEqual({ exitCode: 0, stdout: FRENCH, stderr: '' });
  });

  it('translates a directory into another, and does not take results as sources', async () => {
    const cwd = projectWith({
      'docs/a.md': SOURCE,
      'docs/b/c.mdx': '# Hi {name}\n\n<A title="Tip" b="c" />\n',
    });
    const args = ['markdown', 'docs', '-t', 'fr', '-o', 'out', '--json', ...PSEUDO];
    const { stdout, exitCode, stderr } = await dragoman(args, { cwd });
    expect(exitCode, stderr).toBe(0);
    const { files } = JSON.parse(stdout) as { files: { path: string; texts: number }[] };
    expect(files.map(({ path, texts }) => [path, texts])).toEqual([
      [join(cwd, 'out/a.fr.md'), 3],
      [join(cwd, 'out/b/c.fr.mdx'), 2],
    ]);
    expect(readFileSync(join(cwd, 'out/a.fr.md'), 'utf8')).toBe(FRENCH);
    expect(readFileSync(join(cwd, 'out/b/c.fr.mdx'), 'utf8')).toBe(
      '# Ĥî {name}\n\n<A title="Ţîþ" b="c" />\n',
    );
    await dragoman(['markdown', 'docs', '-t', 'fr', ...PSEUDO], { cwd });
    const again = await dragoman(['markdown', 'docs', '-t', 'fr', '--force', ...PSEUDO], { cwd });
    expect(again.stdout.trim().split('\n')).toHaveLength(2);
  });

  it('does not take translations in a language’s directory as sources', async () => {
    const page = '# Page\n';
    const cwd = projectWith({
      'docs/a.md': page,
      'docs/fr/a.md': page,
      'docs/fr/only.md': page,
      'docs/en/b.md': page,
      'docs/fr/b.md': page,
      'docs/it/about-it.md': page,
    });
    const listed = async (language: string): Promise<readonly string[]> => {
      const args = ['markdown', 'docs', '-t', language, '--dry-run', '--json', ...PSEUDO];
      const { stdout } = await dragoman(args, { cwd });
      const { files } = JSON.parse(stdout) as { files: { source: string }[] };
      return files.map(({ source }) => source.slice(cwd.length + 1));
    };
    const sources = ['docs/a.md', 'docs/en/b.md', 'docs/fr/only.md', 'docs/it/about-it.md'];
    expect(await listed('fr')).toEqual(sources);
    expect(await listed('it')).toContain('docs/it/about-it.md');
  });

  it('changes links to lead to translations only with --links', async () => {
    const page =
      'See [it](b/c.md#x), [two][r], [none](d.md) and [the web](https://e.f/b/c.md).\n\n[r]: ../b.md\n';
    const cwd = projectWith({ 'docs/a.md': page, 'docs/b/c.md': 'Back to [a](../a.md).\n', 'b.md': 'B\n' });
    const run = async (...args: string[]): Promise<string> => {
      const result = await dragoman(['markdown', '-t', 'fr', ...PSEUDO, ...args], { cwd });
      expect(result.exitCode, result.stderr).toBe(0);
      return result.stdout;
    };
    const addresses = (text: string): readonly string[] =>
      [...text.matchAll(/\]\(([^)]*)\)|\]: (.*)/g)].map(([, a, b]) => a ?? b ?? '');
    const own = ['b/c.md#x', 'd.md', 'https://e.f/b/c.md', '../b.md'];
    expect(addresses(await run('docs/a.md'))).toEqual(own);
    // There is no translation, and none is created.
    expect(addresses(await run('docs/a.md', '--links'))).toEqual(own);
    await run('docs', '-o', 'out', '--links');
    const read = (name: string): readonly string[] => addresses(readFileSync(join(cwd, name), 'utf8'));
    expect(read('out/a.fr.md')).toEqual(['b/c.fr.md#x', ...own.slice(1)]);
    expect(read('out/b/c.fr.md')).toEqual(['../a.fr.md']);
    await run('b.md', 'docs/b/c.md', '--links');
    expect(addresses(await run('docs/a.md', '--links'))).toEqual([
      'b/c.fr.md#x',
      'd.md',
      'https://e.f/b/c.md',
      '../b.fr.md',
    ]);
  });

  it('reports the position of unreadable front matter, and translates the rest', async () => {
    const cwd = projectWith({
      'a.md': '---\r\ntitle: A: b\r\n---\r\n\r\nText\r\n',
      'b.md': '+++\na =\n+++\nText\n',
    });
    const yaml = await dragoman(['markdown', 'a.md', '-t', 'fr', ...PSEUDO], { cwd });
    expect(yaml).toMatchObject({ exitCode: 0, stdout: '---\r\ntitle: A: b\r\n---\r\n\r\nŢéẋţ\r\n' });
    expect(yaml.stderr).toContain('a.md:2:8: warning: the settings above the document are not valid YAML');
    const toml = await dragoman(['markdown', 'b.md', '-t', 'fr', ...PSEUDO], { cwd });
    expect(toml.stderr).toContain('b.md:3:1: warning: the settings above the document are not valid TOML');
  });

  it('reads MDX if requested, and reports the place of invalid MDX', async () => {
    const cwd = projectWith({ 'a.md': 'import { A } from "b"\n\nText\n', 'b.mdx': '# A\n\n{b\n' });
    const markdown = await dragoman(['markdown', 'a.md', '-t', 'fr', '--mdx', ...PSEUDO], { cwd });
    expect(markdown.stdout).toBe(
      'import { A } from "b"\n\nŢéхţ\n'.replace('х', 'х').replace('Ţéхţ', markdown.stdout.slice(23, -1)),
    );
    const broken = await dragoman(['markdown', 'b.mdx', '-t', 'fr', ...PSEUDO], { cwd });
    expect(broken.exitCode).toBe(2);
    expect(broken.stderr).toContain('b.mdx:4:1: this is not MDX');
  });

  it('translates the words between the marks if the answer has lost the emphasis', async () => {
    const cwd = projectWith({ 'engine.mjs': CHINESE });
    const result = await dragoman(
      [
        'markdown',
        '-s',
        'en',
        '-t',
        'zh',
        '--engine',
        'exec',
        '--engine-command',
        `node ${join(cwd, 'engine.mjs')}`,
      ],
      { stdin: 'One **bold word.** Then more.\n', cwd },
    );
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stdout).toMatch(/^词。 \*\*词。\*\* 词。\n$/);
  });
});
