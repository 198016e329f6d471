import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { operations, type Operation } from '../../src/contract/operations.ts';
import * as limits from '../../src/contract/limits.ts';
import { quote } from '../../src/server/docs/curl.ts';
import { VERIFY_EXAMPLE } from '../../src/server/docs/guide.ts';
import { html, prose } from '../../src/server/docs/html.ts';
import { DOCS_POLICY, docsPage } from '../../src/server/docs/page.ts';

const page = docsPage('https://translate.test');
const text = page
  .replace(/<style>[^]*?<\/style>/, '')
  .replace(/<[^>]+>/g, '')
  .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

describe('the page of documentation', () => {
  it('has every endpoint, with an example, its fields and its errors', () => {
    for (const [id, { method, path }] of Object.entries<Operation>(operations)) {
      expect(page).toContain(`<a href="#${id}">${method} ${path}</a>`);
      expect(page.split(`id="${id}"`), id).toHaveLength(2);
      expect(text).toContain(`$DRAGOMAN_BASE_URL${path.replace('{job_id}', '$JOB_ID')}`);
    }
    for (const field of [
      'html_body',
      'translations[].success',
      'translated_files[].file_url',
      'summary.success_rate',
    ]) {
      expect(text).toContain(field);
    }
  });

  it('has the limits', () => {
    for (const limit of [limits.MAX_TEXT, limits.MAX_HTML, limits.MAX_EMAIL_BODY, limits.MAX_FILE_BYTES]) {
      expect(text).toContain(limit.toLocaleString('en'));
    }
    expect(text).toContain(`1 to ${limits.MAX_TARGET_LANGUAGES}`);
    expect(text).toContain(`1 to ${limits.MAX_TEXTS} entries`);
  });

  it('shows no key where others see it', () => {
    for (const line of text.split('\n').filter((line) => line.includes('curl'))) {
      expect(line).not.toMatch(/curl.*DRAGOMAN_API_KEY/);
    }
  });

  it('needs nothing from elsewhere and runs nothing', () => {
    expect(page).not.toMatch(/<script|<iframe|<img|<form|\son\w+=|\sstyle=|@import|url\(/i);
    const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !address?.startsWith('#'))).toEqual(['data:,', 'openapi.json']);
  });

  it('writes what comes from outside as text', () => {
    expect(docsPage(`https://a.test/"><script>x</script>'$(rm)`)).not.toContain('<script');
    expect(html`<p title="${'"\'<&'}">${'<b>'}${[html`<i>${1}</i>`]}</p>`.markup).toBe(
      '<p title="&#34;&#39;&#60;&#38;">&#60;b&#62;<i>1</i></p>',
    );
    expect(prose('a `<b>` c').markup).toBe('a <code>&#60;b&#62;</code> c');
  });

  it('quotes words for a shell', () => {
    const word = `it's "$HOME" \`id\` \\ *`;
    expect(spawnSync('sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' }).stdout).toBe(word);
  });

  it('has a check of webhooks that works', async () => {
    expect(text).toContain(VERIFY_EXAMPLE.trim());
    const source = `data:text/javascript,${encodeURIComponent(VERIFY_EXAMPLE)}`;
    const { isGenuine } = (await import(/* @vite-ignore */ source)) as {
      isGenuine: (secret: string, headers: Record<string, string>, body: string) => boolean;
    };
    const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
    const now = new Date();
    const headersAt = (at: Date): Record<string, string> => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,AAAA v2,x ${new Webhook(secret).sign('msg_1', at, '{"a":1}')}`,
    });
    expect(isGenuine(secret, headersAt(now), '{"a":1}')).toBe(true);
    expect(isGenuine(secret, headersAt(now), '{"a":2}')).toBe(false);
    expect(isGenuine(`whsec_${'A'.repeat(43)}=`, headersAt(now), '{"a":1}')).toBe(false);
    expect(isGenuine(secret, headersAt(new Date(now.getTime() - 400_000)), '{"a":1}')).toBe(false);
    expect(isGenuine(secret, { ...headersAt(now), 'webhook-signature': '' }, '{"a":1}')).toBe(false);
    expect(isGenuine(secret, {}, '{"a":1}')).toBe(false);
  });
});

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);

describe.skipIf(browser === undefined)('the page in a browser', () => {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-docs-'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.url === '/docs') response.setHeader('content-security-policy', DOCS_POLICY);
    response.end(request.url === '/telephone' ? TELEPHONE : page);
  });
  let base = '';

  // A telephone's width, which a window of a browser does not get down to.
  const TELEPHONE = `<iframe src="/plain" width="320" height="640"></iframe><script>
    onload = () => {
      const { scrollWidth, clientWidth } = document.querySelector('iframe').contentDocument.documentElement;
      document.title = clientWidth + ' of ' + scrollWidth;
    };
  </script>`;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  async function browse(
    address: string,
    ...options: readonly string[]
  ): Promise<{ stdout: string; stderr: string }> {
    const common = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--window-size=800,600',
    ];
    const profile = `--user-data-dir=${mkdtempSync(join(directory, 'profile-'))}`;
    const args = [...common, profile, '--enable-logging=stderr', ...options, base + address];
    return promisify(execFile)(browser ?? '', args, { timeout: 25_000, maxBuffer: 1 << 24 });
  }

  async function topLeftPixel(scheme: 'dark' | 'light'): Promise<readonly number[]> {
    const file = join(directory, `${scheme}.png`);
    const setting = `--blink-settings=preferredColorScheme=${scheme === 'dark' ? 0 : 1}`;
    const { stderr } = await browse('/docs', `--screenshot=${file}`, setting);
    expect(stderr).not.toMatch(/Content Security Policy|CONSOLE/);
    return firstPixelOf(readFileSync(file));
  }

  it('is styled under its policy, by day and by night', async () => {
    // Without the style there would be no night: the page would be white.
    expect(Math.max(...(await topLeftPixel('dark')))).toBeLessThan(60);
    expect(Math.min(...(await topLeftPixel('light')))).toBeGreaterThan(240);
    expect([...new Set(asked)]).toEqual(['/docs']);
  });

  it('is complete, and no wider than a telephone', async () => {
    const { stdout } = await browse('/telephone', '--dump-dom');
    // Beside a scroll bar.
    const [, shown = '0', wide] = /<title>(\d+) of (\d+)<\/title>/.exec(stdout) ?? [];
    expect(Number(shown)).toBeGreaterThan(290);
    expect(wide).toBe(shown);
    const { stdout: dom } = await browse('/docs', '--dump-dom');
    expect(dom.match(/<article>/g)).toHaveLength(Object.keys(operations).length);
    expect(dom.trimEnd().endsWith('</body></html>')).toBe(true);
  });
});

/** Red, green and blue at the left top of a PNG without a palette: no filter has anything to refer to there. */
function firstPixelOf(png: Buffer): readonly number[] {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  return [...inflateSync(Buffer.concat(data)).subarray(1, 4)];
}
