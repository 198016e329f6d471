import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from '../../cli/harness.ts';
import { executablePath, newQuietPage, useBrowser } from './opened-page.ts';

const SPANISH = `{
    "open":  "Abrir",
    "bye": "Adi\\u00f3s {name}", "none": ""
}`;

/** Runs `dragoman review` until the work is done. */
async function reviewing(
  root: string,
  work: (address: string) => Promise<void>,
  ...options: readonly string[]
): Promise<void> {
  const stop = new AbortController();
  let running = Promise.resolve({ exitCode: -1 });
  const address = await new Promise<string>((resolve) => {
    let seen = '';
    running = dragoman(['review', '-s', 'en', '-t', 'es', ...options], {
      cwd: root,
      signal: stop.signal,
      onStderr: (text) => {
        seen += text;
        const [url] = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(seen) ?? [];
        if (url !== undefined) resolve(url);
      },
    });
  });
  try {
    await work(address);
  } finally {
    stop.abort();
    await running;
  }
}

describe.skipIf(executablePath === undefined)('the review page of a project', () => {
  const browser = useBrowser();

  it('writes only values, and shows changes by others', async () => {
    const root = projectWith({
      'locales/en.json': '{"open": "Open", "bye": "Bye {name}", "none": "Nothing"}',
      'locales/es.json': SPANISH,
    });
    const file = join(root, 'locales/es.json');
    const read = (): string => readFileSync(file, 'utf8');
    await reviewing(root, async (address) => {
      const page = await newQuietPage(browser(), {});
      await page.goto(address);
      await page.locator('.row.open').waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Hasta luego {');
      await page.keyboard.press('1');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Nada');
      await page.keyboard.press('Enter');
      await page.getByText('3 of 3 approved').waitFor();
      expect(read()).toBe(
        SPANISH.replace(String.raw`Adi\u00f3s {name}`, 'Hasta luego {name}').replace('""', '"Nada"'),
      );
      expect(readFileSync(join(root, 'dragoman.lock'), 'utf8').match(/reviewed:person/g)).toHaveLength(3);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(read).toBe(SPANISH.replace(String.raw`Adi\u00f3s {name}`, 'Hasta luego {name}'));
      writeFileSync(file, read().replace('Abrir', 'Abre'));
      await page.getByLabel('Show').selectOption('all');
      await page.getByText('Abre', { exact: true }).waitFor();
      // A request without the session is refused.
      expect(await page.evaluate(`fetch('rows').then(({ status }) => status)`)).toBe(401);
      await page.close();
    });
  });

  it('turns words into a term with the keyboard; rows show it immediately', async () => {
    const long = 'Change the settings of your account, or delete the account: that takes a whole day.';
    const root = projectWith({
      'locales/en.json': JSON.stringify({ open: 'Open the dashboard', account: long }),
      'locales/es.json': '{"open": "Abrir el tablero", "account": "Cambiar los ajustes"}',
      'glossary.csv': '\ufeffterm;es;note\r\nFirefox;Firefox;',
    });
    const glossary = (): string => readFileSync(join(root, 'glossary.csv'), 'utf8');
    await reviewing(root, async (address) => {
      const page = await newQuietPage(browser(), {});
      await page.goto(address);
      await page.locator('.row.open .cm-content').waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Control+Shift+ArrowLeft');
      await page.keyboard.press('Alt+T');
      const words = async (): Promise<readonly string[]> =>
        Promise.all((await page.locator('dialog input').all()).map((field) => field.inputValue()));
      await expect.poll(words).toEqual(['Open the dashboard', 'tablero']);
      await page.keyboard.press('Delete');
      await page.keyboard.press('Enter');
      await page.getByText('the term is empty').waitFor();
      await page.keyboard.type('dashboard');
      await page.keyboard.press('Enter');
      await page.getByText('Added “dashboard” to the glossary.').waitFor();
      expect(glossary()).toBe('\ufeffterm;es;note\r\nFirefox;Firefox;\r\ndashboard;tablero;');
      expect(await page.locator('.term').allTextContents()).toEqual(['dashboard → tablero']);
      // The selected word is replaced: the field has the focus again.
      await page.keyboard.type('panel');
      await page.locator('.term.missing').waitFor();
      await page.keyboard.press('Alt+ArrowDown');
      await page.locator('.row.open', { hasText: 'Cambiar los ajustes' }).waitFor();
      await page.evaluate(`{
        const [text] = document.querySelector('.row.open .text').firstChild.childNodes;
        document.getSelection().setBaseAndExtent(text, 11, text, 19);
      }`);
      await page.keyboard.press('Alt+T');
      await expect.poll(words).toEqual(['settings', 'Cambiar los ajustes']);
      await page.keyboard.press('Escape');
      await page.evaluate('document.getSelection().removeAllRanges()');
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('Alt+ArrowDown');
      await page.locator('.row.open', { hasText: 'Cambiar los ajustes' }).waitFor();
      await page.keyboard.press('Alt+T');
      await expect.poll(words).toEqual(['', 'Cambiar los ajustes']);
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Control+Shift+ArrowRight');
      await expect.poll(words).toEqual(['Change', 'Cambiar los ajustes']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByText('Make the selected words a term of the glossary').waitFor();
      await page.close();
    });
  });

  it('continues with the same page after a restart on its port', async () => {
    const root = projectWith({
      'locales/en.json': '{"open": "Open"}',
      'locales/es.json': '{"open": "Abrir"}',
    });
    const page = await newQuietPage(browser(), {});
    let port = '';
    await reviewing(root, async (address) => {
      ({ port } = new URL(address));
      await page.goto(address);
      await page.locator('.row.open').waitFor();
      await page.getByLabel('Show').selectOption('all');
    });
    await page.locator('.cm-content').press('Control+A');
    await page.keyboard.type('Abra');
    await page.keyboard.press('Enter');
    await page.getByText('1 answer could not be saved').waitFor();
    const work = async (address: string): Promise<void> => {
      // Only the fragment of the address differs, so the page is not loaded again.
      await page.goto(address);
      await page.getByText('1 of 1 approved').waitFor();
      expect(readFileSync(join(root, 'locales/es.json'), 'utf8')).toBe('{"open": "Abra"}');
      expect(await page.locator('header .trouble').count()).toBe(0);
      expect(page.url()).toContain('show=all');
      expect(page.url()).not.toContain('token');
      writeFileSync(join(root, 'locales/es.json'), '{"open": "Abre"}');
      await page.getByText('Abre', { exact: true }).waitFor();
    };
    await reviewing(root, work, '--port', port);
  });

  it('opens in a tab that had no access', async () => {
    const root = projectWith({
      'locales/en.json': '{"open": "Open"}',
      'locales/es.json': '{"open": "Abrir"}',
    });
    const page = await newQuietPage(browser(), {});
    await reviewing(root, async (address) => {
      await page.goto(new URL('/', address).href);
      await page.getByText('This page has no access.').waitFor();
      await page.goto(address);
      await page.locator('.row.open').waitFor();
      expect(page.url()).not.toContain('token');
    });
  });
});
