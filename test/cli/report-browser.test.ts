import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../readers/chromium.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';
import { largeReport, mixedReport } from './report-samples.ts';

const executablePath = chromiumPath();

describe.skipIf(executablePath === undefined)('the report in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(async () => browser.close());

  /** Opens a page, and checks that it loads nothing and reports no error during the test. */
  async function look(file: string, hash = '', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const noise: string[] = [];
    const address = `${pathToFileURL(file).href}${hash}`;
    page.on('request', (request) => noise.push(`request ${request.url()}`));
    page.on('dialog', (dialog) => {
      noise.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => noise.push(`console ${message.text()}`));
    page.on('pageerror', (error) => noise.push(`error ${error.message}`));
    onTestFinished(async () => {
      await context.close();
      expect(noise).toEqual([`request ${pathToFileURL(file).href}`]);
    });
    await page.goto(address);
    if (options.javaScriptEnabled !== false) await settled(page);
    return page;
  }

  const settled = async (page: Page): Promise<void> => {
    await page.locator('#count[data-done=yes]').waitFor();
  };

  const keysOn = (page: Page): Promise<string[]> =>
    page.locator('#rows th').evaluateAll((cells) => cells.map((cell) => String(cell.firstChild?.nodeValue)));

  const count = (page: Page): Promise<string | null> => page.textContent('#count');

  async function filter(page: Page, change: () => Promise<unknown>): Promise<void> {
    // Without the mark of the previous search, `settled` waits for the next one.
    await page.evaluate(`delete document.getElementById('count').dataset.done`);
    await change();
    await settled(page);
  }

  it('shows the same counts as the JSON document', async () => {
    const { file, document } = await mixedReport();
    const page = await look(file);
    const numberIn = async (row: string, name: string): Promise<number> => {
      const [shown] = await page.locator(`${row} [data-count="${name}"]`).allTextContents();
      // A column of zeros is left out.
      return Number(shown ?? 0);
    };
    const { languages } = document.projects[0] ?? { languages: [] };
    expect(languages.map(({ language_code }) => language_code)).toEqual(['ar', 'es']);
    for (const { language_code: locale, coverage, changes } of languages) {
      const expected = {
        Keys: coverage['keys'],
        Translated: coverage['translated'],
        Missing: coverage['missing'],
        Stale: coverage['stale'],
        Edited: coverage['edited'],
        Outdated: coverage['outdated'],
        Extra: coverage['extra'],
        'Now translated': changes['translated'],
        Renamed: changes['reused'],
        Kept: changes['kept'],
        Failed: changes['failed'],
        Removed: changes['pruned'],
      };
      for (const [name, number] of Object.entries(expected)) {
        expect(await numberIn(`[data-language=${locale}]`, name), `${locale} ${name}`).toBe(number);
        const files = await page
          .locator(`[data-files=${locale}] tbody [data-count="${name}"]`)
          .allTextContents();
        expect(files).toHaveLength(number === 0 ? 0 : 2);
        expect(files.map(Number).reduce((sum, each) => sum + each, 0)).toBe(number);
      }
    }
    // The tables agree with the keys that a search finds.
    for (const [link, status] of [
      ['Missing', 'missing'],
      ['Edited', 'edited'],
      ['Outdated', 'outdated'],
      ['Extra', 'extra'],
      ['Now translated', 'run:translated'],
      ['Failed', 'run:failed'],
      ['Kept', 'run:kept'],
    ] as const) {
      await filter(page, () => page.evaluate(`location.hash = 'lang=es&status=${status}'`));
      expect(Number.parseInt((await count(page)) ?? '', 10), link).toBe(
        await numberIn('[data-language=es]', link),
      );
    }
    const problems = await numberIn('[data-language=es]', 'Problems');
    expect(problems).toBeGreaterThan(2);
    await filter(page, () => page.locator('[data-language=es] [data-count=Problems] a').click());
    expect(await count(page)).toBe(`${problems} keys`);
  });

  it('shows source and translation side by side, with language, direction and placeholders', async () => {
    const { file } = await mixedReport();
    const page = await look(file, '#lang=ar');
    const row = page.locator('#rows tr').nth(0);
    expect(await row.locator('th').getAttribute('scope')).toBe('row');
    expect(await row.locator('td .text').allTextContents()).toEqual(['Save {file}', 'ar Save {file}']);
    expect(await row.locator('td .text').evaluateAll((all) => all.map((one) => [one.lang, one.dir]))).toEqual(
      [
        ['en', 'auto'],
        ['ar', 'auto'],
      ],
    );
    expect(await row.locator('bdi.code').allTextContents()).toEqual(['{file}', '{file}']);
    expect(await row.locator('.place').allTextContents()).toEqual([
      expect.stringMatching(/^app\/en\.json:1:\d+$/),
      expect.stringMatching(/^app\/ar\.json:\d+:\d+$/),
    ]);
    const [source, translation] = await row
      .locator('td')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().x));
    expect(translation).toBeGreaterThan(source ?? Infinity);
    await filter(page, () => page.fill('#q', 'hard'));
    expect(await page.locator('#rows tr').innerText()).toMatch(
      /failed in this run\nthe engine program could not/,
    );
    await filter(page, () => page.fill('#q', 'fresh'));
    expect(await page.locator('#rows tr').innerText()).toMatch(/translated in this run\nby exec/);
  });

  it('searches regardless of case and accents, and filters', async () => {
    const { file } = await mixedReport();
    const page = await look(file);
    expect(await count(page)).toBe('15 keys');
    for (const query of ['CAFE', 'café', 'cafe\u0301', 'ＣＡＦＥ']) {
      await filter(page, () => page.fill('#q', query));
      expect(await keysOn(page), query).toEqual(['coffee', 'coffee']);
    }
    // The search covers keys and translations, not only sources.
    await filter(page, () => page.fill('#q', 'menu.op'));
    expect(await keysOn(page)).toEqual(['menu.open', 'menu.open']);
    await filter(page, () => page.fill('#q', 'abrir'));
    expect(await keysOn(page)).toEqual(['menu.open']);
    await filter(page, () => page.fill('#q', 'no such thing'));
    expect(await count(page)).toBe('0 keys');
    await filter(page, () => page.click('#reset'));
    expect(await count(page)).toBe('15 keys');

    await filter(page, () => page.selectOption('#lang', 'es'));
    expect(await count(page)).toBe('8 keys');
    await filter(page, () => page.selectOption('#file', 'app/en.json'));
    expect(await count(page)).toBe('7 keys');
    await filter(page, () => page.check('#problems'));
    expect(await keysOn(page)).toEqual(['menu.save', 'coffee', 'old', 'hard', 'gone']);
    await filter(page, () => page.selectOption('#status', 'outdated'));
    expect(await keysOn(page)).toEqual(['old']);
    await filter(page, () => page.click('#reset'));
    await filter(page, () => page.selectOption('#by', 'engine:exec'));
    // es: fresh; ar: fresh, and old, whose source has changed.
    expect((await keysOn(page)).sort()).toEqual(['fresh', 'fresh', 'old']);
    await filter(page, () => page.selectOption('#by', 'memory:any'));
    expect(await count(page)).toBe('0 keys');
  });

  it('keeps the search in its address, and restores it', async () => {
    const { file } = await mixedReport();
    const page = await look(file, '#lang=es&q=CAF%C3%89&problems=1');
    expect(await page.inputValue('#q')).toBe('CAFÉ');
    expect(await page.isChecked('#problems')).toBe(true);
    expect(await keysOn(page)).toEqual(['coffee']);
    await filter(page, () => page.fill('#q', 'a&b=c'));
    expect(page.url()).toContain('#lang=es&q=a%26b%3Dc&problems=1');
    await filter(page, () => page.locator('[data-files=ar] a', { hasText: 'web/en.json' }).first().click());
    expect(await keysOn(page)).toEqual(['title']);
    expect(await page.inputValue('#q')).toBe('');
    expect(await page.inputValue('#lang')).toBe('ar');
    // An empty category is not offered as a filter.
    const other = await look(file, '#lang=xx&page=99');
    expect(await count(other)).toBe('15 keys');
  });

  it('does not execute values, and shows invisible characters', async () => {
    const evil = {
      '</script><script>alert(1)</script>': '</script><img src="x:y" onerror="alert(1)"><!--<script>alert(2)',
      '\u2028\u2029': 'a\u202egnp.exe\u200b\u0007 \u00a0b',
      lone: 'half \ud83d of it\nnext\tline',
      whole: '👩\u200d💻 <a href="javascript:alert(3)">x</a>',
      __proto__x: '${alert(4)}`',
    };
    const root = projectWith({ 'en/<svg onload=alert(5)>\u202e.json': JSON.stringify(evil) });
    const file = join(root, '</title><script>alert(6).html'.replaceAll('/', '∕'));
    await dragoman(['sync', root, '-s', 'en', '-t', 'de', '--engine', 'pseudo', '--report', file]);
    const page = await look(file);
    expect(await count(page)).toBe('5 keys');
    expect(await page.locator('#rows img, #rows script, #rows a, svg, main script').count()).toBe(0);
    const sources = page.locator('#rows tr td:nth-child(2) .text');
    expect(await sources.nth(0).textContent()).toBe(Object.values(evil)[0]);
    expect(await sources.nth(1).locator('.sign').allTextContents()).toEqual([
      'U+202E',
      'U+200B',
      'U+0007',
      '⍽',
    ]);
    expect(await sources.nth(1).textContent()).not.toContain('\u202e');
    expect(await page.locator('#rows tr th').nth(1).locator('.sign').first().textContent()).toBe('U+2028');
    expect(await sources.nth(2).locator('.sign').allTextContents()).toEqual(['U+D83D', '↵', '⇥']);
    // A joiner is part of the emoji.
    expect(await sources.nth(3).textContent()).toContain('👩\u200d💻');
    await filter(page, () => page.fill('#q', '<img'));
    expect(await count(page)).toBe('1 key');
    await filter(page, () => page.fill('#q', '<script>alert(1)'));
    await page.waitForTimeout(50);
  });

  it('works by keyboard', async () => {
    const { file } = await mixedReport();
    const page = await look(file);
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.id');
    await page.keyboard.press('/');
    expect(await focused()).toBe('q');
    await filter(page, () => page.keyboard.type('o/o'));
    expect(await page.inputValue('#q')).toBe('o/o');
    await filter(page, () => page.keyboard.press('Enter'));
    const order = [];
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    expect(order).toEqual(['lang', 'file', 'status', 'by', 'problems', 'reset']);
    await filter(page, () => page.keyboard.press('Enter'));
    expect(await count(page)).toBe('15 keys');
    expect(await focused()).toBe('q');
    // Every control has a name.
    for (const name of ['q', 'lang', 'file', 'status', 'by', 'problems', 'page']) {
      const label = await page.evaluate(`document.getElementById('${name}').labels[0]?.textContent.trim()`);
      expect(label, name).toBeTruthy();
    }
    expect(await page.getByRole('status').textContent()).toBe('15 keys');
    expect(await page.getByRole('table').count()).toBeGreaterThan(2);
    expect(await page.getByRole('columnheader', { name: 'Translation', exact: true }).count()).toBe(1);
  });

  it('is readable in dark mode, and on a phone', async () => {
    const { file } = await mixedReport();
    const backgrounds = [];
    for (const colorScheme of ['dark', 'light'] as const) {
      const page = await look(file, '', { colorScheme, viewport: { width: 360, height: 640 } });
      const colours = (await page.evaluate(
        `['backgroundColor', 'color'].map((name) => getComputedStyle(document.body)[name])`,
      )) as string[];
      const [back = 0, text = 0] = colours.map((colour) => Number(/\d+/.exec(colour)?.[0]));
      expect(Math.abs(back - text), colorScheme).toBeGreaterThan(180);
      backgrounds.push(back);
      expect(differentBytes(await page.screenshot())).toBeGreaterThan(60);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    expect(backgrounds[0]).toBeLessThan(60);
    expect(backgrounds[1]).toBeGreaterThan(240);
    // The appearance of a blank page.
    const blank = join(temporaryDirectory(), 'blank.html');
    writeFileSync(blank, '<!doctype html><body id="count" data-done="yes">&nbsp;');
    const page = await look(blank, '', { viewport: { width: 360, height: 640 } });
    expect(differentBytes(await page.screenshot())).toBeLessThan(30);
  });

  const NARROW = { viewport: { width: 390, height: 844 } };

  it('shows translation and status at 390 pixels, and no column of zeros', async () => {
    const { file } = await mixedReport();
    const page = await look(file, '', NARROW);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const cells = await page.locator('#rows td').all();
    expect(cells).toHaveLength(3 * 15);
    for (const cell of cells) {
      const box = await cell.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(390);
      expect(box?.width).toBeGreaterThan(200);
    }
    const row = page.locator('#rows tr').first();
    const tops = await row
      .locator('th, td')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(await row.locator('td').nth(2).isVisible()).toBe(true);
    const tables = await page.locator('table.summary').all();
    expect(tables).toHaveLength(3);
    for (const table of tables) {
      const columns = new Map<string, number>();
      for (const cell of await table.locator('td.number').all()) {
        const name = (await cell.getAttribute('data-count')) ?? '';
        columns.set(name, (columns.get(name) ?? 0) + Number(await cell.textContent()));
      }
      expect([...columns].filter(([, sum]) => sum === 0)).toEqual([]);
      expect(await table.locator('th.number').allTextContents()).toEqual([...columns.keys()]);
    }
    expect(await page.locator('[data-language=es] [data-count=Done]').isVisible()).toBe(true);
  });

  it('reports that an empty project is empty', async () => {
    const root = projectWith({ 'locales/en.json': '{}', 'locales/es.json': '{}' });
    const argv = ['status', '-s', 'en', '-t', 'es', '--report', 'out.html'];
    expect((await dragoman(argv, { cwd: root })).exitCode).toBe(0);
    const page = await look(join(root, 'out.html'), '', NARROW);
    expect(await page.locator('.banner').first().textContent()).toBe('There are no texts to translate.');
    expect(await page.locator('table.summary').count()).toBe(0);
    expect(await count(page)).toBe('0 keys');
  });

  it('comes with a badge that is readable at 390 pixels', async () => {
    const root = projectWith({
      'locales/en.json': '{"a": "One", "b": "Two"}',
      'locales/es.json': '{"a": "Uno"}',
    });
    const argv = ['status', '-s', 'en', '-t', 'es', '--badge', 'badge.svg'];
    expect((await dragoman(argv, { cwd: root })).exitCode).toBe(0);
    const page = await look(join(root, 'badge.svg'), '', { ...NARROW, javaScriptEnabled: false });
    expect(await page.locator('text').allTextContents()).toEqual(['translations', '50 %']);
    for (const text of await page.locator('text').all()) {
      const box = await text.boundingBox();
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? Infinity) <= 390).toBe(true);
      expect(box?.height).toBeGreaterThan(8);
    }
    expect(
      differentBytes(await page.screenshot({ clip: { x: 0, y: 0, width: 150, height: 20 } })),
    ).toBeGreaterThan(30);
  });

  it('shows the tables without scripts, and reports missing features', async () => {
    const { file } = await mixedReport();
    const page = await look(file, '', { javaScriptEnabled: false });
    expect(await page.locator('[data-language=es] [data-count=Keys]').innerText()).toBe('7');
    expect(await page.locator('[data-files=ar] tbody tr').count()).toBe(2);
    expect(await page.locator('noscript .banner').isVisible()).toBe(true);
    expect(await page.locator('#keys').isVisible()).toBe(false);
  });

  it('opens with a hundred thousand keys, and finds one of them', async () => {
    const file = await largeReport(100_000, ['de', 'es', 'fr', 'it', 'ja']);
    const page = await look(file, '#lang=ja');
    expect(await count(page)).toBe('20,000 keys');
    expect(await page.locator('#rows tr').count()).toBe(100);
    await filter(page, () => page.click('#reset'));
    expect(await count(page)).toBe('100,000 keys');
    expect(await page.textContent('#of')).toBe('of 1,000');
    await page.fill('#page', '1000');
    await page.press('#page', 'Tab');
    expect((await keysOn(page)).at(-1)).toBe('section.19999');
    expect(page.url()).toContain('page=1000');
    expect(await page.isDisabled('#next')).toBe(true);
    await page.click('#previous');
    expect(await page.inputValue('#page')).toBe('999');
    await filter(page, () => page.fill('#q', 'ÜBERSETZUNG 12345 fr'));
    expect(await keysOn(page)).toEqual(['section.12345']);
    expect(await page.locator('#rows tr td .text').nth(1).getAttribute('lang')).toBe('fr');
    await filter(page, () => page.fill('#q', ''));
    await filter(page, () => page.check('#problems'));
    expect(await count(page)).toBe('100 keys');
  });
});

/** The number of distinct byte values of a picture: a blank surface has hardly any. */
function differentBytes(png: Buffer): number {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return new Set(inflateSync(Buffer.concat(data))).size;
}
