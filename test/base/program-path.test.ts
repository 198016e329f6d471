import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram, withOwnPath } from '../../src/base/program-path.ts';
import { openRepository } from '../../src/git/repository.ts';
import { projectWith, temporaryDirectory } from '../cli/harness.ts';

function writeProgram(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), '#!/bin/sh\nexit 9\n');
  chmodSync(join(directory, name), 0o755);
  return directory;
}

describe.skipIf(process.platform === 'win32')('the search for programs', () => {
  const outside = (): string => writeProgram(join(temporaryDirectory(), 'bin'), 'tool');

  it('skips the checkout, packages, and relative or missing directories', () => {
    const root = projectWith({ '.git/HEAD': '', 'app/en.json': '{}' });
    const good = outside();
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(writeProgram(join(root, 'tools'), 'tool'), link);
    const bad = [
      'bin',
      '',
      '.',
      '/nowhere',
      writeProgram(join(root, 'app/bin'), 'tool'),
      link,
      writeProgram(join(temporaryDirectory(), 'node_modules/.bin'), 'tool'),
    ];
    const env = { PATH: [...bad, good].join(delimiter), HOME: '/home/a' };
    expect(findProgram('tool', env, join(root, 'app'))).toBe(join(good, 'tool'));
    expect(findProgram('tool', { PATH: bad.join(delimiter) }, join(root, 'app'))).toBeUndefined();
    expect(withOwnPath(env, join(root, 'app'))).toEqual({ HOME: '/home/a', PATH: good });
  });

  it.each(['.git', '.hg', '.svn', '.jj', '.bzr'])('skips a checkout with %s', (name) => {
    const root = projectWith({ [`${name}/store`]: '', 'app/en.json': '{}' });
    const good = outside();
    const path = [writeProgram(join(root, 'bin'), 'tool'), good].join(delimiter);
    for (const start of [root, join(root, 'app')])
      expect(findProgram('tool', { PATH: path }, start)).toBe(join(good, 'tool'));
    expect(withOwnPath({ PATH: path }, root)).toEqual({ PATH: good });
  });

  it('skips a link to a program in the checkout', () => {
    const root = projectWith({ '.git/HEAD': '', 'bin/other': '' });
    const directory = outside();
    symlinkSync(join(writeProgram(join(root, 'bin'), 'linked'), 'linked'), join(directory, 'linked'));
    const env = { PATH: [join(root, 'bin'), directory].join(delimiter) };
    expect(findProgram('linked', env, root)).toBeUndefined();
    expect(findProgram('tool', env, root)).toBe(join(directory, 'tool'));
  });

  it('includes programs below the current directory if that directory, such as /, is not a checkout', () => {
    const directory = outside();
    const env = { PATH: directory };
    for (const start of ['/', dirname(directory), directory, '/no/such/directory'])
      expect(findProgram('tool', env, start)).toBe(join(directory, 'tool'));
  });

  it('never takes git from the checkout', async () => {
    const root = projectWith({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/x': '',
      '.git/refs/x': '',
    });
    const trap = writeProgram(join(root, 'node_modules/.bin'), 'git');
    const signal = AbortSignal.timeout(60_000);
    const open = (path: string) => openRepository(root, { env: { PATH: path }, signal });
    await expect(open(trap)).rejects.toThrow('git is not installed');
    const repository = await open([trap, '/usr/bin', '/bin'].join(delimiter));
    expect(await repository.git(['--version'])).toMatch(/^git version/);
    await repository.close();
  });
});
