import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { form, mixedRows, pack, row } from '../sample-pack.ts';
import { MemorySource } from './memory-source.ts';
import { executablePath, openPage, useBrowser } from './opened-page.ts';

const editor = (page: Page, form = 0): Locator =>
  page.locator('.field .cm-content, .field textarea').nth(form);
const chips = (page: Page): Promise<string[]> => page.locator('.cm-content .chip').allTextContents();
const HELLO = row('hello', 'Hello {name}, you have {count} items', 'Hola {name}, tiene {count} artículos');

describe.skipIf(executablePath === undefined)('the field for a translation', () => {
  const browser = useBrowser();

  /** Presses Enter, and returns the values that are saved. */
  async function saved(page: Page, source: MemorySource): Promise<readonly string[] | undefined> {
    const before = source.answers.length;
    await page.keyboard.press('Enter');
    await expect.poll(() => source.answers.length).toBe(before + 1);
    return source.answers.at(-1)?.values;
  }

  it('moves over placeholders and deletes them as a whole', async () => {
    const source = new MemorySource(pack([HELLO]));
    const page = await openPage(browser(), source);
    expect(await chips(page)).toEqual(['{name}', '{count}']);
    await page.keyboard.press('Home');
    for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('!');
    expect(await editor(page).textContent()).toBe('Hola {name}!, tiene {count} artículos');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    expect(await chips(page)).toEqual(['{count}']);
    await page.keyboard.press('Control+Z');
    expect(await chips(page)).toEqual(['{name}', '{count}']);
    // The browser's own word deletion stays within the text of a chip.
    await page.keyboard.press('End');
    for (let i = 0; i < 4; i++) await page.keyboard.press('Control+Backspace');
    expect(await editor(page).textContent()).toMatch(/^Hola( \{name\})?,?\s?$/);
    expect((await chips(page)).every((chip) => chip === '{name}')).toBe(true);
  });

  it('lists placeholders by their first character, and a number inserts one', async () => {
    const source = new MemorySource(pack([row('hello', HELLO.forms[0]?.source ?? '')]));
    const page = await openPage(browser(), source);
    await page.keyboard.type('Hola {');
    expect(await page.locator('.choices button').allTextContents()).toEqual(['1 {name}', '2 {count}']);
    await page.keyboard.press('1');
    await page.keyboard.type(', tiene ');
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('2');
    await page.keyboard.type(' artículos');
    expect(await saved(page, source)).toEqual(['Hola {name}, tiene {count} artículos']);
  });

  it('leaves the list with Esc, selects with arrows, and inserts a placeholder of the source with a click', async () => {
    const source = new MemorySource(pack([row('hello', HELLO.forms[0]?.source ?? '')]));
    const page = await openPage(browser(), source);
    await page.keyboard.type('{');
    await page.keyboard.press('Escape');
    expect(await page.locator('.choices').count()).toBe(0);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type(' ');
    await page.locator('.row.open button.chip', { hasText: '{name}' }).click();
    expect(await chips(page)).toEqual(['{count}', '{name}']);
  });

  it('keeps line ends of every kind, and writes new ones', async () => {
    const source = new MemorySource(pack([row('lines', 'One\r\nTwo', 'Uno\r\nDos')]));
    const page = await openPage(browser(), source);
    expect(await chips(page)).toEqual(['CR']);
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('Tres');
    expect(await saved(page, source)).toEqual([expect.stringMatching(/^Uno(?:!\r|\r!)\nDos\nTres$/)]);
    await page.getByLabel('Plain text fields').check();
    await page.keyboard.press('Control+Z');
  });

  it('is a plain text field on request, with the same keys', async () => {
    const source = new MemorySource(pack([row('lines', 'One\r\nTwo', 'Uno\r\nDos'), HELLO]));
    const page = await openPage(browser(), source);
    await page.getByLabel('Plain text fields').check();
    expect(await page.locator('.cm-editor').count()).toBe(0);
    await editor(page).press('Control+End');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('Tres');
    expect(await saved(page, source)).toEqual(['Uno\r\nDos\r\nTres']);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Hola {');
    await page.keyboard.press('1');
    expect(await editor(page).inputValue()).toBe('Hola {name}');
    await page.keyboard.press('Control+Z');
    expect(await editor(page).inputValue()).toBe('Hola {');
  });

  it('has one field for each plural form, with example numbers', async () => {
    const source = new MemorySource(pack(mixedRows().filter(({ key }) => key === 'cart.items')));
    const page = await openPage(browser(), source);
    expect(await page.locator('.form').allTextContents()).toEqual(['one (for 1)', 'other (for 0, 2, 3, 10)']);
    await editor(page, 1).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' más');
    expect(await saved(page, source)).toEqual(['{n} archivo', '{n} archivos más']);
  });

  it('copies the source with a key, and restores the text', async () => {
    const source = new MemorySource(pack([HELLO]));
    const page = await openPage(browser(), source);
    await page.keyboard.press('Alt+C');
    expect(await editor(page).textContent()).toBe(HELLO.forms[0]?.source);
    await page.getByRole('button', { name: 'Revert' }).click();
    expect(await editor(page).textContent()).toBe('Hola {name}, tiene {count} artículos');
  });

  it('is right-to-left if the language is written that way', async () => {
    const rows = [row('hello', 'Hello {name}', 'مرحبا {name}', { locale: 'ar' })];
    const page = await openPage(browser(), new MemorySource(pack(rows)));
    const directionOf = (selector: string): Promise<unknown> =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
    expect(await directionOf('.cm-content')).toBe('rtl');
    expect(await directionOf('.cm-content .chip')).toBe('ltr');
    const chip = page.locator('.cm-content .chip');
    const [text, mark] = [await editor(page).boundingBox(), await chip.boundingBox()];
    expect((mark?.x ?? 0) - (text?.x ?? 0)).toBeGreaterThan((text?.width ?? 0) / 2);
    expect(await editor(page).getAttribute('lang')).toBe('ar');
  });

  it('keeps chips and the cursor while a message is incomplete', async () => {
    const source = '{n, plural, one {# file} other {# files}} of {name}';
    const icu = row('icu', source, '', {
      forms: [form(source, '{n, plural, one {# archivo} other {# archivos}} de {name}', { syntax: 'icu' })],
    });
    const page = await openPage(browser(), new MemorySource(pack([icu])));
    const before = await chips(page);
    expect(before).toContain('{name}');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' {');
    expect(await chips(page)).toEqual(before);
    expect(await page.locator('.findings .error').count()).toBe(1);
    await page.keyboard.press('Backspace');
    expect(await page.locator('.findings .error').count()).toBe(0);
  });

  it('shows hostile texts without interpreting them', async () => {
    const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>\u202egnp.exe\0 \u2028`;
    const rows = [row(hostile, hostile, hostile, { comment: hostile }), row('b', `x ${hostile}`, hostile)];
    const source = new MemorySource(
      pack(rows, { title: hostile, files: [{ path: hostile, format: hostile, framework: hostile }] }),
    );
    const page = await openPage(browser(), source);
    expect(await chips(page)).toEqual(expect.arrayContaining(['RLO', 'NUL', 'U+2028']));
    expect(await page.locator('#app img:not(.cm-widgetBuffer), #app script, #app [onerror]').count()).toBe(0);
    await page.keyboard.press('Alt+K');
    expect(await page.title()).toBe('shop');
  });
});
