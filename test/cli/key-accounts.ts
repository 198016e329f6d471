import { join } from 'node:path';
import { openStore } from '../../src/store/open-store.ts';
import { dragoman, temporaryDirectory, type Result } from './harness.ts';

export const ANNA = ['--email', 'anna@example.org', '--name', 'Anna Schmidt', '--credits', '1000'];
export const BERND = ['--email', 'bernd@example.org', '--name', 'Bernd', '--credits', '5'];

type Run = (command: string, ...args: readonly string[]) => Promise<Result>;

export function inDirectory(directory: string): Run {
  return (command, ...args) => dragoman(['keys', command, '--data-dir', directory, ...args]);
}

export async function withAnna(): Promise<{ run: Run; directory: string; key: string }> {
  const directory = join(temporaryDirectory(), 'data');
  const run = inDirectory(directory);
  return { run, directory, key: (await run('create', ...ANNA)).stdout.trim() };
}

export async function stateOf(directory: string, key: string): Promise<string> {
  const store = await openStore({ directory });
  const instance = await store.register();
  const { state } = await instance.metering.admit(key);
  await instance.close();
  await store.close();
  return state;
}

export const json = ({ stdout }: Result): unknown => JSON.parse(stdout);
