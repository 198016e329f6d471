import type { Browser, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { form, mixedRows, pack, row } from '../sample-pack.ts';
import { MemorySource } from './memory-source.ts';
import { executablePath, openPage, useBrowser } from './opened-page.ts';

const editor = (page: Page, form = 0): Locator =>
  page.locator('.field .cm-content, .field textarea').nth(form);
const HELLO = row('hello', 'Hello {name}', 'Hola {name}', {
  comment: 'In a mail',
  forms: [form('Hello {name}', 'Hola {name}', { madeOf: '0123456789abcdef' })],
});

/** A picture of 400 × 300. */
async function pictureOf(browser: Browser): Promise<Blob> {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  const bytes = await page.screenshot();
  await page.close();
  return new Blob([Uint8Array.from(bytes)], { type: 'image/png' });
}

describe.skipIf(executablePath === undefined)('the context of a row', () => {
  const browser = useBrowser();

  it('shows how the source and its comment have changed', async () => {
    const source = new MemorySource(pack([HELLO]));
    source.rowContext = { before: [{ text: 'Hi {name}', comment: 'In a letter' }] };
    const page = await openPage(browser(), source);
    await page.locator('.facts del').first().waitFor();
    expect(await page.locator('.facts del').allTextContents()).toEqual(['Hi', 'letter']);
    expect(await page.locator('.facts ins').allTextContents()).toEqual(['Hello', 'mail']);
  });

  it('shows that the earlier source is unknown', async () => {
    const source = new MemorySource(pack([HELLO]));
    source.rowContext = { before: [null] };
    const page = await openPage(browser(), source);
    await page.getByText("The earlier text was not found in git's history.").waitFor();
    expect(await page.locator('.facts del').count()).toBe(0);
  });

  it('has similar texts, which can be inserted with the keyboard', async () => {
    const source = new MemorySource(pack([HELLO]));
    source.rowContext = {
      similar: [
        [
          { source: 'Hello {name}', translation: 'Buenas {name}', similarity: 1 },
          { source: 'Hey {name}', translation: 'Ey {name}', similarity: 0.799 },
        ],
      ],
    };
    const page = await openPage(browser(), source);
    await page.locator('.similar li').first().waitFor();
    expect(await page.locator('.similar .badge').allTextContents()).toEqual(['100 %', '79 %']);
    const use = async (key: string): Promise<string | null> => {
      await page.keyboard.press(key);
      return editor(page).textContent();
    };
    expect(await use('Control+Shift+ArrowUp')).toBe('Ey {name}');
    expect(await use('Control+Shift+ArrowDown')).toBe('Buenas {name}');
    expect(await use('Control+Shift+ArrowDown')).toBe('Ey {name}');
    await page.keyboard.press('Enter');
    await expect.poll(() => source.answers.at(-1)?.values).toEqual(['Ey {name}']);
  });

  it('has the similar texts of the form that has the focus', async () => {
    const source = new MemorySource(pack(mixedRows().filter(({ key }) => key === 'cart.items')));
    const similar = (translation: string) => [{ source: '{n} items', translation, similarity: 0.8 }];
    source.rowContext = { similar: [similar('{n} cosa'), similar('{n} cosas')] };
    const page = await openPage(browser(), source);
    await page.getByRole('button', { name: 'Use {n} cosa', exact: true }).waitFor();
    await editor(page, 1).click();
    await page.getByRole('button', { name: 'Use {n} cosas' }).click();
    expect(await editor(page, 1).textContent()).toBe('{n} cosas');
    expect(await editor(page).textContent()).toBe('{n} archivo');
  });

  it('marks terms that the translation lacks while the user types', async () => {
    const source = new MemorySource(pack([row('open', 'Open the dashboard in Firefox', 'Abrir el tablón')]));
    source.rowContext = {
      terms: [
        { term: 'dashboard', translations: ['panel', 'tablero'], isCaseSensitive: false, note: 'first page' },
        { term: 'Firefox', translations: [], isCaseSensitive: true },
      ],
    };
    const page = await openPage(browser(), source);
    const missing = page.locator('.term.missing bdi:first-child');
    await expect.poll(() => missing.allTextContents()).toEqual(['dashboard', 'Firefox']);
    expect(await page.locator('.term').first().textContent()).toBe(
      'dashboard → panel, tablero missing first page',
    );
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').last().textContent()).toContain(
      '"dashboard" is not translated as "panel"',
    );
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Abrir los paneles en firefox');
    await expect.poll(() => missing.allTextContents()).toEqual(['Firefox']);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Abrir el tablero en Firefox');
    await expect.poll(() => missing.count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => source.answers.length).toBe(1);
  });

  it('has screenshots, which can be enlarged with the keyboard', async () => {
    const source = new MemorySource(pack([HELLO]));
    source.rowContext = { screenshots: ['hello.png', 'gone.png'] };
    source.screenshots.set('hello.png', await pictureOf(browser()));
    const page = await openPage(browser(), source);
    const picture = page.getByRole('img', { name: 'Screenshot hello.png' });
    await picture.waitFor();
    const height = async (): Promise<number> => (await picture.boundingBox())?.height ?? 0;
    await expect.poll(height).toBeGreaterThan(100);
    const small = await height();
    await page.getByRole('button', { name: 'Screenshot hello.png' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(height).toBeGreaterThan(small);
    expect(await page.getByRole('button', { name: 'gone.png' }).count()).toBe(1);
  });

  it('belongs to the open row, and is empty if it is unavailable', async () => {
    const source = new MemorySource(pack([HELLO, row('bye', 'Bye', 'Adiós')]));
    const page = await openPage(browser(), source);
    const asked = new Set<boolean>();
    await page.context().route('**/context?*', (route) => {
      const isFirst = route.request().url().endsWith(HELLO.id);
      asked.add(isFirst);
      return isFirst
        ? route.fulfill({
            json: { similar: [[{ source: 'Hello', translation: 'Buenas', similarity: 0.8 }]] },
          })
        : route.fulfill({ status: 503, json: {} });
    });
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => asked.has(false)).toBe(true);
    expect(await page.locator('.similar').count()).toBe(0);
    await page.keyboard.press('Control+Shift+ArrowDown');
    await page.getByText('The memory has no similar text.').waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await page.locator('.similar').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => page.locator('.similar').count()).toBe(0);
  });

  it('never belongs to the previous row, not even for one animation frame', async () => {
    const source = new MemorySource(pack([HELLO, row('bye', 'Bye', 'Adiós')]));
    source.rowContext = { similar: [[{ source: 'Hello', translation: 'Buenas', similarity: 0.8 }]] };
    const page = await openPage(browser(), source);
    await page.locator('.similar').waitFor();
    const shown = await page.evaluate<{ isNext: boolean; similar: number }>(`(async () => {
      const key = { key: 'ArrowDown', altKey: true, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key));
      // The page renders in microtasks, before a paint.
      for (let i = 0; i < 50; i++) await undefined;
      const isNext = document.querySelector('.row.open').textContent.includes('Bye');
      return { isNext, similar: document.querySelectorAll('.similar').length };
    })()`);
    expect(shown).toEqual({ isNext: true, similar: 0 });
  });

  it('has no earlier source after an approval', async () => {
    const source = new MemorySource(pack([row('hello', 'Hello {name}', 'Hola {name}')]));
    source.rowContext = {
      before: [{ text: 'Hi {name}' }],
      similar: [[{ source: 'Hello', translation: 'Buenas', similarity: 0.8 }]],
    };
    const page = await openPage(browser(), source);
    await page.locator('.similar').waitFor();
    expect(await page.locator('.facts del').count()).toBe(0);
  });

  it('treats hostile texts as data', async () => {
    const hostile = `<img src=x onerror="document.title='owned'">\u202e\u0000`;
    const source = new MemorySource(pack([HELLO]));
    source.rowContext = {
      before: [{ text: hostile, comment: hostile }],
      screenshots: [hostile],
      terms: [{ term: hostile, translations: [hostile], isCaseSensitive: false, note: hostile }],
      similar: [[{ source: hostile, translation: hostile, similarity: 0.8 }]],
    };
    const page = await openPage(browser(), source);
    await page.locator('.similar li').waitFor();
    expect(await page.locator('#app img:not(.cm-widgetBuffer), #app script, #app [onerror]').count()).toBe(0);
    expect(await page.title()).toBe('shop');
  });
});
