import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/review/protocol.ts';
import { form, mixedRows, pack, plainRows, row } from '../sample-pack.ts';
import { MemorySource } from './memory-source.ts';
import { executablePath, openPage, useBrowser } from './opened-page.ts';

const editor = (page: Page, form = 0): Locator =>
  page.locator('.field .cm-content, .field textarea').nth(form);
const openRow = (page: Page, text: string): Promise<void> =>
  page.locator('.row:not(.open) .texts', { hasText: text }).first().click();
const currentKey = (page: Page): Promise<string | null> => page.locator('.row.open .key').textContent();

const BROKEN = row('broken', 'Hello {name}', 'Hola', {
  forms: [form('Hello {name}', 'Hola', { findings: [{ message: '{name} is missing', isError: true }] })],
});

describe.skipIf(executablePath === undefined)('decisions on the review page', () => {
  const browser = useBrowser();

  it('take one key press for each text that needs no other change', async () => {
    const source = new MemorySource(pack(plainRows(200)));
    const page = await openPage(browser(), source);
    let keys = 0;
    const press = async (key: string): Promise<void> => {
      keys++;
      await page.keyboard.press(key);
    };
    for (let i = 0; i < 200; i++) await press('Enter');
    await expect.poll(() => source.answers.length).toBe(200);
    expect(
      source.answers.every(({ verdict, values }) => verdict === 'reviewed' && values === undefined),
    ).toBe(true);
    expect(new Set(source.answers.map(({ id }) => id)).size).toBe(200);
    expect(keys / source.answers.length).toBeLessThanOrEqual(1.3);
    await expect.poll(() => page.getByText('200 of 200 approved').count()).toBe(1);
  });

  it('save typed text, and go to the next text to review', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await openRow(page, 'The new total is');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('El nuevo total es {sum}');
    await page.keyboard.press('Escape');
    expect(await page.locator('.row.open .badge.draft').textContent()).toBe('not saved yet');
    await editor(page).press('Enter');
    await expect.poll(() => source.row('cart.total').forms[0]?.translation).toBe('El nuevo total es {sum}');
    expect(source.row('cart.total').state).toBe('reviewed');
    expect(await currentKey(page)).toBe('cart.items');
    await expect.poll(() => page.getByRole('status').first().textContent()).toBe('Saved cart.total.');
    // The row stays in its place, and others do not move.
    expect(
      await page.locator('.row', { hasText: 'El nuevo total es' }).locator('.badge.reviewed').count(),
    ).toBe(1);
  });

  it('are refused for errors, and need a confirmation for warnings', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await openRow(page, 'Hello');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Hola, artículos');
    await page.keyboard.press('Enter');
    expect(await page.locator('.findings .error').allTextContents()).toEqual([
      'Error: {name} is missing',
      'Error: {count} is missing',
    ]);
    expect(await page.getByRole('alert').last().textContent()).toContain('{name} is missing');
    expect(await currentKey(page)).toBe('cart.greeting');
    await page.keyboard.press('Control+A');
    // The text is longer than the space for it.
    await page.keyboard.type('Hola {name}, tiene {count} cosas muy bonitas en el carrito de hoy');
    await page.keyboard.press('Enter');
    expect(source.answers).toEqual([]);
    expect(await page.getByRole('alert').last().textContent()).toContain('at most 60 fit');
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('cart.greeting').state).toBe('reviewed');
  });

  it('reject with a note, and ask for a review', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Alt+R');
    await page.keyboard.type('Too formal');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => source.row('cart.empty').decision)
      .toEqual({
        verdict: 'rejected',
        by: 'person',
        note: 'Too formal',
      });
    expect(await currentKey(page)).toBe('cart.greeting');
    await page.keyboard.press('Alt+N');
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('cart.greeting').needsReview).toBe('requested');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('.facts dd').first().textContent()).toBe('Too formal');
  });

  it('are undone one by one, and the text is open again', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('cart.empty').state).toBe('reviewed');
    await page.keyboard.press('Enter');
    await expect.poll(() => source.row('cart.greeting').state).toBe('reviewed');
    await page.keyboard.press('Control+Z');
    await expect.poll(() => source.row('cart.greeting').state).toBe('translated');
    await expect.poll(() => currentKey(page)).toBe('cart.greeting');
    await page.keyboard.press('Control+Z');
    await expect.poll(() => source.row('cart.empty').needsReview).toBe('machine');
    await expect.poll(() => currentKey(page)).toBe('cart.empty');
    await page.keyboard.press('Control+Z');
    await expect.poll(() => page.getByRole('status').first().textContent()).toBe('Nothing to undo.');
  });

  it('of many texts are made together, and undone together', async () => {
    const rows = [...plainRows(30), BROKEN, row('none', 'Nothing')];
    const source = new MemorySource(pack(rows));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+A');
    expect(await page.locator('.batch strong').textContent()).toBe('32 texts selected');
    await page.getByRole('button', { name: 'Approve selected' }).click();
    const approved = (): number => rows.filter(({ key }) => source.row(key).state === 'reviewed').length;
    await expect.poll(approved).toBe(30);
    await expect
      .poll(() => page.getByRole('status').first().textContent())
      .toBe(
        'Saved decisions on 30 texts. Skipped 2 texts without a translation, or with errors, warnings or unsaved changes.',
      );
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(approved).toBe(0);
  });

  it('select a range with Shift', async () => {
    const page = await openPage(browser(), new MemorySource(pack(plainRows(9))));
    await page
      .locator('.row', { hasText: 'document 4' })
      .locator('.texts')
      .click({ modifiers: ['Shift'] });
    expect(await page.locator('.batch strong').textContent()).toBe('5 texts selected');
    await page.getByRole('button', { name: 'Select none' }).click();
    expect(await page.locator('.batch').count()).toBe(0);
  });

  it('replace words in all texts of the list, after a preview', async () => {
    const rows = [
      ...plainRows(3),
      row('open', 'Open {name}', 'Abrir {name}'),
      row('other', 'Close', 'Cerrar'),
    ];
    const source = new MemorySource(pack(rows));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Alt+H');
    await page.getByLabel('Find in translations').fill('Abrir');
    await page.getByLabel('Replace by').fill('Abra');
    expect(await page.locator('.preview p').first().textContent()).toContain(
      '4 texts in this list would change.',
    );
    expect(await page.locator('.preview del').first().textContent()).toBe('Abrir');
    await page.getByLabel('Find in translations').fill('{name}');
    expect(await page.locator('.preview p').first().textContent()).toContain('1 text would fail checks');
    expect(await page.getByRole('button', { name: 'Replace in 0 texts' }).isDisabled()).toBe(true);
    await page.getByLabel('Find in translations').fill('Abrir');
    await page.getByRole('button', { name: 'Replace in 4 texts' }).click();
    await expect.poll(() => source.row('open').forms[0]?.translation).toBe('Abra {name}');
    expect(source.answers).toHaveLength(4);
    expect(source.answers.every(({ verdict }) => verdict === undefined)).toBe(true);
    // The open field shows the new text.
    await expect.poll(() => editor(page).textContent()).toBe('Abra el documento 0 en otra ventana');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Z');
    await expect.poll(() => source.row('open').forms[0]?.translation).toBe('Abrir {name}');
  });

  it('show three texts in a conflict', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await page.keyboard.press('End');
    await page.keyboard.type(' Hoy.');
    source.write('cart.empty', 'El carrito está vacío.', false);
    await page.keyboard.press('Enter');
    await page.locator('.badge.error', { hasText: 'conflict' }).waitFor();
    await openRow(page, 'Your cart is empty.');
    expect(await page.locator('.conflict .text').allTextContents()).toEqual([
      'Su carrito está vacío. Hoy.',
      'El carrito está vacío.',
      'Su carrito está vacío.',
    ]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    expect(await editor(page).textContent()).toBe('Su carrito está vacío. Hoy.');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => source.row('cart.empty').forms[0]?.translation)
      .toBe('Su carrito está vacío. Hoy.');
  });

  it('take into account changes by others while the page is open', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    source.write('cart.terms', 'Lea %s y %s', true);
    await page.locator('.row', { hasText: 'Lea' }).getByText(' y ').waitFor();
    await page.keyboard.type('¡');
    source.write('cart.empty', 'Carrito vacío.', true);
    await page.locator('.conflict').waitFor();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await editor(page).textContent()).toBe('Carrito vacío.');
    expect(await page.locator('.conflict, .badge.draft').count()).toBe(0);
  });

  it('wait until the server answers again', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    await page.context().route('**/answers', (route) => route.fulfill({ status: 503, json: {} }));
    await page.keyboard.press('Enter');
    await page.getByText('1 answer could not be saved').waitFor();
    await page.context().unroute('**/answers');
    await expect.poll(() => source.row('cart.empty').state, { timeout: 20_000 }).toBe('reviewed');
    await expect.poll(() => page.getByText('could not be saved').count()).toBe(0);
  });

  it('are sent in smaller parts if there are too many, without invalid ones', async () => {
    const rows = plainRows(40);
    const source = new MemorySource(pack(rows));
    const page = await openPage(browser(), source);
    await page.context().route('**/answers', (route) => {
      const { answers } = route.request().postDataJSON() as { readonly answers: readonly Answer[] };
      if (answers.length > 10)
        return route.fulfill({ status: 413, json: { error: 'the body is too large' } });
      const isBad = answers.some(({ id }) => id === rows[7]?.id);
      return isBad
        ? route.fulfill({ status: 400, json: { error: 'the text is too long' } })
        : route.fallback();
    });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+A');
    await page.getByRole('button', { name: 'Approve selected' }).click();
    await expect.poll(() => source.answers.length).toBe(39);
    await page.getByText('39 of 40 approved').waitFor();
    expect(await page.locator('header .trouble').count()).toBe(0);
    await page.locator('.row', { hasText: 'document 7 in' }).locator('.texts').click();
    expect(await page.locator('.row.open .trouble').textContent()).toContain('the text is too long');
  });

  it('show why a server saves nothing', async () => {
    const page = await openPage(browser(), new MemorySource(pack(mixedRows())));
    await page
      .context()
      .route('**/answers', (route) => route.fulfill({ status: 503, json: { error: 'the disk is full' } }));
    await page.keyboard.press('Enter');
    const trouble = page.locator('header .trouble');
    await trouble.waitFor();
    expect(await trouble.textContent()).toContain('1 answer could not be saved (the disk is full).');
  });

  it('are filtered, and the address keeps the filter without the token', async () => {
    const source = new MemorySource(pack(mixedRows()));
    const page = await openPage(browser(), source);
    const shown = async (): Promise<readonly string[]> => page.locator('.key').allTextContents();
    await page.getByLabel('Show').selectOption('missing');
    await expect.poll(shown).toEqual(['cart.checkout']);
    await page.getByLabel('Show').selectOption('source-changed');
    await expect.poll(shown).toEqual(['cart.total']);
    expect(await page.locator('.facts ins').textContent()).toBe('new ');
    await page.getByLabel('Show').selectOption('unchanged');
    await expect.poll(shown).toEqual(['cart.brand']);
    await page.getByLabel('Show').selectOption('all');
    await page.getByLabel('Format').selectOption('po');
    await expect.poll(shown).toEqual(['cart.terms']);
    await page.getByLabel('Format').selectOption('');
    await page.keyboard.press('Alt+S');
    await page.keyboard.type('CARRITO');
    await expect.poll(shown).toEqual(['cart.empty']);
    expect(page.url()).toContain('text=CARRITO');
    expect(page.url()).not.toContain('t0ken');
    await page.reload();
    await expect.poll(shown).toEqual(['cart.empty']);
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(async () => (await shown()).length).toBe(6);
  });

  it('report that there is no access without a token', async () => {
    const page = await openPage(browser(), new MemorySource(pack([])), { hash: '#token=wrong' });
    expect(await page.locator('.trouble').textContent()).toContain('This page has no access.');
  });
});
