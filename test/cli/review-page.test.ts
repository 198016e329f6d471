import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pack } from '../../src/review/protocol.ts';
import { dragoman, projectWith } from './harness.ts';

const FILES = {
  'locales/en.json': '{"open": "Open", "bye": "Bye {name}", "none": "Nothing"}',
  'locales/es.json': '{"open": "Abrir", "bye": "Adiós {name}"}',
  'locales/fr.json': '{"open": "Ouvrir"}',
};
const LANGUAGES = ['-s', 'en', '-t', 'es'];

function packIn(file: string): Pack {
  const [, json = ''] = /id="dragoman-pack">([^<]*)</.exec(readFileSync(file, 'utf8')) ?? [];
  return JSON.parse(json) as Pack;
}

describe('dragoman review --to', () => {
  it('writes the chosen texts into one page, and prints what it contains', async () => {
    const root = projectWith(FILES);
    const result = await dragoman(['review', '--to', 'es.html', ...LANGUAGES, '--json'], { cwd: root });
    expect(result).toMatchObject({ exitCode: 0 });
    const pack = packIn(join(root, 'es.html'));
    expect(JSON.parse(result.stdout)).toMatchObject({ texts: 3, files: 1, target_langs: ['es'] });
    expect(pack.rows.map(({ key, forms }) => [key, forms[0]?.translation])).toEqual([
      ['open', 'Abrir'],
      ['bye', 'Adiós {name}'],
      ['none', undefined],
    ]);
    expect(pack.files).toEqual([{ path: 'locales/en.json', format: 'json', framework: 'plain' }]);
    // The page does not reveal the project's location.
    expect(readFileSync(join(root, 'es.html'), 'utf8')).not.toContain(join(root, '..'));
  });

  it('selects texts by state and by file', async () => {
    const root = projectWith({ ...FILES, 'more/en.json': '{"x": "X-ray"}', 'more/es.json': '{}' });
    const write = async (...flags: readonly string[]): Promise<readonly string[]> => {
      const argv = ['review', '--to', 'es.html', '--force', ...LANGUAGES, ...flags];
      expect(await dragoman(argv, { cwd: root })).toMatchObject({ exitCode: 0 });
      return packIn(join(root, 'es.html')).rows.map(({ key }) => key);
    };
    expect(await write('--state', 'initial')).toEqual(['none', 'x']);
    expect(await write('--in', 'more/**')).toEqual(['x']);
    const argv = ['review', '--to', 'none.html', ...LANGUAGES, '--state', 'final'];
    const nothing = await dragoman(argv, { cwd: root });
    expect(nothing.exitCode).toBe(1);
    expect(nothing.stderr).toContain('no text matches');
  });

  it('includes the terms of its texts and, on request, similar texts from the memory', async () => {
    const root = projectWith({ ...FILES, 'glossary.csv': 'term,es\nBye,Chao\nUnused,Nada\n' });
    const memory = ['--memory', join(root, 'memory.db')];
    writeFileSync(join(root, 'other.csv'), 'en,es\nOpen,Abra\n');
    await dragoman(['memory', 'import', 'other.csv', ...memory], { cwd: root });
    const contextsWith = async (...flags: readonly string[]): Promise<readonly unknown[]> => {
      const argv = ['review', '--to', 'es.html', '--force', ...LANGUAGES, ...memory, ...flags, '--json'];
      const result = await dragoman(argv, { cwd: root });
      expect(result).toMatchObject({ exitCode: 0 });
      const { rows, contexts = {} } = packIn(join(root, 'es.html'));
      expect(JSON.parse(result.stdout)).toMatchObject({ similar: flags.length > 0 ? 1 : 0 });
      return rows.map(({ id }) => contexts[id]);
    };
    const terms = [{ term: 'Bye', translations: ['Chao'], isCaseSensitive: false }];
    expect(await contextsWith()).toEqual([undefined, { terms }, undefined]);
    const similar = [[{ source: 'Open', translation: 'Abra', similarity: 1 }]];
    expect(await contextsWith('--with', 'similar')).toEqual([{ similar }, { terms }, undefined]);
  });

  it('refuses an unreadable default glossary, and uses a named one or none', async () => {
    const root = projectWith({
      ...FILES,
      'glossary.csv': 'word;meaning\n',
      'terms.csv': 'term,es\nBye,Chao\n',
    });
    const write = (...flags: readonly string[]) =>
      dragoman(['review', '--to', 'es.html', '--force', ...LANGUAGES, ...flags], { cwd: root });
    const refused = await write();
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('DRAGOMAN_GLOSSARY=off ignores it');
    expect(await write('--no-glossary')).toMatchObject({ exitCode: 0 });
    expect(packIn(join(root, 'es.html')).contexts).toEqual({});
    expect(await write('--glossary', 'terms.csv')).toMatchObject({ exitCode: 0 });
    const terms = [{ term: 'Bye', translations: ['Chao'], isCaseSensitive: false }];
    expect(Object.values(packIn(join(root, 'es.html')).contexts ?? {})).toEqual([{ terms }]);
  });

  it('includes the screenshots of its texts on request', async () => {
    const png = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
    const root = projectWith({ ...FILES, 'dragoman.config.json': '{"review": {"screenshots": "shots"}}' });
    mkdirSync(join(root, 'shots'));
    for (const name of ['open.png', 'unused.png']) writeFileSync(join(root, 'shots', name), png);
    const argv = ['review', '--to', 'es.html', '--force', ...LANGUAGES, '--json'];
    const without = await dragoman(argv, { cwd: root });
    expect(JSON.parse(without.stdout)).toMatchObject({ screenshots: 0 });
    const result = await dragoman([...argv, '--with', 'screenshots'], { cwd: root });
    expect(JSON.parse(result.stdout)).toMatchObject({ screenshots: 1 });
    const { rows, contexts, screenshots } = packIn(join(root, 'es.html'));
    expect(screenshots).toEqual({ 'open.png': { type: 'image/png', base64: png.toString('base64') } });
    expect(contexts).toEqual({ [rows[0]?.id ?? '']: { screenshots: ['open.png'] } });
  });

  it('replaces files only with --force, and accepts its options only with --to', async () => {
    const root = projectWith(FILES);
    writeFileSync(join(root, 'es.html'), 'mine');
    const kept = await dragoman(['review', '--to', 'es.html', ...LANGUAGES], { cwd: root });
    expect(kept.exitCode).toBe(2);
    expect(readFileSync(join(root, 'es.html'), 'utf8')).toBe('mine');
    const alone = await dragoman(['review', ...LANGUAGES, '--state', 'final'], { cwd: root });
    expect(alone.exitCode).toBe(2);
    expect(alone.stderr).toContain('--to');
    const printed = await dragoman(['review', '--to', '-', ...LANGUAGES], { cwd: root });
    expect(printed).toMatchObject({ exitCode: 2, stdout: '' });
    expect(printed.stderr).toContain('the page cannot go to standard output');
  });

  it('refuses more than 20 MB', async () => {
    const long = 'word '.repeat(15_000).trim();
    const texts = Object.fromEntries(Array.from({ length: 280 }, (_, i) => [`key${i}`, `${i} ${long}`]));
    const root = projectWith({ 'locales/en.json': JSON.stringify(texts), 'locales/es.json': '{}' });
    const result = await dragoman(['review', '--to', 'es.html', ...LANGUAGES], { cwd: root });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(/would be 2\d\.\d MB long; the limit is 20 MB/);
  });
});

/** The rows of a served page, while it runs. */
async function servedKeys(root: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const stop = new AbortController();
  let seen = '';
  let running = Promise.resolve({ exitCode: -1 });
  const address = await new Promise<string>((resolve) => {
    running = dragoman(['review', ...LANGUAGES, ...flags], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '' },
      signal: stop.signal,
      onStderr: (text) => {
        seen += text;
        const [address] = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(seen) ?? [];
        if (address !== undefined) resolve(address);
      },
    });
  });
  const url = new URL(address);
  const page = await fetch(url);
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).toContain('id="dragoman-pack">null<');
  const token = new URLSearchParams(url.hash.slice(1)).get('token');
  const exchanged = await fetch(new URL('/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin },
    body: JSON.stringify({ token }),
  });
  const { session } = (await exchanged.json()) as { session: string };
  const rows = await fetch(new URL('/rows', url), { headers: { 'x-dragoman-session': session } });
  const keys = ((await rows.json()) as Pack).rows.map(({ key }) => key);
  stop.abort();
  expect(await running).toMatchObject({ exitCode: 0 });
  return keys;
}

describe('dragoman review', () => {
  it('serves the page until it is interrupted', async () => {
    expect(await servedKeys(projectWith(FILES))).toEqual(['open', 'bye', 'none']);
  });

  it('serves texts of some files, and of those that a branch changed', async () => {
    const root = projectWith({ ...FILES, 'more/en.json': '{"x": "X-ray"}', 'more/es.json': '{}' });
    const user = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    for (const argv of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-q', '-m', 'all'],
    ])
      execFileSync('git', [...user, ...argv], { cwd: root });
    expect(await servedKeys(root, '--in', 'locales/**')).toEqual(['open', 'bye', 'none']);
    expect(await servedKeys(root, '--since', 'HEAD')).toEqual([]);
    writeFileSync(join(root, 'more/es.json'), '{"x": "Rayos"}');
    expect(await servedKeys(root, '--since', 'HEAD')).toEqual(['x']);
    const unknown = await dragoman(['review', ...LANGUAGES, '--since', 'nowhere'], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(unknown).toMatchObject({ exitCode: 2 });
    expect(unknown.stderr).toContain('git does not know the commit "nowhere"');
  });
});
