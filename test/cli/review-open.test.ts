import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { mayOpenBrowser, openerOf } from '../../src/cli/terminal/browser.ts';
import { Sessions } from '../../src/review/guards.ts';
import { projectWith, temporaryDirectory } from './harness.ts';
import { FILES, seenIn, serving, writeOpener } from './served-review.ts';

const SYSTEM = '/usr/bin:/bin';
const run = promisify(execFile);

const tokenOf = (url: URL): string => new URLSearchParams(url.hash.slice(1)).get('token') ?? '';

async function exchange(url: URL): Promise<{ readonly status: number; readonly session: string }> {
  const answer = await fetch(new URL('/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin },
    body: JSON.stringify({ token: tokenOf(url) }),
  });
  const { session = '' } = (await answer.json()) as { session?: string };
  return { status: answer.status, session };
}

describe.skipIf(process.platform !== 'linux')('dragoman review on a terminal', () => {
  it('starts the browser with a code that is exchanged once, and keeps the token out of its arguments', async () => {
    const bin = writeOpener(join(temporaryDirectory(), 'bin'));
    const env = { DISPLAY: ':0', PATH: [bin, SYSTEM].join(delimiter) };
    await serving({ env }, async ({ address }) => {
      await vi.waitFor(() => expect(seenIn(bin)).toHaveLength(3), { timeout: 10_000 });
      const [count, argument = ''] = seenIn(bin);
      expect(count).toBe('1');
      const started = new URL(argument);
      expect(started.origin).toBe(address.origin);
      expect(tokenOf(started)).toMatch(/^[\w-]{43}$/);
      expect(tokenOf(started)).not.toBe(tokenOf(address));
      const { status, session } = await exchange(started);
      expect(status).toBe(200);
      const rows = await fetch(new URL('/rows', address), { headers: { 'x-dragoman-session': session } });
      expect(rows.status).toBe(200);
      expect((await exchange(started)).status).toBe(403);
      // The printed address still has its own code.
      expect((await exchange(address)).status).toBe(200);
      expect((await exchange(address)).status).toBe(403);
    });
  });

  it.skipIf(process.getuid?.() !== 0)('does not accept the code from other users', async () => {
    const bin = writeOpener(join(temporaryDirectory(), 'bin'));
    const env = { DISPLAY: ':0', PATH: [bin, SYSTEM].join(delimiter) };
    await serving({ env }, async ({ address }) => {
      await vi.waitFor(() => expect(seenIn(bin)).toHaveLength(3), { timeout: 10_000 });
      const started = new URL(seenIn(bin)[1] ?? '');
      const script = `fetch(${JSON.stringify(new URL('/session', address).href)}, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: ${JSON.stringify(address.origin)} },
        body: ${JSON.stringify(JSON.stringify({ token: tokenOf(started) }))},
      }).then(({ status }) => console.log(status))`;
      const { stdout } = await run(process.execPath, ['-e', script], { uid: 65_534, gid: 65_534, cwd: '/' });
      expect(stdout).toBe('403\n');
      expect((await exchange(started)).status).toBe(200);
    });
  });

  it('does not start programs in the checkout', async () => {
    const cwd = projectWith({ ...FILES, '.git/HEAD': '', 'app/locales/en.json': '{"a": "A"}' });
    const outside = temporaryDirectory();
    const traps = [join(cwd, 'bin'), join(outside, 'node_modules/.bin')];
    for (const trap of traps) writeOpener(trap);
    const good = writeOpener(join(outside, 'bin'));
    const env = { DISPLAY: ':0', PATH: ['bin', '', '.', ...traps, good, SYSTEM].join(delimiter) };
    await serving({ env, cwd }, async () => {
      await vi.waitFor(() => expect(seenIn(good)).toHaveLength(3), { timeout: 10_000 });
    });
    expect(traps.flatMap(seenIn)).toEqual([]);
    // xdg-open looks for browsers in the same directories.
    expect(seenIn(good)[2]).toBe([good, SYSTEM].join(delimiter));
    const url = 'http://127.0.0.1:1/';
    expect(openerOf(url, join(cwd, 'app'), { PATH: traps.join(delimiter) }, 'linux')).toBeUndefined();
  });

  it('asks to open the address if the browser does not start', async () => {
    const bin = writeOpener(join(temporaryDirectory(), 'bin'), 3);
    for (const path of [bin, '/nowhere'])
      await serving({ env: { DISPLAY: ':0', PATH: path + delimiter + '/nowhere' } }, async ({ stderr }) => {
        await vi.waitFor(() => expect(stderr()).toContain('No browser could be started'), {
          timeout: 10_000,
        });
      });
  });

  it('starts nothing with --no-open', async () => {
    const bin = writeOpener(join(temporaryDirectory(), 'bin'));
    const env = { DISPLAY: ':0', PATH: [bin, SYSTEM].join(delimiter) };
    await serving({ env }, async ({ address }) => void (await exchange(address)), '--no-open');
    expect(seenIn(bin)).toEqual([]);
  });
});

describe('the browser of dragoman review', () => {
  const terminal = (env: Record<string, string>, isTTY = true): Parameters<typeof mayOpenBrowser>[0] => {
    const stream = (): PassThrough & { isTTY: boolean } => Object.assign(new PassThrough(), { isTTY });
    const { signal } = new AbortController();
    return { stdin: stream(), stdout: stream(), stderr: stream(), env, cwd: '/', signal };
  };

  it.each<[string, NodeJS.Platform, Record<string, string>, boolean]>([
    ['with a display', 'linux', { DISPLAY: ':0' }, true],
    ['with Wayland', 'linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['over SSH with a display', 'linux', { DISPLAY: 'localhost:10.0', SSH_CONNECTION: 'x' }, true],
    ['without a display', 'linux', {}, false],
    ['in WSL', 'linux', { DISPLAY: ':0', WSL_DISTRO_NAME: 'Ubuntu' }, false],
    ['in CI', 'linux', { DISPLAY: ':0', CI: 'true' }, false],
    ['on a dumb terminal', 'linux', { DISPLAY: ':0', TERM: 'dumb' }, false],
    ['on macOS', 'darwin', {}, true],
    ['on macOS over SSH', 'darwin', { SSH_TTY: '/dev/ttys001' }, false],
    ['on Windows', 'win32', {}, true],
  ])('opens only where somebody sees it: %s', (_name, platform, env, isOpened) => {
    expect(mayOpenBrowser(terminal(env), platform)).toBe(isOpened);
    expect(mayOpenBrowser(terminal(env, false), platform)).toBe(false);
  });

  it('gets the address outside of the arguments on macOS, and never an API key', () => {
    const env = { DEEPL_API_KEY: 'secret', SystemRoot: '/windows', HOME: '/home/a' };
    const url = 'http://127.0.0.1:1/#token=x';
    const mac = openerOf(url, '/', env, 'darwin');
    expect(mac).toMatchObject({
      program: '/usr/bin/osascript',
      args: ['-'],
      input: `open location "${url}"\n`,
    });
    const windows = openerOf(url, '/', env, 'win32');
    expect(windows?.args).toEqual(['url.dll,FileProtocolHandler', url]);
    expect(windows?.program).toMatch(/^\/windows.System32.rundll32\.exe$/);
    for (const opener of [mac, windows])
      expect(opener?.env).toEqual({ SystemRoot: '/windows', HOME: '/home/a' });
    expect(openerOf(url, '/', { ...env, SystemRoot: 'windows' }, 'win32')).toBeUndefined();
    expect(openerOf(url, '/', env, 'aix')).toBeUndefined();
  });

  it('must use its code within a minute, and only the latest code is valid', () => {
    const sessions = new Sessions();
    const late = sessions.makeCode(0);
    expect(sessions.exchangeCode(late, 60_001)).toBeUndefined();
    const first = sessions.makeCode(0);
    const second = sessions.makeCode(0);
    expect(sessions.exchangeCode(first, 1)).toBeUndefined();
    expect(sessions.exchangeCode(sessions.token, 1)).toBeUndefined();
    expect(sessions.exchange(second)).toBeUndefined();
    const session = sessions.exchangeCode(second, 60_000);
    expect(sessions.has(session)).toBe(true);
    expect(sessions.exchangeCode(second, 1)).toBeUndefined();
  });
});
