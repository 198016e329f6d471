import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { mixedRows, pack, row } from '../sample-pack.ts';
import type { RowContext } from '../../../src/review/protocol.ts';
import { MemorySource } from './memory-source.ts';
import { executablePath, openPage, useBrowser } from './opened-page.ts';

interface Rule {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The accessibility problems that axe finds on a page. */
async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations, passes }: Record<'violations' | 'passes', readonly Rule[]> =
    await page.evaluate('axe.run()');
  // Fewer passes would mean that nothing was examined.
  expect(passes.length).toBeGreaterThan(5);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} ${html} ${failureSummary}`),
  );
}

const RIGHT_TO_LEFT = [
  row('cart.empty', 'Your cart is empty.', 'سلة التسوق فارغة.', { locale: 'ar' }),
  row('cart.greeting', 'Hello {name}, you have {count} items', 'مرحبا {name}، لديك {count} عناصر', {
    locale: 'ar',
    comment: 'Shown at the top of the cart.',
  }),
];

const CONTEXT: RowContext = {
  before: [{ text: 'Hi {name}, you have {count} items', comment: 'Shown at the top of the page.' }],
  terms: [
    { term: 'items', translations: ['cosas'], isCaseSensitive: false, note: 'what the cart has' },
    { term: 'Hello', translations: ['Hola', 'مرحبا'], isCaseSensitive: false },
  ],
  similar: [
    [
      { source: 'Hello {name}, you have {count} items', translation: '{name}: {count}', similarity: 1 },
      {
        source: 'Hello {name}, you have {count} new items',
        translation: '{count} / {name}',
        similarity: 0.86,
      },
    ],
  ],
};

describe.skipIf(executablePath === undefined)('the look of the review page', () => {
  const browser = useBrowser();
  const narrow = { viewport: { width: 390, height: 800 } };

  it.each([
    ['light', {}, mixedRows()],
    ['dark', { colorScheme: 'dark' as const }, mixedRows()],
    ['narrow', narrow, mixedRows()],
    ['right to left', {}, RIGHT_TO_LEFT],
  ])('is accessible: %s', async (name, options, rows) => {
    const source = new MemorySource(pack(rows));
    source.rowContext = CONTEXT;
    const page = await openPage(browser(), source, options);
    const shoot = async (part: string): Promise<void> => {
      const directory = process.env['DRAGOMAN_SCREENSHOTS'];
      if (directory !== undefined) await page.screenshot({ path: `${directory}/${name}-${part}.png` });
    };
    await page.locator('.row:not(.open) .texts', { hasText: 'Hello' }).click();
    await page.locator('.similar li').first().waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.locator('.field .cm-content, .field textarea').fill('Hola {');
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Space');
    expect(await violationsOn(page)).toEqual([]);
    await shoot('row');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('?');
    expect(await violationsOn(page)).toEqual([]);
    await shoot('keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+H');
    await page.keyboard.type('a');
    expect(await violationsOn(page)).toEqual([]);
    await shoot('replace');
    // Nothing is wider than the screen.
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
