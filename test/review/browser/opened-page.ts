import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { pageDocument } from '../../../src/review/document.ts';
import { readPageParts } from '../../../src/review/page-parts.ts';
import type { Answer } from '../../../src/review/protocol.ts';
import { chromiumPath } from '../../readers/chromium.ts';
import type { MemorySource } from './memory-source.ts';

export const executablePath = chromiumPath();
const ORIGIN = 'http://review.test/';
const NONCE = 'a1b2c3';
const POLICY = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src 'nonce-${NONCE}'; connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'`;

/** One browser for the tests of a file. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(async () => browser?.close());
  return () => {
    if (!browser) throw new Error('the browser is not open');
    return browser;
  };
}

/** A context whose pages must report no errors during the test. */
export async function newQuietPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const noise: string[] = [];
  page.on('console', (message) => {
    // Browsers print these for answers that a test itself refuses, and for a server that it stops.
    if (!/status of (?:400|401|404|413|503)|ERR_CONNECTION_REFUSED/.test(message.text()))
      noise.push(message.text());
  });
  page.on('pageerror', (error) => noise.push(`${error.message} ${error.stack}`));
  onTestFinished(async () => {
    await context.close();
    expect(noise).toEqual([]);
  });
  return page;
}

/** Opens the page as a server serves it, with rows in memory. */
export async function openPage(
  browser: Browser,
  source: MemorySource,
  { hash = '#token=t0ken', ...options }: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<Page> {
  const page = await newQuietPage(browser, options);
  const document = pageDocument({ nonce: NONCE, title: 'shop', ...(await readPageParts()) });
  await page.context().route(`${ORIGIN}**`, async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const json = async (body: unknown): Promise<void> => route.fulfill({ json: body });
    if (url.pathname === '/')
      return route.fulfill({
        body: document,
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
      });
    const body = (request.postDataJSON() ?? {}) as { readonly answers?: Answer[]; readonly token?: string };
    if (url.pathname === '/session') return json({ session: `s-${body.token}` });
    if (request.headers()['x-dragoman-session'] !== 's-t0ken')
      return route.fulfill({ status: 401, json: {} });
    if (url.pathname === '/rows') return json(await source.rows());
    if (url.pathname === '/answers') return json({ results: await source.save(body.answers ?? []) });
    if (url.pathname === '/context') return json(await source.context());
    if (url.pathname === '/screenshot') {
      const picture = await source.screenshot(url.searchParams.get('name') ?? '');
      return route.fulfill({
        status: picture ? 200 : 404,
        contentType: picture?.type ?? 'application/json',
        body: Buffer.from((await picture?.arrayBuffer()) ?? new ArrayBuffer(0)),
      });
    }
    const gone = new AbortController();
    page.once('close', () => gone.abort());
    const changes = await source.changes(Number(url.searchParams.get('since')), gone.signal);
    // The page may be gone by then.
    return json(changes).catch(() => {});
  });
  await page.goto(ORIGIN + hash);
  await page.locator('.row.open, .empty, .trouble').first().waitFor();
  return page;
}
