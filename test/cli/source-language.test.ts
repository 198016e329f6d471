import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sourceForService } from '../../src/cli/documents/source-language.ts';
import { dragoman, projectWith } from './harness.ts';
import { startService } from './service.ts';

/** An engine that writes the source language of its request before every text. */
const NAMING = `process.stdin.on('data',d=>{for(const l of String(d).trim().split('\\n')){const {id,source,texts}=JSON.parse(l);console.log(JSON.stringify({id,translations:texts.map(t=>source+' '+t)}))}})`;

/** Only English words, so that a declared language cannot come from detection. */
const ENGLISH = 'The settings of your account were saved on this computer';

const directory = mkdtempSync(join(tmpdir(), 'dragoman-engine-'));
const engine = ['--engine-command', `node ${join(directory, 'engine.cjs')}`];
writeFileSync(join(directory, 'engine.cjs'), NAMING);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const service = startService(['--engine', 'exec', ...engine]);

async function sourceOf(argv: readonly string[], files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = projectWith(files);
  const result = await dragoman([...argv, '-t', 'eo', '-o', 'out/', ...engine], { cwd });
  expect(result.exitCode, result.stderr).toBe(0);
  const [name = ''] = readdirSync(join(cwd, 'out'));
  // Mail lines are wrapped.
  const translation = readFileSync(join(cwd, 'out', name), 'utf8').replace(/\s+/g, ' ');
  return new RegExp(`([\\w-]+) ${ENGLISH}`).exec(translation)?.[1] ?? translation;
}

describe('a localization file', () => {
  it.each([
    ['ARB', 'app.arb', `{ "@@locale": "pt_BR", "a": "${ENGLISH}" }`, 'pt-BR'],
    ['ARB, regardless of its name', 'app_fr.arb', `{ "@@locale": "de", "a": "${ENGLISH}" }`, 'de'],
    ['Rails', 'texts.yml', `nl:\n  a: ${ENGLISH}\n`, 'nl'],
    ['XML', 'texts.xml', `<texts xml:lang="sv"><text name="a">${ENGLISH}</text></texts>`, 'sv'],
    ['Android', 'strings.xml', androidOf('it'), 'it'],
    ['an unknown declared language', 'app.arb', `{ "@@locale": "tlh", "a": "${ENGLISH}" }`, 'en'],
    ['no declared language', 'app.json', `{ "a": "${ENGLISH}" }`, 'en'],
  ])('is in its declared language: %s', async (_, name, content, source) => {
    expect(await sourceOf(['i18n', name], { [name]: content })).toBe(source);
  });

  it('is in the language of its path if it declares none', async () => {
    const json = `{ "a": "${ENGLISH}" }`;
    expect(await sourceOf(['i18n', 'locales/de/app.json'], { 'locales/de/app.json': json })).toBe('de');
    const xml = `<resources><string name="a">${ENGLISH}</string></resources>`;
    const path = 'res/values-pt-rBR/strings.xml';
    expect(await sourceOf(['i18n', path], { [path]: xml })).toBe('pt-BR');
    expect(await sourceOf(['i18n', 'sign_in.json'], { 'sign_in.json': json })).toBe('en');
  });

  it('is detected from the messages of a PO file: path and header name the target', async () => {
    const path = 'locale/de/LC_MESSAGES/app.po';
    const po = `msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "${ENGLISH}"\nmsgstr "Die Einstellungen"\n`;
    expect(await sourceOf(['i18n', path], { [path]: po })).toBe('en');
  });

  it('is in the language that the user names, if any', async () => {
    const arb = `{ "@@locale": "de", "a": "${ENGLISH}" }`;
    expect(await sourceOf(['i18n', 'app_de.arb', '-s', 'fr'], { 'app_de.arb': arb })).toBe('fr');
    expect(await sourceOf(['i18n', 'app_de.arb', '-s', 'auto'], { 'app_de.arb': arb })).toBe('de');
  });
});

describe('a page', () => {
  it.each([
    [`<html lang="de-AT"><p>${ENGLISH}</p>`, 'de-AT'],
    [`<html lang="x-unknown"><p>${ENGLISH}</p>`, 'en'],
    [`<p lang="de">${ENGLISH}</p>`, 'en'],
  ])('%s is in %s', async (page, source) => {
    expect(await sourceOf(['html', 'a.html'], { 'a.html': page })).toBe(source);
  });

  it('is in the language that the user names, if any', async () => {
    const page = `<html lang="de"><p>${ENGLISH}</p>`;
    expect(await sourceOf(['html', 'a.html', '-s', 'fr'], { 'a.html': page })).toBe('fr');
  });
});

describe('an e-mail', () => {
  it.each([
    ['its header', `Subject: a\nContent-Language: nl\n\n${ENGLISH}\n`, 'nl'],
    ['of several languages', `Subject: a\nContent-Language: nl, de\n\n${ENGLISH}\n`, 'en'],
    ['its page', `Subject: a\nContent-Type: text/html\n\n<html lang="da"><p>${ENGLISH}</p>\n`, 'da'],
  ])('is in its declared language: %s', async (_, message, source) => {
    expect(await sourceOf(['email', 'a.eml'], { 'a.eml': message })).toBe(source);
  });

  it('is in the language of its body, unless another one is named', async () => {
    const body = `<html lang="fi"><p>${ENGLISH}</p>`;
    const argv = ['email', 'a.html', '--subject', 'Hello'];
    expect(await sourceOf(argv, { 'a.html': body })).toBe('fi');
    expect(await sourceOf([...argv, '-s', 'fr'], { 'a.html': body })).toBe('fr');
  });
});

describe('lines', () => {
  it('are in the language of their file, even if the last ones are short', async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `Inténtelo de nuevo más tarde ${i}`);
    const cwd = projectWith({
      'a.txt': [...lines, 'Pantalla completa', ''].join('\n'),
      'engine.cjs': NAMING,
    });
    const engine = ['--engine-command', `node ${join(cwd, 'engine.cjs')}`];
    const { stdout, stderr } = await dragoman(['batch', 'a.txt', '-t', 'eo', ...engine], { cwd });
    expect(stdout.trimEnd().split('\n').at(-1), stderr).toBe('es Pantalla completa');
  });
});

describe('a service', () => {
  it.each([
    [undefined, undefined, 'auto'],
    [undefined, 'de-AT', 'de'],
    [undefined, 'de', 'de'],
    [undefined, 'sr-Latn', 'sr-Latn'],
    [undefined, 'zh', 'zh-CN'],
    [undefined, 'zh-HK', 'zh-TW'],
    [undefined, 'nb', 'no'],
    ['de-AT', 'fr', 'de-AT'],
  ])('receives the named %s and declared %s: %s', (named, declared, code) => {
    expect(sourceForService(named, declared)).toBe(code);
  });

  it('receives the language in the path of a file', async () => {
    const cwd = projectWith({ 'locales/de-AT/app.json': `{ "a": "${ENGLISH}" }` });
    const { exitCode, stdout, stderr } = await service.run(
      ['i18n', 'locales/de-AT/app.json', '-t', 'eo', '--json'],
      { cwd },
    );
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ jobs: [{ source_language: 'de' }] });
  });

  it('receives the declared language of a page and of a body', async () => {
    const cwd = projectWith({ 'a.html': `<html lang="de-AT"><p>${ENGLISH}</p>` });
    const page = await service.run(['html', 'a.html', '-t', 'eo'], { cwd });
    expect(page.stdout, page.stderr).toContain(`de ${ENGLISH}`);
    const body = await service.run(['email', 'a.html', '--subject', 'Hello', '-t', 'eo'], { cwd });
    expect(body.stdout, body.stderr).toContain(`de ${ENGLISH}`);
  });
});

function androidOf(language: string): string {
  const attributes = `xmlns:tools="http://schemas.android.com/tools" tools:locale="${language}"`;
  return `<resources ${attributes}><string name="a">${ENGLISH}</string></resources>`;
}
