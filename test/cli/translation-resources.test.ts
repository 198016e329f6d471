import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, temporaryDirectory, type Result } from './harness.ts';

/** Writes its name before every text, and records how many texts it received. */
const ENGINE = `
const { appendFileSync } = require('node:fs');
const [name, log] = process.argv.slice(2);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  appendFileSync(log, line + '\\n');
  process.stdout.write(JSON.stringify({ id, translations: texts.map((text) => name + ' ' + text) }) + '\\n');
});
`;

interface Asked {
  readonly texts: readonly string[];
  readonly hints?: readonly { readonly similar?: readonly { readonly translation: string }[] }[];
  readonly terms?: readonly object[];
  readonly formality?: string;
}

class Project {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) {
    this.root = projectWith({ 'engine.cjs': ENGINE, ...files });
    this.env = env;
  }

  run(command: string, ...rest: readonly string[]): Promise<Result> {
    return dragoman([...command.split(' '), ...rest], { cwd: this.root, env: this.env });
  }

  /** Runs a command with an engine that writes its name into translations. */
  with(engine: string, command: string, ...rest: readonly string[]): Promise<Result> {
    const program = `${process.execPath} ${join(this.root, 'engine.cjs')} ${engine} ${this.#log(engine)}`;
    return this.run(command, '--engine-command', program, ...rest);
  }

  asked(engine: string): readonly Asked[] {
    const log = this.#log(engine);
    if (!existsSync(log)) return [];
    return readFileSync(log, 'utf8').trim().split('\n').map(parse);
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), 'utf8');
  }

  #log(engine: string): string {
    return join(this.root, `asked-${engine}`);
  }
}

function parse(line: string): Asked {
  const value: Asked = JSON.parse(line);
  return value;
}

function project(files: Readonly<Record<string, string>>, cache = temporaryDirectory()): Project {
  return new Project(files, { XDG_CACHE_HOME: cache });
}

const SYNC = 'sync locales -s en -t es';

describe('the translation memory of commands', () => {
  it('is shared by all projects: another engine in another project is not even started', async () => {
    const cache = temporaryDirectory();
    const first = project({ 'locales/en.json': '{"a":"Save {name}","b":"Open"}' }, cache);
    expect((await first.with('A', SYNC)).stderr).toContain('translated by exec');
    const second = project({ 'locales/en.json': '{"x":{"y":"Open"},"z":"Save {name}"}' }, cache);
    const { stderr, exitCode } = await second.with('B', SYNC);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('translated by memory')]);
    expect(second.read('locales/es.json')).toBe('{"x":{"y":"A Open"},"z":"A Save {name}"}');
    expect(second.asked('B')).toEqual([]);
  });

  it('is off with --no-memory and for pseudo-translations', async () => {
    const cache = temporaryDirectory();
    await project({ 'locales/en.json': '{"a":"Open"}' }, cache).run(`${SYNC} --engine pseudo`);
    expect(existsSync(join(cache, 'dragoman', 'memory.db'))).toBe(false);
    await project({ 'locales/en.json': '{"a":"Open"}' }, cache).with('A', SYNC);
    const other = project({ 'locales/en.json': '{"a":"Open"}' }, cache);
    await other.with('B', `${SYNC} --no-memory`);
    expect(other.read('locales/es.json')).toBe('{"a":"B Open"}');
    const layout = project({ 'locales/en.json': '{"a":"Open"}' }, cache);
    await layout.run(`${SYNC} --engine pseudo`);
    expect(layout.read('locales/es.json')).toBe('{"a":"Öþéñ"}');
  });

  it('stores single texts only if the memory is named', async () => {
    const cache = temporaryDirectory();
    const one = project({ 'letter.html': '<p>Open</p>' }, cache);
    await one.with('A', 'translate -s en -t es', 'Open');
    await one.with('A', 'html letter.html -s en -t es');
    expect(existsSync(join(cache, 'dragoman', 'memory.db'))).toBe(false);
    await one.with('A', 'translate -s en -t es --memory own.db', 'Open');
    const { stdout } = await one.with('B', 'html letter.html -s en -t es --memory own.db');
    expect(stdout).toBe('<p>A Open</p>');
  });

  it('does not stop a sync if it is unusable, and is not changed', async () => {
    const damaged = project({ 'locales/en.json': '{"a":"Open"}', 'own.db': 'no database at all' });
    const { stderr, exitCode } = await damaged.with('A', `${SYNC} --memory own.db`);
    expect(exitCode).toBe(0);
    expect(stderr.match(/continuing without the translation memory: .*own\.db/g)).toHaveLength(1);
    expect(damaged.read('locales/es.json')).toBe('{"a":"A Open"}');
    expect(damaged.read('own.db')).toBe('no database at all');
  });

  it('appears in status and in a dry run, which do not create it', async () => {
    const cache = temporaryDirectory();
    const fresh = project({ 'locales/en.json': '{"a":"Open"}' }, cache);
    expect((await fresh.run('status locales -s en -t es')).stdout).not.toContain('in memory');
    expect(existsSync(join(cache, 'dragoman', 'memory.db'))).toBe(false);
    const text = 'Open the selected file in a new window';
    await project({ 'locales/en.json': JSON.stringify({ a: 'Open', b: text }) }, cache).with('A', SYNC);
    const next = project(
      { 'locales/en.json': JSON.stringify({ k: { a: 'Open', b: text.replace('new', 'big') } }, null, 1) },
      cache,
    );
    const { stdout } = await next.run('status locales -s en -t es --similar');
    expect(stdout).toMatch(/in memory\nes .* 1\n/);
    expect(stdout).toMatch(
      /en\.json:4:\d+: k\.b \(es\): \d\d % like "Open the selected file in a new window": "A Open/,
    );
    const json: unknown = JSON.parse((await next.run('status locales -s en -t es --similar --json')).stdout);
    expect(json).toMatchObject({
      projects: [{ languages: [{ memory: { exact: 1, similar: [{ key: ['k', 'b'] }] } }] }],
    });
    expect((await next.run(`${SYNC} --dry-run`)).stdout).toMatch(/in memory\nes .* 1\n/);
    await next.with('B', SYNC);
    expect(next.asked('B')[0]?.hints?.[0]?.similar).toMatchObject([{ translation: `A ${text}` }]);
  });
});

describe('the glossary and formality of commands', () => {
  const GLOSSARY = 'term,es,dnt\nAcme Cloud,,yes\nhouse,casa|vivienda,\n';

  it('are found next to the files, or come from a flag or the configuration', async () => {
    const beside = project({ 'glossary.csv': GLOSSARY });
    const { stdout } = await beside.with('A', 'translate -s en -t es --formality formal', 'Acme Cloud house');
    expect(stdout).toBe('A Acme Cloud house\n');
    expect(beside.asked('A')[0]).toMatchObject({
      texts: ['<x id="1"/> house'],
      terms: [{ term: 'house', translation: 'casa' }],
      formality: 'formal',
    });
    const configured = project({
      'words.csv': GLOSSARY,
      'locales/en.json': '{"a":"Our house"}',
      'dragoman.config.yaml': 'source: en\ntargets: [es]\nglossary: words.csv\nformality: {es: informal}\n',
    });
    const { stderr, exitCode } = await configured.with('A', 'sync');
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/en\.json:1:\d+: a .*casa/)]);
    expect(configured.asked('A')[0]).toMatchObject({ formality: 'informal' });
    await configured.with('B', 'translate -s en -t es --no-glossary', 'Our house');
    expect(configured.asked('B')[0]).not.toHaveProperty('terms');
  });

  it('also apply to a given directory', async () => {
    const named = project({ 'glossary.csv': GLOSSARY, 'locales/en.json': '{"a":"Acme Cloud is here"}' });
    await named.with('A', SYNC);
    expect(named.asked('A')[0]?.texts).toEqual(['<x id="1"/> is here']);
  });

  it('are refused for a service that gets whole texts', async () => {
    const there = project({ 'glossary.csv': GLOSSARY, 'a.html': '<p>Hello</p>' });
    writeFileSync(join(there.root, 'key'), 'none');
    for (const [command, flag] of [
      ['translate -s en -t es Hello', '--glossary glossary.csv'],
      ['html a.html -s en -t es', '--formality formal'],
      ['translate -s en -t es Hello', '--memory own.db'],
    ] as const) {
      const { exitCode, stderr } = await there.run(
        `${command} ${flag} --base-url http://127.0.0.1:9 --api-key-file key`,
      );
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining(`${flag.split(' ')[0]} requires an engine`),
      ]);
    }
  });
});
