import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../postgres/cluster.ts';

export const HAPROXY = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/usr/bin/haproxy'].find((path) =>
  existsSync(path),
);

/** Whether tests can use a balancer. Otherwise they report that they were skipped. */
export const hasBalancer = HAPROXY !== undefined;

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * HAProxy in front of servers: each connection goes to the next of them. It passes bytes on unchanged, so that claims
 * about bytes hold: a balancer that parses HTTP writes header names in lower case.
 */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-balancer-'));
  const port = await freePort();
  const servers = urls.map((url, i) => `  server replica${i} ${new URL(url).host}`);
  const configuration = `
global
  nbthread 1
  maxconn 4000
defaults
  mode tcp
  balance roundrobin
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen replicas
  bind 127.0.0.1:${port}
${servers.join('\n')}
`;
  const path = join(directory, 'haproxy.cfg');
  await writeFile(path, configuration);
  const child = spawn(HAPROXY ?? 'haproxy', ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  const limit = Date.now() + 20_000;
  while (!(await isListening(port))) {
    if (child.exitCode === null && Date.now() < limit) await delay(20);
    else {
      await close();
      throw new Error(`haproxy does not listen: ${said}`);
    }
  }
  return { url: `http://127.0.0.1:${port}`, close };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
