import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../readers/chromium.ts';
import type { AttackRow } from './row.ts';

/** A report page in a browser, for a project in which every text is an attacker's. */

const executablePath = chromiumPath();
const skipped = executablePath === undefined ? 'needs a browser (Debian: chromium)' : undefined;

const EVIL = [
  '</script><script>pwned()</script>',
  '</title></style></textarea></noscript><script>pwned()</script>',
  '<img src="x:y" onerror="pwned()">',
  '<svg/onload=pwned()>',
  '<!--<script>pwned()</script>-->',
  '<!--<script>',
  '"><script>pwned()</script>',
  "' onmouseover='pwned()",
  '" autofocus onfocus="pwned()" x="',
  '<a href="javascript:pwned()">x</a>',
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:1/">',
  '<base href="http://127.0.0.1:1/"><link rel="stylesheet" href="x">',
  '<style>@import "http://127.0.0.1:1/x";</style>',
  '${pwned()}`${pwned()}',
  '{{constructor.constructor("pwned()")()}}',
  '\u2028pwned()\u2029//',
  '\ud83d<script>pwned()</script>',
  '__proto__',
  'constructor',
];

export const pageRows: readonly AttackRow[] = [
  {
    attack: `${EVIL.length} texts with scripts and markup, as keys, values and file names in reports of sync and status, and in the address of the report`,
    expected: 'the browser runs no script and sends no request',
    skipped,
    async run(trial) {
      const { room } = trial;
      const cwd = room.directory();
      const entries = Object.fromEntries(
        EVIL.flatMap((text, i) => [
          [text, text],
          [`key${i}`, `${text} {${text}}`],
        ]),
      );
      for (const [i, text] of EVIL.entries()) {
        const directory = join(
          cwd,
          'locales',
          `${i}${text
            .toWellFormed()
            .replaceAll(/[/\u0000]/g, '∕')
            .slice(0, 60)}`,
        );
        mkdirSync(directory, { recursive: true });
        writeFileSync(join(directory, 'en.json'), JSON.stringify({ a: text }));
      }
      writeFileSync(join(cwd, 'en.json'), JSON.stringify(entries));
      writeFileSync(
        join(cwd, 'fr.json'),
        JSON.stringify(Object.fromEntries(EVIL.map((text) => [`x${text}`, text]))),
      );
      const pair = ['-s', 'en', '-t', 'fr'];
      const reports = [
        await room.run(['status', ...pair, '--report', 'status.html'], { cwd }),
        await room.run(['sync', ...pair, '--engine', 'pseudo', '--report', 'sync.html'], { cwd }),
      ];
      trial.holds(
        'both reports are written',
        reports.every(({ code }) => code !== null && code !== 2),
        reports,
      );
      const browser = await chromium.launch({
        executablePath: executablePath ?? '',
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
      });
      room.onClose(() => browser.close());
      let shown = 0;
      for (const name of ['status.html', 'sync.html']) {
        for (const hash of [
          '',
          ...EVIL.slice(0, 6).map((text) => `#q=${encodeURIComponent(text)}`),
          '#lang=__proto__&status=constructor',
          '#page=1e9&lang=<script>',
        ]) {
          const page = await browser.newPage();
          const address = pathToFileURL(join(cwd, name)).href;
          const noise: string[] = [];
          await page.exposeFunction('pwned', () => noise.push('a text was run'));
          page.on(
            'request',
            (request) => request.url().split('#')[0] !== address && noise.push(`request ${request.url()}`),
          );
          page.on('dialog', (dialog) => void dialog.dismiss().then(() => noise.push('dialog')));
          page.on('pageerror', (error) => noise.push(`error ${error.message}`));
          await page.goto(`${address}${hash}`);
          await page.locator('#count[data-done=yes]').waitFor();
          trial.equals(`the actions of the browser with ${name}${hash}`, noise, []);
          const markup = await page
            .locator('#rows :is(script, img, svg, iframe, a[href^="javascript"], base, meta, style)')
            .count();
          trial.equals('the elements of texts', markup, 0);
          if (hash === '') shown += await page.locator('#rows tr').count();
          await page.close();
        }
      }
      trial.holds('the texts are shown', shown > EVIL.length * 2, shown);
      return `${shown} rows shown`;
    },
  },
];
