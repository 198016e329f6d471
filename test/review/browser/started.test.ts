import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../cli/harness.ts';
import { seenIn, serving, writeOpener } from '../../cli/served-review.ts';
import { executablePath, newQuietPage, useBrowser } from './opened-page.ts';

describe.skipIf(executablePath === undefined)(
  'the address with which dragoman review starts a browser',
  () => {
    const browser = useBrowser();

    it('opens the page, which does not keep a secret in its address', async () => {
      const bin = writeOpener(join(temporaryDirectory(), 'bin'));
      const env = { DISPLAY: ':0', PATH: [bin, '/usr/bin', '/bin'].join(delimiter) };
      await serving({ env }, async ({ address }) => {
        await expect.poll(() => seenIn(bin), { timeout: 20_000 }).toHaveLength(3);
        const page = await newQuietPage(browser(), {});
        await page.goto(seenIn(bin)[1] ?? '');
        await page.locator('.row', { hasText: 'Abrir' }).first().waitFor();
        expect(new URL(page.url())).toMatchObject({
          origin: address.origin,
          hash: expect.not.stringContaining('token'),
        });
        await page.reload();
        await page.locator('.row', { hasText: 'Abrir' }).first().waitFor();
        await page.context().close();
      });
    });
  },
);
