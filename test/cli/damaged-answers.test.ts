import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAMAGES } from './damages.ts';
import { damagingProxy } from './damaging-proxy.ts';
import { dragoman, projectWith, type Result } from './harness.ts';
import { startService } from './service.ts';

const service = startService();
const EN_FR = ['-s', 'en', '-t', 'fr'];

/** Built once: reading the sources first would take five times as much processor time in every row. */
const directory = mkdtempSync(join(tmpdir(), 'dragoman-damaged-'));
const PROGRAM = join(directory, 'damaging-process.mjs');
beforeAll(async () => {
  const input = join(import.meta.dirname, 'damaging-process.ts');
  await build({ input, platform: 'node', output: { file: PROGRAM } });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const TEXT = 'Hello {name}, you have %s <i>new</i> messages';
const SRT = `1\n00:00:01,000 --> 00:00:02,000\n${TEXT}\n\n2\n00:00:03,000 --> 00:00:04,000\nGood morning\n`;
const FILES = {
  'texts.txt': `${TEXT}\nGood morning\n`,
  'page.html': `<!doctype html><p>${TEXT}</p><p>Good morning</p>`,
  'film.srt': SRT,
  'page.md': `# Good morning\n\nYou have <i>new</i> messages in \`inbox\`.\n`,
  'locales/en.json': JSON.stringify({ a: TEXT, b: 'Good morning' }),
  'app.json': JSON.stringify({ a: TEXT, b: 'Good morning' }),
};

/** The arguments of each operation, and the location of its result if it is not standard output. */
const OPERATIONS: Readonly<Record<string, { readonly argv: readonly string[]; readonly file?: string }>> = {
  translate: { argv: ['translate', ...EN_FR, TEXT] },
  batch: { argv: ['batch', 'texts.txt', ...EN_FR] },
  html: { argv: ['html', 'page.html', ...EN_FR, '-o', 'out.html'], file: 'out.html' },
  email: { argv: ['email', 'page.html', '--subject', TEXT, ...EN_FR] },
  subtitles: { argv: ['subtitles', 'film.srt', ...EN_FR, '-o', 'out.srt'], file: 'out.srt' },
  markdown: { argv: ['markdown', 'page.md', ...EN_FR, '-o', 'out.md'], file: 'out.md' },
  sync: { argv: ['sync', 'locales', ...EN_FR], file: 'locales/fr.json' },
  i18n: { argv: ['i18n', 'app.json', ...EN_FR, '-o', 'out.json'], file: 'out.json' },
};

interface Outcome extends Result {
  /** The result on standard output or in the file. */
  readonly written: string;
}

async function run(
  operation: string,
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = FILES,
): Promise<Outcome> {
  const { argv = [], file } = OPERATIONS[operation] ?? {};
  const cwd = projectWith(files);
  const result = await dragoman(argv, { cwd, env });
  if (file === undefined) return { ...result, written: result.stdout };
  try {
    return { ...result, written: readFileSync(join(cwd, file), 'utf8') };
  } catch {
    return { ...result, written: '' };
  }
}

async function throughProxy(
  operation: string,
  damage: Parameters<typeof damagingProxy>[1],
  files?: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const url = await damagingProxy(service.url, damage);
  return run(operation, { DRAGOMAN_BASE_URL: url, DRAGOMAN_API_KEY: service.key }, files);
}

function withEngine(operation: string, damage: string): Promise<Outcome> {
  const command = [process.execPath, PROGRAM, damage].map((part) => JSON.stringify(part)).join(' ');
  return run(operation, { DRAGOMAN_ENGINE: 'exec', DRAGOMAN_ENGINE_COMMAND: command });
}

/** The syntax in the result, in order. */
const syntaxIn = (text: string): readonly string[] => text.match(/\{\w+\}|%s|<\/?[a-z]+>|`\w+`/g) ?? [];

/** Changes for which a page is refused as a whole. Engines cannot make them, because they receive only texts. */
const OTHER_PAGES = new Set(['drops both ends of a tag', 'leaves an end tag', 'answers blanks']);

describe.each(Object.entries(DAMAGES))('a translator that %s', (name, damage) => {
  it.each(Object.keys(OPERATIONS))(
    '%s: a service is trusted no more than a local engine',
    async (operation) => {
      const local = await withEngine(operation, name);
      const remote = await throughProxy(operation, {
        text: (text) => (text.includes('<p>') ? text.replace(/(?<=<p>).+?(?=<\/p>)/g, damage) : damage(text)),
        file: (content) => content.replace(/(?<=": ?")[^"]*/g, damage),
      });
      const isPage = operation === 'html' || operation === 'email';
      if (isPage && OTHER_PAGES.has(name)) {
        expect(remote, remote.stderr).toMatchObject({ exitCode: 6, written: '' });
        return;
      }
      expect(remote.exitCode, remote.stderr).toBe(local.exitCode);
      expect(syntaxIn(remote.written)).toEqual(syntaxIn(local.written));
      expect(remote.written).not.toMatch(/nom|extra/);
      if (remote.exitCode !== 0) expect(remote.stderr).not.toBe('');
    },
  );
});

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž';

describe('a service that returns texts unchanged', () => {
  const PHRASES = Array.from({ length: 8 }, (_, i) => `Open the next file of folder ${i}`);
  const files = {
    'texts.txt': `${PHRASES.join('\n')}\n`,
    'page.html': PHRASES.map((text) => `<p>${text}</p>`).join(''),
    'film.srt': PHRASES.map((text, i) => `${i + 1}\n00:00:0${i},000 --> 00:00:0${i},900\n${text}.\n`).join(
      '\n',
    ),
    'locales/en.json': JSON.stringify(Object.fromEntries(PHRASES.map((text, i) => [`k${i}`, text]))),
    'app.json': JSON.stringify(Object.fromEntries(PHRASES.map((text, i) => [`k${i}`, text]))),
  };
  /** Undoes the letters of the service's pseudo engine. */
  const undo = (text: string): string =>
    text.replace(/[^\x00-\x7f]/gu, (letter) => LETTERS[ACCENTED.indexOf(letter)] ?? letter);

  it.each(['batch', 'html', 'sync', 'i18n'])('%s: reports unchanged texts', async (operation) => {
    const { exitCode, stderr } = await throughProxy(operation, { text: undo, file: undo }, files);
    expect(exitCode, stderr).toBe(7);
    expect(stderr).toMatch(/answer repeats the source|returned every text unchanged/);
  });
});

describe.each(['html', 'email'])('%s by a service', (operation) => {
  it.each(['renames a placeholder', 'drops a placeholder'])('that %s', async (name) => {
    const { exitCode, written, stderr } = await throughProxy(operation, { text: DAMAGES[name] });
    expect(exitCode, stderr).toBe(0);
    expect(written).toContain('{name}');
    expect(written).toContain('%s');
    expect(written).not.toContain('Good morning');
  });

  it('that adds a placeholder to every text: texts without a valid answer keep their source', async () => {
    const text = (page: string): string =>
      page.includes('<p>') ? page.replaceAll('</p>', ' {extra}</p>') : `${page} {extra}`;
    const { exitCode, written, stderr } = await throughProxy(operation, { text });
    expect(exitCode, stderr).toBe(7);
    expect(written).toContain('<p>Good morning</p>');
    expect(written).not.toContain('{extra}');
    expect(stderr).toContain('keeps its source text: {extra}');
  });

  it.each([
    ['elements', (page: string) => page.replace(/<\/?i>/g, '')],
    ['an end tag', (page: string) => page.replace('<i>', '')],
    ['an attribute', (page: string) => page.replace('href="a"', 'href="b"')],
    ['the number of attributes', (page: string) => page.replace('<p>', '<p class="x">')],
    ['a handler', (page: string) => page.replace('<p>', '<p onclick="steal()">')],
    ['a script', (page: string) => page.replace('let a', 'let b')],
    ['a comment', (page: string) => page.replace('<!--a-->', '<!--b-->')],
  ])('that changes %s: nothing is written', async (_, text) => {
    const page = `<p>Good <i>new</i> <a href="a">day</a></p><!--a--><script>let a = 1</script>`;
    const { exitCode, written, stderr } = await throughProxy(
      operation,
      { text: (one) => (one.includes('<') ? text(one) : one) },
      { 'page.html': page },
    );
    expect(exitCode).toBe(6);
    expect(written).toBe('');
    expect(stderr).toContain('Nothing was written');
  });

  it.each([
    ['a space', (page: string) => page.replace('Ĝööð', ' '), /answer has fewer texts than/],
    ['nothing', (page: string) => page.replace('Ĝööð', ''), /answer has fewer texts than/],
    ['&nbsp;', (page: string) => page.replace('Ĝööð', '&nbsp;'), /answer has fewer texts than/],
    [
      'its words inside another text',
      (page: string) => page.replace('ðåý', 'ðåý Ĝööð').replace('Ĝööð', ''),
      /fewer texts/,
    ],
  ])('that answers %s for a text: the missing text is reported', async (_, text, said) => {
    const { exitCode, written, stderr } = await throughProxy(
      operation,
      { text: (one) => (one.includes('<') ? text(one) : one) },
      { 'page.html': '<p>Good</p><p></p><p>new <b>day</b></p>' },
    );
    expect({ exitCode, written }, stderr).toEqual({ exitCode: 6, written: '' });
    expect(stderr).toMatch(said);
    expect(stderr).not.toContain('elements');
  });

  it('that only spells the markup differently: the answer is accepted', async () => {
    const page = `<p class="x y">Good <b>new</b> day<br/>and night</p>`;
    const { exitCode, written } = await throughProxy(
      operation,
      { text: (one) => one.replace('class="x y"', "CLASS='x y'").replace('<br/>', '<br>') },
      { 'page.html': page },
    );
    expect(exitCode).toBe(0);
    expect(written).toMatch(/<p class="x y">(?!Good).* <b>.*<\/b> .*<br\/>.*<\/p>/);
  });
});

describe('i18n with a service: only values are taken from its file', () => {
  const SOURCE = '{\n  "a": "One",\n  "n": 1,\n  "on": true,\n  "b": { "c": "Two" }\n}\n';
  const OURS = '{\n  "a": "Un",\n  "n": 1,\n  "on": true,\n  "b": { "c": "Deux" }\n}\n';

  it.each([
    ['an extra key', '{ "a": "Un", "n": 1, "on": true, "b": { "c": "Deux" }, "x": "Plus" }', OURS, 0],
    ['a changed number and boolean', '{ "a": "Un", "n": 2, "on": false, "b": { "c": "Deux" } }', OURS, 0],
    ['another order', '{ "b": { "c": "Deux" }, "on": true, "n": 1, "a": "Un" }', OURS, 0],
    ['a duplicate key', '{ "a": "Un", "n": 1, "on": true, "b": { "c": "Deux" }, "a": "Une" }', OURS, 0],
    ['minified text', '{"a":"Un","n":1,"on":true,"b":{"c":"Deux"}}', OURS, 0],
    ['a missing key, which is requested alone', '{ "a": "Un" }', OURS.replace('Deux', 'Ţŵö'), 0],
    ['a number for a text', '{ "a": "Un", "b": { "c": 2 } }', OURS.replace('Deux', 'Ţŵö'), 0],
    ['an empty list', '[]', '', 6],
    ['only other keys', '{ "x": "Un" }', '', 6],
    ['invalid JSON', '{ "a": ', '', 6],
  ])('%s', async (_, content, written, exitCode) => {
    const result = await throughProxy('i18n', { file: () => content }, { 'app.json': SOURCE });
    expect(result).toMatchObject({ exitCode, written });
    if (exitCode !== 0) expect(result.stderr).not.toBe('');
  });
});

describe('i18n with a service: only values are taken in other formats as well', () => {
  const PO = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n';
  const entries = `#, python-format\nmsgid "Hello %(name)s"\nmsgstr ""\n\nmsgid "Open"\nmsgstr ""\n`;

  it.each<[string, string, (file: string) => string]>([
    ['app.po', PO + entries, (file) => `${file}\nmsgid "Plus"\nmsgstr "Plus"\n`],
    ['app.po', PO + entries, (file) => file.replace(/msgid "Open"\n.*/, '')],
    ['app.po', PO + entries, (file) => file.replace(/(?<=msgstr ".*)%\(name\)s/, '%(nom)s')],
    [
      'app.yaml',
      'en:\n  a: Hello %{name} # note\n  n: 3\n',
      (file) => file.replace('n: 3', 'n: 4\n  x: Plus'),
    ],
    ['app.properties', '# Note\na=Hello {0}\nb=Open\n', (file) => `x=Plus\n${file.replace('{0}', '{1}')}`],
    [
      'app.xml',
      '<resources>\n  <string name="a">Hello %s</string>\n</resources>\n',
      (file) =>
        `<!DOCTYPE x>${file.replace('%s', '%d').replace('</res', '<string name="x">Plus</string></res')}`,
    ],
    [
      'app.strings',
      '/* Note */\n"a" = "Hello %@";\n',
      (file) => `${file.replace('%@', '%d')}"x" = "Plus";\n`,
    ],
  ])('%s %#: the file equals that of a local engine', async (name, source, file) => {
    const run = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
      const cwd = projectWith({ [name]: source });
      const { exitCode } = await dragoman(['i18n', name, ...EN_FR, '-o', 'out'], { cwd, env });
      return { exitCode, written: readFileSync(join(cwd, 'out', name.replace('.', '_fr.')), 'utf8') };
    };
    const url = await damagingProxy(service.url, { file });
    const remote = await run({ DRAGOMAN_BASE_URL: url, DRAGOMAN_API_KEY: service.key });
    expect(remote).toEqual(await run({ DRAGOMAN_ENGINE: 'pseudo' }));
  });
});

describe('i18n with a service: the price of values that do not verify', () => {
  it.each([
    ['a small file', 12, 20],
    ['a larger file', 60, 20],
    ['a large file', 260, 26],
  ])('%s: charges no more than --dry-run says', async (_, keys, spare) => {
    const texts = Array.from({ length: keys }, (__, i) => [`k${i}`, `Take {a} of ${i} and {b} home`]);
    const cwd = projectWith({ 'app.json': JSON.stringify(Object.fromEntries(texts)) });
    const damage = DAMAGES['renames a placeholder'];
    const damaged = (text: string): string => damage?.(text.replace('{a}', '{name}')) ?? '';
    const url = await damagingProxy(service.url, {
      text: (text) => text.replace(/\{\w+\}|<x id="\d+"\/>/, '{nom}'),
      file: (content) => content.replace(/(?<=": ?")[^"]*/g, damaged),
    });
    const env = { DRAGOMAN_BASE_URL: url, DRAGOMAN_API_KEY: service.key };
    const spent = async (): Promise<number> =>
      (JSON.parse((await service.run(['account', '--json'])).stdout) as { credits_used: number })
        .credits_used;
    const before = await spent();
    const argv = ['i18n', 'app.json', ...EN_FR, '-o', 'out.json'];
    const dry = await dragoman([...argv, '--dry-run', '--json'], { cwd, env });
    expect(JSON.parse(dry.stdout), dry.stderr).toMatchObject({ credits: keys, max_credits: keys + spare });
    expect((await dragoman([...argv, '--dry-run'], { cwd, env })).stderr).toContain(
      `, ${keys} credits and at most ${spare} credits for values that do not verify\n`,
    );
    expect(await spent()).toBe(before);
    const { exitCode, stderr } = await dragoman(argv, { cwd, env });
    expect(exitCode, stderr).toBe(7);
    expect((await spent()) - before).toBeGreaterThan(keys);
    expect((await spent()) - before).toBeLessThanOrEqual(keys + spare);
    expect(stderr).toMatch(/keeps its source text: the budget of \d+ credits/);
  });
});

describe('i18n with a service: the plural forms of the target', () => {
  const source = '{\n  "file_one": "{{count}} file",\n  "file_other": "{{count}} files"\n}\n';

  it.each([
    ['do not count as extra keys', '"file_many": "{{count}} de fichiers", ', '{{count}} de fichiers'],
    ['come from the nearest form if the service lacks them', '', '{{count}} fichiers'],
  ])('%s', async (_, many, written) => {
    const content = `{ "file_one": "{{count}} fichier", ${many}"file_other": "{{count}} fichiers" }`;
    const result = await throughProxy('i18n', { file: () => content }, { 'app.json': source });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(JSON.parse(result.written)).toEqual({
      file_one: '{{count}} fichier',
      file_many: written,
      file_other: '{{count}} fichiers',
    });
  });
});

describe.each([
  ['jobs create --watch', ['jobs', 'create', 'app.json', ...EN_FR, '--watch', '-o', 'out']],
  ['jobs download --source', ['jobs', 'download', 'ID', '--source', 'app.json', '-o', 'out']],
])('%s: only values are taken from the file of a service', (_, argv) => {
  const SOURCE = '{\n  "a": "Hello {name}",\n  "n": 1\n}\n';

  it.each([
    ['an extra key and another number', '{"x":"Plus","n":2,"a":"Salut {name}"}', 'Salut {name}', 0],
    ['another placeholder', '{"a":"Salut {nom}","n":1}', 'Hello {name}', 7],
    ['invalid JSON', '{ "a": ', '', 6],
    ['only other keys', '{ "x": "Un" }', '', 6],
  ])('%s', async (__, content, value, exitCode) => {
    const result = await withJob(argv, { source: SOURCE, content });
    expect(result.exitCode, result.stderr).toBe(exitCode);
    expect(result.written).toBe(value === '' ? '' : SOURCE.replace('Hello {name}', value));
    if (exitCode !== 0) expect(result.stderr).not.toBe('');
  });
});

describe('jobs download without the original', () => {
  const argv = ['jobs', 'download', 'ID', '-o', 'out'];

  it('writes the readable files, and reports that they were not compared', async () => {
    const result = await withJob(argv, { source: '{"a":"One"}', content: '{"a":"Un"}' });
    expect(result).toMatchObject({ exitCode: 0, written: '{"a":"Un"}' });
    expect(result.stderr).toContain('not compared with the source: name it with --source FILE');
  });

  it('refuses unreadable files', async () => {
    const result = await withJob(argv, { source: '{"a":"One"}', content: '{ "a": ' });
    expect(result).toMatchObject({ exitCode: 6, written: '' });
  });
});

/** Runs a `jobs` command, with a finished job for `ID`. */
async function withJob(
  argv: readonly string[],
  { source, content }: { readonly source: string; readonly content: string },
): Promise<Outcome> {
  const url = await damagingProxy(service.url, { file: () => content });
  const env = { DRAGOMAN_BASE_URL: url, DRAGOMAN_API_KEY: service.key };
  const cwd = projectWith({ 'app.json': source });
  const created = argv.includes('ID')
    ? await dragoman(['jobs', 'create', 'app.json', ...EN_FR, '--watch'], { cwd, env })
    : undefined;
  const result = await dragoman(
    argv.map((part) => (part === 'ID' ? (created?.stdout.trim() ?? '') : part)),
    { cwd, env },
  );
  const path = join(cwd, 'out', 'app_fr.json');
  return { ...result, written: existsSync(path) ? readFileSync(path, 'utf8') : '' };
}
