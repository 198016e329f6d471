import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { start } from '../crash/program.ts';
import { runBuilt } from './built-program.ts';
import { dragoman, projectWith } from './harness.ts';

/** Names under locales/en, and the target that sync creates for each. */
function project(names: readonly string[], configuration: object): string {
  return projectWith({
    ...Object.fromEntries(names.map((name) => [`locales/en/${name}.json`, '{"a": "One"}'])),
    'dragoman.config.json': JSON.stringify({
      source: 'en',
      targets: ['es'],
      engine: 'pseudo',
      ...configuration,
    }),
  });
}

function translated(root: string): readonly string[] {
  return readdirSync(join(root, 'locales/es')).sort();
}

describe('the configuration', () => {
  const names = ['app', 'admin', 'admins', 'x1', 'x2', 'boot'];

  it.each([
    [{ exclude: ['locales/en/[ax]*.json'] }, ['boot']],
    [{ exclude: ['locales/en/!(x1).json'] }, ['x1']],
    [{ include: ['locales/en/{app,admin*}.json'] }, ['admin', 'admins', 'app']],
    [{ include: ['locales/en/{a{pp,dmins},x?}.json'] }, ['admins', 'app', 'x1', 'x2']],
    [{ include: ['**/@(x1|boot).json'] }, ['boot', 'x1']],
    [
      { files: [{ source: 'locales/en/{app,admin*}.json', target: 'locales/{locale}/{app,admin*}.json' }] },
      ['admin', 'admins', 'app'],
    ],
    [{ files: [{ source: 'locales/{locale}/*.json', exclude: ['**/[ax]*'] }] }, ['boot']],
  ])('selects the files of %j', async (configuration, expected) => {
    const root = project(names, configuration);
    const { exitCode, stderr } = await dragoman(['sync'], { cwd: root });
    expect(exitCode, stderr).toBe(0);
    expect(translated(root)).toEqual(expected.map((name) => `${name}.json`));
  });

  it.each([
    [
      { files: [{ source: 'locales/{locale}/[ax]*.json' }] },
      /config\.json:1:\d+: .*`\[` cannot be carried over/,
    ],
    [
      { files: [{ source: 'locales/{locale}/!(x1).json' }] },
      /config\.json:1:\d+: .*`\(` cannot be carried over/,
    ],
    [{ exclude: ['!locales/en/x1.json'] }, /config\.json:1:\d+: .*is not a file pattern/],
    [{ include: ['{a,b}'.repeat(30)] }, /config\.json:1:\d+: .*more than 500 patterns/],
  ])('refuses %j', async (configuration, message) => {
    const cwd = project(names, configuration);
    const { exitCode, stderr } = await dragoman(['sync'], { cwd });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });

  it('accepts the same patterns as the command line', async () => {
    const root = projectWith(Object.fromEntries(names.map((name) => [`l/${name}.json`, '{"a": "One"}'])));
    const argv = [
      'i18n',
      'l/{app,admin*}.json',
      'l/!(a*|x1|boot).json',
      '-s',
      'en',
      '-t',
      'es',
      '--engine',
      'pseudo',
      '-o',
      'out',
    ];
    const { exitCode, stderr } = await dragoman(argv, { cwd: root });
    expect(exitCode, stderr).toBe(0);
    const expected = ['admin_es.json', 'admins_es.json', 'app_es.json', 'x2_es.json'];
    expect(readdirSync(join(root, 'out')).sort()).toEqual(expected);
  });
});

describe('a glob that could be slow', () => {
  const name = 'a'.repeat(60);
  const deep = `locales/en/${'d/'.repeat(30)}a.json`;

  it.each(['locales/**/*a*a*a*a*a*a*a*a*b', `${'**/'.repeat(10)}x.json`, '**/+(a|aa|*(a))b'])(
    'does not slow down the built program: %s',
    (pattern) => {
      const root = projectWith({
        [`locales/en/${name}.json`]: '{"a": "One"}',
        [deep]: '{"a": "One"}',
        'dragoman.config.json': JSON.stringify({
          source: 'en',
          targets: ['es'],
          exclude: [pattern],
          files: [{ source: 'locales/{locale}/**/*.json', exclude: [pattern] }],
        }),
      });
      const { status, stderr, milliseconds } = runBuilt(['status', '--json'], root);
      expect(status, stderr).toBe(0);
      expect(milliseconds).toBeLessThan(15_000);
    },
  );

  it.each(['status', 'i18n'])('does not keep SIGTERM from ending %s', async (command) => {
    const pattern = 'locales/**/*a*a*a*a*a*a*a*a*b';
    const files = Array.from({ length: 200 }, (_, i) => [`locales/en/${name}${i}.json`, '{"a": "One"}']);
    const root = projectWith({
      ...Object.fromEntries(files),
      'dragoman.config.json': JSON.stringify({ source: 'en', targets: ['es'], exclude: [pattern] }),
    });
    const argv =
      command === 'i18n' ? ['i18n', pattern, '-s', 'en', '-t', 'es', '--engine', 'pseudo'] : ['status'];
    const { child, ended } = start(argv, root);
    try {
      await wait(400);
      const begin = performance.now();
      child.kill('SIGTERM');
      await Promise.race([ended, wait(20_000)]);
      expect(performance.now() - begin).toBeLessThan(10_000);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
