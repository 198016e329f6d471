import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { operations, type Operation } from '../../src/contract/operations.ts';
import * as limits from '../../src/contract/limits.ts';
import type { ApiDocument } from '../../src/server/docs/document.ts';
import { html, markdown, prose } from '../../src/server/docs/html.ts';
import { openApiDocument, VERIFY_EXAMPLE } from '../../src/server/docs/openapi.ts';
import { DOCS_POLICY, docsPage } from '../../src/server/docs/page.ts';
import { quote } from '../../src/server/docs/samples.ts';
import { chromiumPath } from '../readers/chromium.ts';
import { BIN, serve, type ServedProcess } from './served.ts';

/** The document as a program reads it: the page contains nothing else. */
const documentAt = (url: string): ApiDocument =>
  JSON.parse(JSON.stringify(openApiDocument(url))) as ApiDocument;

const page = docsPage(documentAt('https://translate.test'));
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const unescape = (markup: string): string =>
  markup.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
    code === undefined ? (ENTITIES[name] ?? name) : String.fromCharCode(Number(code)),
  );
const text = unescape(page.replace(/<(style|script)>[^]*?<\/\1>/g, '').replace(/<[^>]+>/g, ''));

describe('the page of documentation', () => {
  it('has every endpoint, with an example, its fields and its errors', () => {
    for (const [id, { method, path }] of Object.entries<Operation>(operations)) {
      expect(page).toContain(`<a href="#${id}">${method} ${path}</a>`);
      expect(page.split(`id="${id}"`), id).toHaveLength(2);
      expect(text).toContain(`$DRAGOMAN_BASE_URL${path.replace('{job_id}', '$JOB_ID')}`);
      expect(text).toContain(`DRAGOMAN_BASE_URL}${path.replace('{job_id}', '${process.env.JOB_ID}')}`);
      expect(text).toMatch(new RegExp(`base\\.path \\+ f?"${path.replaceAll(/[{}]/g, '\\$&')}`));
    }
    for (const field of [
      'html_body',
      'translations[].success',
      'translated_files[].file_url',
      'summary.success_rate',
    ]) {
      expect(text).toContain(field);
    }
  });

  it('has the limits', () => {
    for (const limit of [limits.MAX_TEXT, limits.MAX_HTML, limits.MAX_EMAIL_BODY, limits.MAX_FILE_BYTES]) {
      expect(text).toContain(limit.toLocaleString('en'));
    }
    expect(text).toContain(`1 to ${limits.MAX_TARGET_LANGUAGES}`);
    expect(text).toContain(`1 to ${limits.MAX_TEXTS} entries`);
  });

  it('never shows a key where others see it', () => {
    for (const line of text.split('\n').filter((line) => line.includes('curl'))) {
      expect(line).not.toMatch(/curl.*DRAGOMAN_API_KEY/);
    }
  });

  it('loads nothing from other addresses', () => {
    const markup = page.replace(/<script>[^]*?<\/script>/, '');
    expect(markup).not.toMatch(/<script|<iframe|<img|<form|\son\w+=|\sstyle=|@import|url\(/i);
    const addresses = [...markup.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !address?.startsWith('#'))).toEqual(['data:,', 'openapi.json']);
    expect(DOCS_POLICY).not.toContain('unsafe');
  });

  it('renders any document completely', () => {
    const document = documentAt('https://other.test');
    const [first] = Object.entries(document.paths);
    const added = structuredClone({
      ...document,
      paths: Object.fromEntries([first ?? ['', {}]]),
      webhooks: {},
    });
    const [operation] = Object.values(added.paths[first?.[0] ?? ''] ?? {});
    Object.assign(operation ?? {}, {
      operationId: 'newOne',
      summary: 'A *new* one',
      description: 'It is **new**.',
    });
    Object.assign(added.components.securitySchemes.key, { name: 'X-Other-Key' });
    const other = docsPage(added);
    expect(other).toContain('<h3 id="newOne">A *new* one</h3>');
    expect(other).toContain('<p>It is <strong>new</strong>.</p>');
    expect(other).toContain('X-Other-Key: %s');
    expect(other).toContain('&#39;X-Other-Key&#39;: process.env.DRAGOMAN_API_KEY');
    expect(other).not.toContain('id="translateBatch"');
  });

  it('escapes text from outside', () => {
    expect(docsPage(documentAt(`https://a.test/"><script>x</script>'$(rm)`))).not.toContain('<script>x');
    expect(html`<p title="${'"\'<&'}">${'<b>'}${[html`<i>${1}</i>`]}</p>`.markup).toBe(
      '<p title="&#34;&#39;&#60;&#38;">&#60;b&#62;<i>1</i></p>',
    );
    expect(prose('a `<b>` c').markup).toBe('a <code>&#60;b&#62;</code> c');
    expect(markdown('a <b onclick="x">c</b> [d](javascript:e)').markup).toBe(
      '<p>a &lt;b onclick=&quot;x&quot;&gt;c&lt;/b&gt; <a href="">d</a></p>',
    );
  });

  it('quotes words for a shell', () => {
    const word = `it's "$HOME" \`id\` \\ *`;
    expect(spawnSync('sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' }).stdout).toBe(word);
  });

  it('has a working check of webhooks', async () => {
    expect(text).toContain(VERIFY_EXAMPLE.trim());
    const source = `data:text/javascript,${encodeURIComponent(VERIFY_EXAMPLE)}`;
    const { isGenuine } = (await import(/* @vite-ignore */ source)) as {
      isGenuine: (secret: string, headers: Record<string, string>, body: string) => boolean;
    };
    const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
    const now = new Date();
    const headersAt = (at: Date): Record<string, string> => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,AAAA v2,x ${new Webhook(secret).sign('msg_1', at, '{"a":1}')}`,
    });
    expect(isGenuine(secret, headersAt(now), '{"a":1}')).toBe(true);
    expect(isGenuine(secret, headersAt(now), '{"a":2}')).toBe(false);
    expect(isGenuine(`whsec_${'A'.repeat(43)}=`, headersAt(now), '{"a":1}')).toBe(false);
    expect(isGenuine(secret, headersAt(new Date(now.getTime() - 400_000)), '{"a":1}')).toBe(false);
    expect(isGenuine(secret, { ...headersAt(now), 'webhook-signature': '' }, '{"a":1}')).toBe(false);
    expect(isGenuine(secret, {}, '{"a":1}')).toBe(false);
  });
});

/** The samples of the page, as a reader copies them. */
function samplesIn(markup: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const articles = [...markup.matchAll(/<article>\s*<h3 id="(\w+)">([^]*?)<\/article>/g)];
  return new Map(
    articles.map(([, id = '', content = '']) => [
      id,
      new Map(
        [...content.matchAll(/<figure data-language="(\w+)">[^]*?<code>([^]*?)<\/code>/g)].map(
          ([, language = '', code = '']) => [language, unescape(code)],
        ),
      ),
    ]),
  );
}

const run = promisify(execFile);
const works = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
/** How a sample is run, by its language; `--json` came with curl 7.82. */
const RUNNERS = {
  curl: {
    file: 'sample.sh',
    program: 'sh',
    has: /^ *--json /m.test(spawnSync('curl', ['--help', 'http']).stdout?.toString()),
  },
  javascript: { file: 'sample.mjs', program: process.execPath, has: true },
  python: { file: 'sample.py', program: 'python3', has: works('python3') },
} as const;

describe('the samples of the page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-samples-'));
  let server: ServedProcess;
  let markup = '';
  let key = '';

  beforeAll(async () => {
    const account = ['--email', 'ada@example.org', '--name', 'Ada', '--credits', '1000'];
    const { stdout } = await run(
      process.execPath,
      [BIN, 'keys', 'create', '--data-dir', 'data', ...account],
      {
        cwd: directory,
      },
    );
    key = stdout.trim();
    writeFileSync(join(directory, 'messages.json'), '{"greeting": "Hello, {name}!"}');
    server = await serve(['--data-dir', 'data', '--engine', 'pseudo', '--rate-limit', '0'], directory);
    markup = await (await fetch(`${server.url}/docs`)).text();
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it.each(Object.entries(RUNNERS))('work unchanged in %s', async (language, { file, program, has }) => {
    if (!has) return;
    const [, setup = ''] = /<code>(export DRAGOMAN_BASE_URL[^]*?)<\/code>/.exec(markup) ?? [];
    const shellFunction = unescape(setup).split('\n').slice(2).join('\n');
    const call = async (id: string, jobId: string): Promise<string> => {
      const source = samplesIn(markup).get(id)?.get(language);
      expect(source, `${id} ${language}`).toBeDefined();
      writeFileSync(join(directory, file), `${language === 'curl' ? `${shellFunction}\n` : ''}${source}\n`);
      const env = {
        PATH: process.env['PATH'],
        DRAGOMAN_BASE_URL: server.url,
        DRAGOMAN_API_KEY: key,
        JOB_ID: jobId,
      };
      return (await run(program, [file], { cwd: directory, env })).stdout;
    };
    const created = await call('createJob', '');
    const [jobId = ''] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(created) ?? [];
    expect(jobId).not.toBe('');
    while (!/completed['"],/.test(await call('jobStatus', jobId)))
      await new Promise((done) => setTimeout(done, 200));
    expect(await call('downloadJob', jobId)).toMatch(/^\{"greeting": "Ĥ.*\{name\}.*"\}/u);
    expect(await call('translate', jobId)).toMatch(/["']?translation["']?: ?["'](?!Hello)/);
    const others = Object.keys(operations).filter(
      (id) => !/createJob|jobStatus|downloadJob|deleteJob/.test(id),
    );
    for (const id of others) expect(await call(id, jobId), id).not.toBe('');
    expect(await call('deleteJob', jobId)).toContain('job deleted');
  });
});

const executablePath = chromiumPath();

describe.skipIf(executablePath === undefined)('the page in a browser', () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', DOCS_POLICY);
    response.end(page);
  });
  let address = '';
  let browser: Browser;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
    server.closeAllConnections();
  });

  /** Opens the page, and checks that it requests nothing else and reports no errors. */
  async function look(options: BrowserContextOptions = {}, hash = ''): Promise<Page> {
    const context = await browser.newContext(options);
    const opened = await context.newPage();
    const noise: string[] = [];
    asked.length = 0;
    opened.on('console', (message) => noise.push(message.text()));
    opened.on('pageerror', (error) => noise.push(error.message));
    onTestFinished(async () => {
      await context.close();
      expect(noise).toEqual([]);
      expect(asked).toEqual(['/docs']);
    });
    await opened.goto(address + hash);
    return opened;
  }

  it('is complete, and leads to each operation', async () => {
    const opened = await look();
    expect(await opened.locator('main article').count()).toBe(Object.keys(operations).length + 1);
    const links = opened.locator('nav a');
    for (const [id, { method, path }] of Object.entries<Operation>(operations)) {
      await links.getByText(`${method} ${path}`, { exact: true }).click();
      expect(new URL(opened.url()).hash).toBe(`#${id}`);
      const top = await opened.locator(`#${id}`).evaluate((heading) => heading.getBoundingClientRect().top);
      expect(top, id).toBeGreaterThanOrEqual(0);
      expect(top, id).toBeLessThan(900);
    }
    await links.getByText('POST /v2/translate/html', { exact: true }).click();
    await expect
      .poll(() => opened.locator('nav a[aria-current]').textContent())
      .toBe('POST /v2/translate/html');
    for (const id of ['samples', 'jobEnded', 'limits', 'credits', 'errors', 'webhooks']) {
      expect(await opened.locator(`nav a[href="#${id}"]`).count(), id).toBe(1);
      expect(await opened.locator(`#${id}`).count(), id).toBe(1);
    }
  });

  it('shows the samples in one language, and copies the visible one', async () => {
    const opened = await look({ permissions: ['clipboard-read', 'clipboard-write'] }, '#translate');
    const sampleOf = (language: string) =>
      opened
        .locator('article', { has: opened.locator('#translate') })
        .locator(`figure[data-language=${language}]`);
    expect(await sampleOf('curl').isVisible()).toBe(true);
    expect(await sampleOf('python').isVisible()).toBe(false);
    await opened.getByRole('button', { name: 'Python' }).first().click();
    expect(await sampleOf('curl').isVisible()).toBe(false);
    expect(await opened.locator('figure[data-language=python]:visible').count()).toBe(
      Object.keys(operations).length,
    );
    const source = await sampleOf('python').locator('pre').textContent();
    await sampleOf('python').getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => opened.getByRole('status').textContent()).toBe('Copied');
    expect(await opened.evaluate('navigator.clipboard.readText()')).toBe(source);
    // Over HTTP from another machine, a browser has no `navigator.clipboard`.
    await opened.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await opened.getByRole('button', { name: 'JavaScript' }).first().click();
    await sampleOf('javascript').getByRole('button', { name: 'Copy' }).click();
    await opened.locator('body').evaluate((body) => {
      const area = Object.assign(body.ownerDocument.createElement('textarea'), { id: 'pasted' });
      body.append(area);
      area.focus();
    });
    await opened.keyboard.press('Control+V');
    expect(await opened.inputValue('#pasted')).toBe(
      await sampleOf('javascript').locator('pre').textContent(),
    );
  });

  it('works by keyboard', async () => {
    const opened = await look({ viewport: { width: 700, height: 500 } });
    await opened.keyboard.press('Tab');
    expect(await opened.locator(':focus').textContent()).toBe('Skip to the content');
    expect((await opened.locator(':focus').boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await opened.getByRole('button', { name: 'JavaScript' }).first().focus();
    await opened.keyboard.press('Enter');
    // A long line can be scrolled with the arrows once its block has the focus.
    const block = opened
      .locator('article', { has: opened.locator('#downloadJob') })
      .locator('figure[data-language=javascript] pre');
    await opened.locator('#downloadJob').locator('xpath=following::button[@value="python"][1]').focus();
    await opened.keyboard.press('Tab');
    expect(await block.evaluate((pre) => pre === pre.ownerDocument.activeElement)).toBe(true);
    const outline = await block.evaluate(
      (pre) => pre.ownerDocument.defaultView?.getComputedStyle(pre).outlineStyle,
    );
    expect(outline).toBe('solid');
    for (let i = 0; i < 5; i++) await opened.keyboard.press('ArrowRight');
    await expect.poll(() => block.evaluate((pre) => pre.scrollLeft)).toBeGreaterThan(50);
    await opened.keyboard.press('Tab');
    expect(await opened.locator(':focus').textContent()).toBe('Copy');
    // Everything that scrolls sideways can get the focus.
    const unreachable = await opened
      .locator('pre, .table')
      .evaluateAll(
        (all) =>
          all.filter((one) => one.getAttribute('tabindex') !== '0' || !one.getAttribute('aria-label')).length,
      );
    expect(unreachable).toBe(0);
  });

  it.each(['dark', 'light'] as const)('fits a phone, and is readable when it is %s', async (colorScheme) => {
    const opened = await look({ colorScheme, viewport: { width: 390, height: 844 } });
    for (const language of ['curl', 'JavaScript', 'Python']) {
      await opened.getByRole('button', { name: language }).first().click();
      expect(await opened.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    await opened.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
    expect(await opened.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const brightness = (await opened.evaluate(
      `['backgroundColor', 'color'].map((name) => Number(/\\d+/.exec(getComputedStyle(document.body)[name])[0]))`,
    )) as number[];
    const [back = 0, letters = 0] = brightness;
    expect(Math.abs(back - letters)).toBeGreaterThan(180);
    expect(back > letters).toBe(colorScheme === 'light');
  });

  it('shows all samples without scripts', async () => {
    const opened = await look({ javaScriptEnabled: false });
    expect(await opened.locator('figure:visible').count()).toBe(3 * Object.keys(operations).length);
    expect(await opened.locator('button:visible').count()).toBe(0);
  });
});
