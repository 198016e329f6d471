import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from '../../cli/harness.ts';
import { mixedRows, pack, row } from '../sample-pack.ts';
import { MemorySource } from './memory-source.ts';
import { executablePath, newQuietPage, openPage, useBrowser } from './opened-page.ts';

const currentKey = (page: Page): Promise<string | null> => page.locator('.row.open .key').textContent();
const noteOf = (page: Page): Promise<readonly string[]> =>
  page.locator('.facts div', { hasText: 'Note' }).locator('dd').allTextContents();

describe.skipIf(executablePath === undefined)('notes on the review page', () => {
  const browser = useBrowser();

  it('are written with N, shown, edited with N, and removed by an approval', async () => {
    const source = new MemorySource(pack([row('one', 'Open', 'Abrir'), row('two', 'Close', 'Cerrar')]));
    const page = await openPage(browser(), source);
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    await press('Escape');
    await press('n');
    await page.keyboard.type('Is this a button?');
    await press('Enter');
    const decision = { verdict: 'needs-review', by: 'person' };
    await expect.poll(() => source.row('one').decision).toEqual({ ...decision, note: 'Is this a button?' });
    await page.getByText('one needs a review.').first().waitFor();
    // The list still receives key presses.
    expect(await currentKey(page)).toBe('two');
    await press('ArrowUp');
    expect(await noteOf(page)).toEqual(['Is this a button?']);
    await press('n');
    await press('End');
    await page.keyboard.type(' Or a menu?');
    await press('Enter');
    await expect.poll(() => source.row('one').decision?.note).toBe('Is this a button? Or a menu?');
    await press('ArrowUp');
    await press('a');
    await expect.poll(() => source.row('one').decision).toEqual({ verdict: 'reviewed', by: 'person' });
    await press('Control+z');
    await expect.poll(() => source.row('one').decision?.note).toBe('Is this a button? Or a menu?');
    await press('Control+z');
    await expect.poll(() => source.row('one').decision?.note).toBe('Is this a button?');
  });

  it('are not stored with Escape, and can be replaced, emptied and found', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    await press('Alt+s');
    await page.keyboard.type('right here');
    await expect.poll(() => page.locator('.key').allTextContents()).toEqual(['cart.total']);
    await press('Escape');
    await press('n');
    await page.keyboard.type('other');
    await press('Escape');
    expect(source.answers).toEqual([]);
    expect(await noteOf(page)).toEqual(['Is “total” right here?']);
    await press('r');
    await page.keyboard.type('Wrong word');
    await press('Enter');
    await expect
      .poll(() => source.row('cart.total').decision)
      .toEqual({ verdict: 'rejected', by: 'person', note: 'Wrong word' });
    await press('ArrowUp');
    await press('n');
    await press('Delete');
    await press('Enter');
    await expect
      .poll(() => source.row('cart.total').decision)
      .toEqual({ verdict: 'needs-review', by: 'person' });
    // The source has the answer before the page hears of it.
    await page.getByText('cart.total needs a review.').first().waitFor();
    await press('ArrowUp');
    expect(await noteOf(page)).toEqual([]);
  });

  it('have at most 500 characters, and need a translation', async () => {
    const source = new MemorySource(pack([row('none', 'Nothing'), row('one', 'Open', 'Abrir')]));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Alt+n');
    await page.getByText('Nothing to save: there is no translation.').first().waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+n');
    await page.keyboard.insertText('x'.repeat(600));
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('one').decision?.note).toBe('x'.repeat(500));
  });

  it('continue in the next translation if N was pressed in a translation', async () => {
    const source = new MemorySource(pack([row('one', 'Open', 'Abrir'), row('two', 'Close', 'Cerrar')]));
    const page = await openPage(browser(), source);
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Alt+n');
    await page.keyboard.type('Informal?');
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('one').decision?.note).toBe('Informal?');
    await expect.poll(() => currentKey(page)).toBe('two');
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('two').forms[0]?.translation).toBe('Cerrar!');
    // The text typed before the question is not saved yet.
    expect(source.row('one').forms[0]?.translation).toBe('Abrir');
    expect(await page.locator('.row.open .badge.draft').count()).toBe(1);
  });

  it('are also refused in a file, for a text that the next run replaces', async () => {
    const root = projectWith({ 'locales/en.json': '{"open": "Open"}', 'locales/es.json': '{}' });
    const languages = ['-s', 'en', '-t', 'es'];
    await dragoman(['sync', ...languages, '--engine', 'pseudo'], { cwd: root });
    writeFileSync(join(root, 'locales/en.json'), '{"open": "Open all"}');
    await dragoman(['review', '--to', 'es.html', ...languages], { cwd: root });
    const page = await newQuietPage(browser(), {});
    await page.goto(pathToFileURL(join(root, 'es.html')).href);
    await page.locator('.row.open').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.keyboard.type('All of them?');
    await page.keyboard.press('Enter');
    await page.getByText('only an approval keeps it').first().waitFor();
    expect(await page.getByText('in this browser').allTextContents()).toEqual(['0 answers in this browser']);
  });

  it('are imported from a page that was sent as a file', async () => {
    const root = projectWith({
      'locales/en.json': '{"open": "Open {name}", "bye": "Bye", "yes": "Yes"}',
      'locales/es.json': '{"open": "Abrir", "bye": "Adiós", "yes": "Sí"}',
    });
    const languages = ['-s', 'en', '-t', 'es'];
    await dragoman(['review', '--to', 'es.html', ...languages], { cwd: root });
    const page = await newQuietPage(browser(), { acceptDownloads: true });
    await page.goto(pathToFileURL(join(root, 'es.html')).href);
    await page.locator('.row.open').waitFor();
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    await press('Escape');
    // Users can also ask about a text that fails its checks.
    for (const note of ['Which name?', 'To one person?', 'Undone']) {
      await press('n');
      await page.keyboard.type(note);
      await press('Enter');
    }
    await page.getByText('3 answers in this browser').waitFor();
    await press('Control+z');
    await page.getByText('2 answers in this browser').waitFor();
    // The note stays with a text that is replaced afterwards.
    await press('Alt+h');
    await page.keyboard.type('Adiós');
    await press('Tab');
    await page.keyboard.type('Chao');
    await page.getByRole('button', { name: 'Replace in 1 text' }).press('Enter');
    await page.getByText('Saved decisions on 1 text.').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Send back' }).press('Enter'),
    ]);
    await download.saveAs(join(root, 'answers.json'));
    const imported = await dragoman(['import', 'answers.json'], { cwd: root });
    expect(imported).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, 'locales/es.json'), 'utf8')).toContain('"bye": "Chao"');
    const lock = readFileSync(join(root, 'dragoman.lock'), 'utf8');
    expect(lock.match(/needs-review:import:\S+\t.+/g)?.map((text) => text.split('\t')[1])).toEqual([
      'To one person?',
      'Which name?',
    ]);
  });
});
