import { describe, expect, it } from 'vitest';
import { pack, plainRows } from '../sample-pack.ts';
import { MemorySource } from './memory-source.ts';
import { executablePath, openPage, useBrowser } from './opened-page.ts';

/** Measures how long a frame takes after each key press, as users perceive it. */
const MEASURE = `(async () => {
  const times = [];
  const field = document.querySelector('.cm-content');
  field.focus();
  for (let i = 0; i < 60; i++) {
    const start = performance.now();
    document.execCommand('insertText', false, 'x');
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
})()`;

describe.skipIf(executablePath === undefined)('a hundred thousand texts', () => {
  const browser = useBrowser();

  it('are listed, filtered and edited; prints how long that takes', async () => {
    const source = new MemorySource(pack(plainRows(100_000)));
    const opening = performance.now();
    const page = await openPage(browser(), source);
    const opened = performance.now() - opening;
    expect(await page.getByText('To review (100,000)').count()).toBe(1);
    // Only texts near the visible part are in the document.
    expect(await page.locator('.item').count()).toBeLessThan(60);
    const times = (await page.evaluate(MEASURE)) as number[];
    expect(await page.locator('.cm-content').textContent()).toContain('x'.repeat(60));
    await page.getByRole('button', { name: 'Revert' }).click();

    const confirming = performance.now();
    await page.keyboard.press('Enter');
    await page.locator('.row.open .key', { hasText: 'menu.item.1' }).waitFor();
    const confirmed = performance.now() - confirming;

    const searching = performance.now();
    await page.getByLabel('Search').fill('document 98765 ');
    await page.locator('.key', { hasText: /^menu\.item\.98765$/ }).waitFor();
    const found = performance.now() - searching;
    await page.getByLabel('Search').fill('');
    await page.getByText('99,999 of 100,000 texts').waitFor();

    // Scrolling to the end shows the last text.
    await page.locator('.scroller').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page.locator('.key', { hasText: /^menu\.item\.99999$/ }).waitFor();

    const ms = (time: number | undefined): string => `${Math.round(time ?? NaN)} ms`;
    process.stdout.write(
      `100,000 texts: opened in ${ms(opened)}; a key p50 ${ms(times[30])}, p95 ${ms(times[57])}; ` +
        `Enter ${ms(confirmed)}; search ${ms(found)}\n`,
    );
  });
});
