import { spawn } from 'node:child_process';
import { dirname, isAbsolute, join } from 'node:path';
import { withoutKeys } from '../../base/child-environment.ts';
import { findProgram, withOwnPath } from '../../base/program-path.ts';
import { isInteractive, type Terminal } from './terminal.ts';

/** How to start the user's browser. */
interface Opener {
  readonly program: string;
  readonly args: readonly string[];
  /** Standard input. */
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Whether a person uses this terminal on the computer's own screen. */
export function mayOpenBrowser(terminal: Terminal, platform: NodeJS.Platform = process.platform): boolean {
  const { env } = terminal;
  if (!isInteractive(terminal)) return false;
  const has = (...names: readonly string[]): boolean => names.some((name) => (env[name] ?? '') !== '');
  // In WSL, the server cannot verify that a Windows browser belongs to its user.
  if (platform === 'linux') return has('DISPLAY', 'WAYLAND_DISPLAY') && !has('WSL_DISTRO_NAME');
  return !has('SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY');
}

/**
 * How to open an address, without a shell or a program in the checkout that contains `root`. Undefined if no way is
 * known. On Linux, other users may see the arguments; on other systems they cannot.
 *
 * @param url without quotes and spaces
 */
export function openerOf(
  url: string,
  root: string,
  env: Terminal['env'],
  platform: NodeJS.Platform = process.platform,
): Opener | undefined {
  const own = withoutKeys({ ...env });
  if (platform === 'darwin')
    return { program: '/usr/bin/osascript', args: ['-'], input: `open location "${url}"\n`, env: own };
  if (platform === 'win32') {
    const system = env['SystemRoot'];
    if (system === undefined || !isAbsolute(system)) return undefined;
    const program = join(system, 'System32', 'rundll32.exe');
    return { program, args: ['url.dll,FileProtocolHandler', url], input: '', env: own };
  }
  if (platform !== 'linux') return undefined;
  const program = findProgram('xdg-open', env, root);
  // xdg-open is a script that searches for browsers in PATH.
  return program === undefined ? undefined : { program, args: [url], input: '', env: withOwnPath(own, root) };
}

/** Starts the browser, which outlives this program. @param onFailure called once if that does not work */
export function startBrowser(opener: Opener, onFailure: () => void): void {
  const { program, args, input, env } = opener;
  const child = spawn(program, [...args], {
    cwd: dirname(program),
    env,
    stdio: [input === '' ? 'ignore' : 'pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== 0) onFailure();
  });
  child.stdin?.on('error', () => undefined).end(input);
  child.unref();
}
