import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { mixedRows, pack, plainRows, row } from '../sample-pack.ts';
import { MemorySource } from './memory-source.ts';
import { executablePath, openPage, useBrowser } from './opened-page.ts';

const editor = (page: Page): Locator => page.locator('.field .cm-content').first();
const currentKey = (page: Page): Promise<string | null> => page.locator('.row.open .key').textContent();
const activeElement = (page: Page): Promise<unknown> =>
  page.evaluate(`document.activeElement.closest('.field') !== null`);

describe.skipIf(executablePath === undefined)('somebody who is interrupted', () => {
  const browser = useBrowser();

  it('can keep typing when others change the same text', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    source.write('cart.empty', 'Carrito vacío.', true);
    await expect.poll(() => editor(page).textContent()).toBe('Carrito vacío.');
    await page.keyboard.press('End');
    await page.keyboard.type(' nar');
    expect(await editor(page).textContent()).toBe('Carrito vacío. nar');
    source.write('cart.empty', 'Nada.', true);
    await page.locator('.conflict').waitFor();
    await page.keyboard.type('nar');
    expect(await editor(page).textContent()).toBe('Carrito vacío. narnar');
    expect(await page.locator('dialog').count()).toBe(0);
    expect(source.answers).toEqual([]);
  });

  it('keeps the text of another form that others have changed', async () => {
    const rows = mixedRows().filter(({ key }) => key === 'cart.items');
    const source = new MemorySource(pack(rows));
    const page = await openPage(browser(), source);
    source.writeAll('cart.items', ['{n} fichero', '{n} ficheros'], true);
    await expect.poll(() => editor(page).textContent()).toBe('{n} fichero');
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await expect.poll(() => source.answers.at(-1)?.values).toEqual(['{n} fichero!', '{n} ficheros']);
  });

  it('stays in a text that is removed from the project, and keeps the typed text', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await page.keyboard.press('End');
    await page.keyboard.type(' na');
    source.remove('cart.greeting');
    await expect.poll(() => page.locator('.key', { hasText: 'cart.greeting' }).count()).toBe(0);
    source.remove('cart.empty');
    await page.locator('.row.open .trouble').waitFor();
    await page.keyboard.type('na');
    expect(await currentKey(page)).toBe('cart.empty');
    expect(await editor(page).textContent()).toBe('Su carrito está vacío. nana');
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await expect.poll(() => source.answers.map(({ id }) => id)).toEqual([mixedRows()[0]?.id]);
  });

  it('stays in a text that no longer matches the filter when another one is removed', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('cart.empty').state).toBe('reviewed');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.type('x');
    source.remove('cart.greeting');
    await expect.poll(() => page.locator('.key', { hasText: 'cart.greeting' }).count()).toBe(0);
    await page.keyboard.type('y');
    expect(await currentKey(page)).toBe('cart.empty');
    expect(await editor(page).textContent()).toBe('xySu carrito está vacío.');
  });

  it.each([
    ['approved', '', 'xySu carrito está vacío.'],
    ['saved', 'n', 'xynSu carrito está vacío.'],
  ])(
    'can keep typing in a text that has just been %s when the answer arrives',
    async (_, typed, expected) => {
      const source = new MemorySource(pack(mixedRows()));
      let confirm = (): void => {};
      source.confirms = new Promise<void>((resolve) => {
        confirm = resolve;
      });
      const page = await openPage(browser(), source);
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.type('x');
      confirm();
      await expect.poll(() => page.getByRole('status').textContent()).toContain('cart.empty');
      await page.keyboard.type('y');
      expect(await editor(page).textContent()).toBe(expected);
    },
  );

  it('can keep typing after the list was scrolled', async () => {
    const source = new MemorySource(pack(plainRows(300)));
    const page = await openPage(browser(), source);
    await page.locator('.scroller').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page.locator('.key', { hasText: /^menu\.item\.299$/ }).waitFor();
    await page.keyboard.type('n');
    expect(await activeElement(page)).toBe(true);
    expect(await editor(page).textContent()).toBe('nAbrir el documento 0 en otra ventana');
    expect(source.answers).toEqual([]);
  });

  it('rejects the text for which the dialog was opened', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Alt+R');
    await page.keyboard.type('Too formal');
    await page.evaluate(`location.hash = 'row=${source.row('cart.terms').id}'`);
    await expect.poll(() => currentKey(page)).toBe('cart.terms');
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('cart.empty').decision?.note).toBe('Too formal');
    expect(source.row('cart.terms').decision).toBeUndefined();
    expect(await currentKey(page)).toBe('cart.terms');
  });

  it('keeps text that was typed after a decision that is undone', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('cart.empty').state).toBe('reviewed');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type(' Ya.');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Control+Z');
    await expect.poll(() => source.row('cart.empty').needsReview).toBe('machine');
    await page.locator('.row.open .badge.draft').waitFor();
    expect(await editor(page).textContent()).toBe('Su carrito está vacío. Ya.');
  });

  it('does not approve warnings without having seen them', async () => {
    const limit = { max: 4, unit: 'characters' } as const;
    const rows = [...plainRows(2), row('warned', 'Your items', 'Sus cosas', { limit })];
    const source = new MemorySource(pack(rows));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+A');
    await page.getByRole('button', { name: 'Approve selected' }).click();
    await expect.poll(() => source.answers.length).toBe(2);
    expect(source.row('warned').state).toBe('translated');
    await expect
      .poll(() => page.getByRole('status').first().textContent())
      .toContain('Skipped 1 text without a translation, or with errors, warnings or unsaved changes.');
  });
});
