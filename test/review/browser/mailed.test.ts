import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { parse } from 'valibot';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { pageDocument } from '../../../src/review/document.ts';
import { readPageParts } from '../../../src/review/page-parts.ts';
import { answerFileSchema, type Pack } from '../../../src/review/protocol.ts';
import { mixedRows, pack, row } from '../sample-pack.ts';
import { executablePath } from './opened-page.ts';

const directory = mkdtempSync(join(tmpdir(), 'dragoman-mailed-'));
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
let count = 0;

async function writePage(packed: Pack): Promise<string> {
  const file = join(directory, `page-${count++}.html`);
  const embedded = { pack: packed };
  writeFileSync(
    file,
    pageDocument({ nonce: 'n0nce', title: packed.title, ...(await readPageParts()), embedded }),
  );
  return file;
}

/** A separate browser, with the network off. */
async function openBrowser(profile = `profile-${count++}`): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(join(directory, profile), {
    executablePath: executablePath ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    offline: true,
    acceptDownloads: true,
    viewport: { width: 1280, height: 800 },
  });
  onTestFinished(() => context.close());
  return context;
}

async function open(context: BrowserContext, file: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const noise: string[] = [];
  page.on('console', (message) => noise.push(message.text()));
  page.on('pageerror', (error) => noise.push(error.message));
  page.on('request', (request) => {
    if (!/^(?:file|data|blob):/.test(request.url())) noise.push(request.url());
  });
  onTestFinished(() => expect(noise).toEqual([]));
  await page.goto(pathToFileURL(file).href);
  await page.locator('.row.open, .empty, .trouble').first().waitFor();
  return page;
}

async function download(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  const path = join(directory, `${count++}-${file.suggestedFilename()}`);
  await file.saveAs(path);
  return path;
}

describe.skipIf(executablePath === undefined)('a page received as a file', () => {
  it('keeps answers when closed, and sends them back as JSON', async () => {
    const packed = pack(mixedRows());
    const file = await writePage(packed);
    const first = await openBrowser('somebody');
    const page = await open(first, file);
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Ir a <');
    await page.keyboard.press('1');
    await page.keyboard.type('pagar');
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.getByText('3 answers in this browser').waitFor();
    await first.close();

    const again = await open(await openBrowser('somebody'), file);
    expect(await again.getByText('3 answers in this browser').count()).toBe(1);
    expect(await again.locator('.key').allTextContents()).toEqual(['cart.terms', 'cart.total', 'cart.items']);
    // The file has no glossary: no key and no button adds a term.
    await again.keyboard.press('Alt+T');
    expect(await again.locator('dialog, button:has-text("Make this a term")').count()).toBe(0);
    await again.keyboard.press('Alt+R');
    await again.keyboard.type('Gender');
    await again.keyboard.press('Enter');
    await again.getByText('4 answers in this browser').waitFor();
    const sent: unknown = JSON.parse(readFileSync(await download(again, 'Send back'), 'utf8'));
    const answers = parse(answerFileSchema, sent);
    expect(answers.project).toBe(packed.project);
    const byKey = new Map(packed.rows.map(({ id, key }) => [id, key]));
    expect(
      answers.answers.map(({ id, values, verdict, note }) => [byKey.get(id), values, verdict, note]),
    ).toEqual([
      ['cart.empty', undefined, 'reviewed', undefined],
      ['cart.greeting', ['Hola {name}, tiene {count} artículos!'], 'reviewed', undefined],
      ['cart.checkout', ['Ir a <b>pagar</b>'], 'reviewed', undefined],
      ['cart.terms', undefined, 'rejected', 'Gender'],
    ]);
    const [first_] = packed.rows;
    expect(answers.answers[0]).toMatchObject({
      sourceHashes: [first_?.forms[0]?.sourceHash],
      bases: [first_?.forms[0]?.base],
    });
  });

  it('is saved with the answers as a copy that opens on another computer', async () => {
    const file = await writePage(pack(mixedRows()));
    const page = await open(await openBrowser(), file);
    await page.keyboard.press('Enter');
    await page.getByText('1 answer in this browser').waitFor();
    const copy = await download(page, 'Save a copy with my answers');
    const elsewhere = await open(await openBrowser(), copy);
    expect(await elsewhere.getByText('1 answer in this browser').count()).toBe(1);
    await elsewhere.keyboard.press('Enter');
    await elsewhere.getByText('2 answers in this browser').waitFor();
    await elsewhere.keyboard.press('Control+Z');
    await elsewhere.getByText('1 answer in this browser').waitFor();
  });

  it('does not accept answers about translations other than its own', async () => {
    const before = pack([row('a', 'One', 'Uno'), row('b', 'Two', 'Dos')]);
    const context = await openBrowser();
    const page = await open(context, await writePage(before));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('2 answers in this browser').waitFor();
    const now = pack([row('a', 'One', 'Un'), row('b', 'Two', 'Dos')]);
    const next = await open(context, await writePage(now));
    expect(await next.getByText('1 answer in this browser').count()).toBe(1);
    expect(await next.locator('.key').allTextContents()).toEqual(['a']);
  });

  it('reports that the browser stores nothing', async () => {
    const context = await openBrowser();
    await context.addInitScript(
      `Object.defineProperty(window, 'indexedDB', { get() { throw new Error('private'); } })`,
    );
    const page = await open(context, await writePage(pack(mixedRows())));
    expect(await page.locator('header .trouble').textContent()).toContain('cannot keep your answers');
    await page.keyboard.press('Enter');
    await page.getByText('1 answer in this browser').waitFor();
  });

  it('undoes one answer, however often storing the undo fails', async () => {
    const context = await openBrowser();
    await context.addInitScript(`
      const { transaction } = IDBDatabase.prototype;
      window.failures = undefined;
      IDBDatabase.prototype.transaction = function (...given) {
        if (window.failures !== undefined && window.failures++ < 2) throw new Error('the disk is full');
        return transaction.apply(this, given);
      };`);
    const page = await open(context, await writePage(pack(mixedRows())));
    await page.keyboard.press('Enter');
    await page.getByText('1 answer in this browser').waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.type('¡');
    await page.keyboard.press('Enter');
    await page.getByText('Saved cart.empty.').waitFor();
    await page.evaluate('window.failures = 0');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 answer could not be saved (the disk is full)').waitFor();
    await page.getByText('Undone: 1 text.').waitFor();
    expect(await page.evaluate('window.failures')).toBe(3);
    expect(await page.getByText('1 answer in this browser').count()).toBe(1);
    expect(await page.locator('.cm-content').textContent()).toBe('Su carrito está vacío.');
  });

  it('warns about an answer that was changed after a copy was saved', async () => {
    const context = await openBrowser();
    await context.addInitScript(
      `Object.defineProperty(window, 'indexedDB', { get() { throw new Error('private'); } })`,
    );
    const page = await open(context, await writePage(pack(mixedRows())));
    await page.keyboard.press('Enter');
    await page.getByText('1 answer in this browser').waitFor();
    await download(page, 'Save a copy with my answers');
    await page.locator('.row:not(.open) .texts').first().click();
    await page.keyboard.type('¡');
    await page.keyboard.press('Enter');
    await page.getByText('Saved cart.empty.').waitFor();
    expect(await page.getByText('1 answer in this browser').count()).toBe(1);
    const warning = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await warning;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
  });

  it('contains hostile texts only as data', async () => {
    const hostile = `</script><script>document.title='owned'</script><!--<script>\u2028 <b onclick="document.title='owned'">`;
    const file = await writePage(
      pack([row('x', hostile, hostile, { comment: hostile })], { title: hostile }),
    );
    expect(readFileSync(file, 'utf8')).not.toContain(`<script>document.title`);
    const page = await open(await openBrowser(), file);
    expect(await page.title()).toContain('</script>');
    expect(await page.locator('script').count()).toBe(3);
  });
});
