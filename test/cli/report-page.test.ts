import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, it } from 'vitest';
import type { ReportRow } from '../../src/cli/project/report-page/row.ts';
import { dragoman, projectWith, temporaryDirectory, type Invocation, type Result } from './harness.ts';

const PSEUDO = ['--engine', 'pseudo'];
const ARGS = ['-s', 'en', '-t', 'de', ...PSEUDO];

/** A page as an HTML parser sees it. */
class Page {
  readonly markup: string;
  readonly rows: readonly ReportRow[];
  readonly index: { files: { locale: string; source: string; target: string }[]; engines: string[] };
  readonly scripts: readonly string[] = [];
  readonly text: string;

  constructor(path: string) {
    this.markup = readFileSync(path, 'utf8');
    const data = new Map<string, string>();
    const scripts: string[] = [];
    const texts: string[] = [];
    const visit = (node: DefaultTreeAdapterTypes.Node): void => {
      if (node.nodeName === 'script' && 'attrs' in node) {
        const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
        const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
        if (attributes.get('type') === 'application/json') data.set(attributes.get('id') ?? '', text);
        else scripts.push(text);
        return;
      }
      if (node.nodeName === 'style') return;
      if ('value' in node) texts.push(node.value);
      if ('childNodes' in node) node.childNodes.forEach(visit);
    };
    visit(parse(this.markup));
    this.scripts = scripts;
    this.text = texts.join(' ').replace(/\s+/g, ' ');
    this.index = JSON.parse(data.get('index') ?? '') as Page['index'];
    const blocks = [...data].filter(([id]) => id.startsWith('rows-'));
    this.rows = blocks.flatMap(([, json]) => JSON.parse(json) as ReportRow[]);
  }
}

async function report(root: string, args: readonly string[], invocation: Invocation = {}): Promise<Result> {
  return dragoman([...args, '--report', 'out.html'], { cwd: root, ...invocation });
}

describe('sync --report', () => {
  it('writes the page, prints its path to stderr, and otherwise prints the same as without it', async () => {
    const files = { 'en.json': '{"a": "Save {name}", "b": "Open"}' };
    const [one, other] = [projectWith(files), projectWith(files)];
    const plain = await dragoman(['sync', other, ...ARGS]);
    const result = await report(one, ['sync', '.', ...ARGS]);
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stdout).toBe(plain.stdout);
    expect(result.stderr).toContain('report written to out.html\n');
    expect(readFileSync(join(one, 'de.json'))).toEqual(readFileSync(join(other, 'de.json')));
    expect(readdirSync(one).sort()).toEqual(['de.json', 'dragoman.lock', 'en.json', 'out.html']);
    const { rows, index } = new Page(join(one, 'out.html'));
    expect(index).toEqual({
      files: [{ locale: 'de', from: 'en', source: 'en.json', target: 'de.json', first: 0, blocks: 1 }],
      engines: ['pseudo'],
    });
    expect(rows).toMatchObject([
      {
        key: 'a',
        source: 'Save {name}',
        done: 'translated',
        by: 'pseudo',
        at: '1:7',
        code: [
          [5, 11],
          [5, 11],
        ],
      },
      { key: 'b', source: 'Open', done: 'translated', to: expect.stringMatching(/^1:\d+$/) as string },
    ]);
    expect(rows[0]?.value).toMatch(/\{name\}/);
  });

  it('is replaced by the next one, which lists the keys even if nothing changes', async () => {
    const root = projectWith({ 'en.json': '{"a": "Save"}' });
    await report(root, ['sync', '.', ...ARGS]);
    // The second run remembers the clean state, and the third uses it.
    const env = { XDG_CACHE_HOME: temporaryDirectory() };
    await report(root, ['sync', '.', ...ARGS], { env });
    const { exitCode, stderr } = await report(root, ['sync', '.', ...ARGS], { env });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('everything is up to date');
    const { rows, text } = new Page(join(root, 'out.html'));
    expect(rows).toEqual([expect.objectContaining({ key: 'a', source: 'Save' })]);
    expect(rows[0]).not.toHaveProperty('done');
    expect(text).toContain('after dragoman sync');
  });

  it('shows the results of check, dry runs and status, and changes nothing else', async () => {
    for (const [args, exitCode, title] of [
      [['sync', '.', '-s', 'en', '-t', 'de', '--frozen'], 8, 'sync --frozen found'],
      [['sync', '.', ...ARGS, '--dry-run'], 0, 'sync would find'],
      [['status', '.', '-s', 'en', '-t', 'de'], 0, 'status found'],
    ] as const) {
      const root = projectWith({ 'en.json': '{"a": "Save"}', 'de.json': '{"b": "Alt"}' });
      const result = await report(root, args);
      expect(result.exitCode, result.stderr).toBe(exitCode);
      const { rows, text } = new Page(join(root, 'out.html'));
      expect(text).toContain(title);
      expect(text).not.toContain('Now translated');
      expect(rows).toMatchObject([
        { key: 'a', status: 'missing', source: 'Save' },
        { key: 'b', status: 'extra', value: 'Alt' },
      ]);
      expect(readdirSync(root).sort()).toEqual(['de.json', 'en.json', 'out.html']);
    }
  });

  it('works with --json: one document, and the page', async () => {
    const root = projectWith({ 'en.json': '{"a": "Save"}' });
    const { stdout, stderr } = await report(root, ['sync', '.', ...ARGS, '--json']);
    expect(JSON.parse(stdout)).toHaveProperty('projects');
    expect(stderr).toContain('report written to');
    expect(new Page(join(root, 'out.html')).rows).toHaveLength(1);
  });

  it('shows projects by name, without their location', async () => {
    const root = temporaryDirectory();
    for (const name of ['shop', 'blog']) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'en.json'), '{"a": "Save"}');
      writeFileSync(join(root, name, 'dragoman.config.json'), '{"source": "en", "targets": ["de"]}');
    }
    const { exitCode } = await report(root, ['sync', 'shop', 'blog', ...PSEUDO]);
    expect(exitCode).toBe(0);
    const { index, text, markup } = new Page(join(root, 'out.html'));
    expect(index.files.map(({ source }) => source)).toEqual(['shop/en.json', 'blog/en.json']);
    expect(text).toContain('shop, blog, after dragoman sync');
    expect(markup).not.toContain(root);
  });

  it('explains why keys failed and which ones need attention', async () => {
    const program = `
      const lines = require('readline').createInterface({ input: process.stdin });
      lines.on('line', (line) => {
        const { id, texts } = JSON.parse(line);
        console.log(JSON.stringify({ id, translations: texts.map((t) => (t === 'Two' ? null : t.toLowerCase())) }));
      });`;
    const root = projectWith({ 'en.json': '{"a": "One", "b": "Two"}', 'engine.cjs': program });
    const command = `${process.execPath} ${join(root, 'engine.cjs')}`;
    const engine = ['--engine', 'exec', '--engine-command', command];
    const result = await report(root, ['sync', '.', '-s', 'en', '-t', 'de', ...engine]);
    expect(result.exitCode).toBe(7);
    const { rows } = new Page(join(root, 'out.html'));
    expect(rows).toMatchObject([
      { key: 'a', done: 'translated', value: 'one' },
      { key: 'b', done: 'failed', status: 'pending', value: 'Two', problems: [expect.any(String)] },
    ]);
  });

  it('reports unreadable files', async () => {
    const root = projectWith({ 'en.json': '{"a": "One"}', 'de.json': '{"a": ' });
    const result = await report(root, ['sync', '.', ...ARGS]);
    expect(result.exitCode).toBe(7);
    expect(new Page(join(root, 'out.html')).text).toMatch(/de\.json:1:\d+: /);
    // The counts of `status` would be wrong without the file, so it ends with 2; the page also shows the reason.
    expect((await report(root, ['status', '.', '-s', 'en', '-t', 'de'])).exitCode).toBe(2);
    expect(new Page(join(root, 'out.html')).text).toMatch(/status found .*de\.json:1:\d+: /);
  });

  it('contains the results so far when the run is interrupted', async () => {
    const controller = new AbortController();
    const program = `
      const lines = require('readline').createInterface({ input: process.stdin });
      lines.on('line', (line) => {
        const { id, target, texts } = JSON.parse(line);
        if (target === 'fr') require('fs').writeFileSync(${JSON.stringify('reached')}, '');
        else console.log(JSON.stringify({ id, translations: texts }));
      });`;
    const root = projectWith({ 'en.json': '{"a": "One"}', 'engine.cjs': program });
    const engine = [
      '--engine',
      'exec',
      '--engine-command',
      `cd '${root}' && '${process.execPath}' engine.cjs`,
    ];
    const run = report(root, ['sync', '.', '-s', 'en', '-t', 'de,fr,it', ...engine], {
      signal: controller.signal,
    });
    await expect.poll(() => existsSync(join(root, 'reached')), { timeout: 20_000 }).toBe(true);
    controller.abort();
    expect((await run).exitCode).toBe(130);
    const { rows, text, index } = new Page(join(root, 'out.html'));
    expect(text).toContain('The run was interrupted');
    expect(rows[0]).toMatchObject({ key: 'a', done: 'translated', value: 'One' });
    expect(index.files.map(({ locale }) => locale)).not.toContain('it');
  });

  it('is rewritten with each round of --watch', async () => {
    const controller = new AbortController();
    const root = projectWith({ 'en.json': '{"a": "One"}' });
    const run = report(root, ['sync', '.', ...ARGS, '--watch'], { signal: controller.signal });
    const keys = (): readonly string[] => {
      const path = join(root, 'out.html');
      return existsSync(path) ? new Page(path).rows.map(({ key, done }) => `${key} ${done}`) : [];
    };
    await expect.poll(keys, { timeout: 20_000 }).toEqual(['a translated']);
    // Watching begins after the first round: a change made too early is repeated.
    let round = 0;
    await expect
      .poll(
        () => {
          writeFileSync(join(root, 'en.json'), JSON.stringify({ a: 'One', b: `Two ${round++}` }));
          return keys();
        },
        { timeout: 20_000, interval: 400 },
      )
      .toEqual(['a undefined', 'b translated']);
    controller.abort();
    expect((await run).exitCode).toBe(130);
  });

  it('keeps the earlier page if there is no new result', async () => {
    const root = projectWith({ 'en.json': '{"a": "One"}' });
    await report(root, ['sync', '.', ...ARGS]);
    const before = readFileSync(join(root, 'out.html'), 'utf8');
    writeFileSync(join(root, 'en.json'), '{"a": "Two"}');
    const { exitCode } = await report(root, ['sync', '.', ...ARGS], { signal: AbortSignal.abort() });
    expect(exitCode).toBe(130);
    expect(readFileSync(join(root, 'out.html'), 'utf8')).toBe(before);
    expect(readdirSync(root).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('only overwrites a report, and checks that before the run', async () => {
    const root = projectWith({
      'en.json': '{"a": "One"}',
      'index.html': '<!doctype html><p>mine',
      'empty.html': '',
    });
    mkdirSync(join(root, 'directory'));
    for (const [path, message] of [
      ['index.html', 'not a report of dragoman'],
      ['en.json', 'not a report of dragoman'],
      ['directory', 'not a regular file'],
      ['missing/out.html', 'no directory'],
      ['en.json/out.html', 'no directory'],
      ['-', 'cannot go to standard output'],
    ] as const) {
      const { exitCode, stderr } = await dragoman(['sync', '.', ...ARGS, '--report', path], { cwd: root });
      expect(exitCode, path).toBe(2);
      expect(stderr).toContain(message);
      expect(existsSync(join(root, 'de.json'))).toBe(false);
    }
    expect(readFileSync(join(root, 'index.html'), 'utf8')).toBe('<!doctype html><p>mine');
    expect((await dragoman(['sync', '.', ...ARGS, '--report', 'empty.html'], { cwd: root })).exitCode).toBe(
      0,
    );
  });

  it('ends with an error when the page cannot be written, after all other work is done', async () => {
    const root = projectWith({ 'en.json': '{"a": "One"}' });
    // A directory is in the place of the page's temporary file.
    mkdirSync(join(root, '.out.html.dragoman-tmp'));
    const early = await report(root, ['sync', '.', ...ARGS]);
    expect(early.exitCode).toBe(1);
    expect(early.stderr).toContain('cannot write');
    // A device is not a file.
    symlinkSync('/dev/full', join(root, 'full.html'));
    const full = await dragoman(['sync', '.', ...ARGS, '--report', 'full.html'], { cwd: root });
    expect(full.exitCode).toBe(2);
    // The directory disappears during the work.
    const program = `
      const lines = require('readline').createInterface({ input: process.stdin });
      lines.on('line', (line) => {
        const { id, texts } = JSON.parse(line);
        require('fs').rmSync(${JSON.stringify(join(root, 'reports'))}, { recursive: true, force: true });
        console.log(JSON.stringify({ id, translations: texts }));
      });`;
    writeFileSync(join(root, 'engine.cjs'), program);
    const engine = [
      '--engine',
      'exec',
      '--engine-command',
      `${process.execPath} ${join(root, 'engine.cjs')}`,
    ];
    for (const json of [[], ['--json']]) {
      mkdirSync(join(root, 'reports'));
      writeFileSync(join(root, 'en.json'), JSON.stringify({ a: `One ${json.length}` }));
      const args = ['sync', '.', '-s', 'en', '-t', 'de', ...engine, ...json, '--report', 'reports/out.html'];
      const late = await dragoman(args, { cwd: root });
      expect(late.exitCode, late.stderr).toBe(1);
      expect(readFileSync(join(root, 'de.json'), 'utf8')).toContain(`One ${json.length}`);
      if (json.length === 0) expect(late.stderr).toContain('cannot write');
      else {
        const document = JSON.parse(late.stdout) as { projects: unknown[]; error: { code: string } };
        expect(document.projects).toHaveLength(1);
        expect(document.error.code).toBe('unwritable_output');
      }
    }
  });

  it('truncates very long values', async () => {
    const long = `${'x'.repeat(4999)}😀 ${'tail '.repeat(200_000)}`;
    const root = projectWith({ 'en.json': JSON.stringify({ a: long, b: 'Short {name}' }) });
    const { exitCode } = await report(root, ['sync', '.', ...ARGS]);
    expect(exitCode).toBe(0);
    const { rows, markup } = new Page(join(root, 'out.html'));
    expect(rows[0]?.source).toBe('x'.repeat(4999));
    expect(rows[0]?.cut?.[0]).toBe(long.length - 4999);
    expect(rows[0]?.value?.isWellFormed()).toBe(true);
    expect(rows[1]).not.toHaveProperty('cut');
    expect(markup.length).toBeLessThan(100_000);
  });

  it('does not execute values, and keeps each inside its element', async () => {
    const evil = {
      '</script><script>alert(1)</script>': '</script><img src=x onerror=alert(1)><!--<script>',
      '\u2028\u2029': '\u202eevil\u2066 \ud800 ]]> &lt;/script&gt;',
      '\'"`${x}': 'a"><svg onload=alert(1)>',
    };
    const root = projectWith({ 'en.json': JSON.stringify(evil) });
    // A translation must not contain half a character.
    expect((await report(root, ['sync', '.', ...ARGS])).exitCode).toBe(7);
    const { rows, scripts, markup } = new Page(join(root, 'out.html'));
    expect(rows.map(({ key }) => key)).toEqual(Object.keys(evil));
    expect(rows.map(({ source }) => source)).toEqual(Object.values(evil));
    expect(scripts).toHaveLength(1);
    expect(markup).not.toMatch(/<img|<svg|[\u2028\u2029\u202e\u2066]/);
    expect(markup.match(/<script/g)).toHaveLength(3);
  });

  it('escapes file names and engine messages in the tables', async () => {
    const name = '<b onclick=x>\u202e.json';
    const root = projectWith({ [`en/${name}`]: '{"a": "One"}', [`de/${name}`]: '{' });
    await report(root, ['sync', '.', ...ARGS]);
    const { markup, text } = new Page(join(root, 'out.html'));
    expect(markup).not.toContain('<b onclick');
    expect(markup).not.toContain('\u202e');
    expect(text).toContain('<b onclick=x>\\u202e.json');
  });

  it('does not contain a service’s key', async () => {
    const root = projectWith({ 'en.json': '{"a": "One"}' });
    const { exitCode } = await report(
      root,
      ['sync', '.', '-s', 'en', '-t', 'de', '--base-url', 'http://127.0.0.1:9'],
      {
        env: { DRAGOMAN_API_KEY: 'secret-key-of-a-service' },
      },
    );
    expect(exitCode).not.toBe(0);
    for (const name of readdirSync(root))
      expect(readFileSync(join(root, name), 'utf8')).not.toContain('secret-key');
  });
});
