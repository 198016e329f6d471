import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Checkout } from './checkout.ts';

/** Tests through the program that a project's state has one place, whatever the current directory is. */
const EN = '{\n  "save": "Save",\n  "open": "Open"\n}\n';
const WEB = 'packages/web/locales';
const APP = 'packages/app/src/i18n';

/** Checks what must be true in every directory of a synced project. */
function expectUpToDate(checkout: Checkout, at: string, argv: readonly string[] = []): void {
  checkout.do(['check', ...argv], at);
  expect(checkout.do(['status', ...argv, '--json'], at).stdout).not.toMatch(/"edited": [1-9]/);
  const before = checkout.locks().map((name) => checkout.read(name));
  checkout.do(['sync', ...argv], at);
  expect(checkout.locks().map((name) => checkout.read(name))).toEqual(before);
}

describe.each([
  ['in a git work tree', true],
  ['without git', false],
])('a project %s', (_, isGit) => {
  function checkoutOf(files: Readonly<Record<string, string>>): Checkout {
    const checkout = new Checkout(files);
    if (isGit) checkout.git('init');
    return checkout;
  }

  it('has one lock after the first sync, and is up to date from every directory', () => {
    const checkout = checkoutOf({ 'locales/en.json': EN, 'src/main.ts': '' });
    checkout.do(['sync', 'locales', '-s', 'en', '-t', 'es,fr']);
    expect(checkout.locks()).toEqual(['dragoman.lock']);
    expect(checkout.locked()).toEqual(['locales/en.json']);
    for (const at of ['.', 'locales', 'src']) expectUpToDate(checkout, at);
    expectUpToDate(checkout, '.', ['locales']);
    expectUpToDate(checkout, '.', ['locales/es.json']);
    // A change can be seen and translated from any directory.
    checkout.write('locales/en.json', EN.replace('Open', 'Open it'));
    expect(checkout.run(['check'], 'src').status).toBe(8);
    expect(checkout.do(['sync'], 'src').stdout).toMatch(/^es +1\b/m);
    expect(checkout.locks()).toEqual(['dragoman.lock']);
  });

  it('is found from the directory of one language', () => {
    const checkout = checkoutOf({ 'locales/en/a.json': EN, 'locales/en/deep/b.json': EN });
    checkout.do(['sync', '-s', 'en', '-t', 'es']);
    for (const at of ['locales/en', 'locales/es', 'locales/en/deep']) expectUpToDate(checkout, at);
    expect(checkout.locks()).toEqual(['dragoman.lock']);
  });

  it('keeps its state after init', () => {
    const checkout = checkoutOf({ 'locales/en.json': EN });
    checkout.do(['sync', 'locales', '-s', 'en', '-t', 'es']);
    checkout.do(['init'], 'locales');
    expect(existsSync(join(checkout.root, 'dragoman.config.yaml'))).toBe(true);
    for (const at of ['.', 'locales']) expectUpToDate(checkout, at);
    expectUpToDate(checkout, '.', ['locales']);
    expect(checkout.locks()).toEqual(['dragoman.lock']);
  });

  it('hands its state to a package that becomes a separate project', () => {
    const checkout = checkoutOf({ [`${WEB}/en.json`]: EN, [`${APP}/en.json`]: EN });
    checkout.do(['sync', '-s', 'en', '-t', 'es']);
    checkout.write(`${WEB}/es.json`, checkout.read(`${WEB}/es.json`).replace(/("open": ").*"/, '$1Abrir"'));
    checkout.do(['sync']);
    checkout.do(['init', 'packages/web']);
    for (const at of ['packages/web', '.']) checkout.do(['sync'], at);
    expect(checkout.locks()).toEqual(['dragoman.lock', 'packages/web/dragoman.lock']);
    expect(checkout.locked()).toEqual([`${APP}/en.json`]);
    expect(checkout.read('packages/web/dragoman.lock')).toMatch(/^locales\/en.json\t\/open\t.*\thuman$/m);
    checkout.write(`${WEB}/en.json`, EN.replace('Save', 'Save it'));
    expect(checkout.do(['sync'], 'packages/web').stdout).toMatch(/^es +1\b/m);
  });

  it('has one lock for the packages of a monorepo', () => {
    const checkout = checkoutOf({ [`${WEB}/en.json`]: EN, [`${APP}/en.json`]: EN });
    checkout.do(['sync', 'packages/web', 'packages/app', '-s', 'en', '-t', 'es']);
    expect(checkout.locks()).toEqual(['dragoman.lock']);
    expect(checkout.locked()).toEqual([`${APP}/en.json`, `${WEB}/en.json`]);
    for (const at of ['.', 'packages/web', APP]) expectUpToDate(checkout, at);
    expectUpToDate(checkout, '.', ['packages/web']);
    expectUpToDate(checkout, 'packages', ['web', 'app']);
    // Syncing only a part of the project keeps the lock's lines for the other files.
    checkout.write(`${WEB}/en.json`, EN.replace('Open', 'Open it'));
    checkout.do(['sync', 'packages/web']);
    expect(checkout.locked()).toEqual([`${APP}/en.json`, `${WEB}/en.json`]);
    expectUpToDate(checkout, '.');
  });

  it('is not affected by anything next to the selected paths', () => {
    const checkout = checkoutOf({
      [`${WEB}/fr.json`]: EN,
      [`${APP}/de.json`]: EN,
      [`${APP}/pt.json`]: EN,
      'android/values/strings.xml': '<resources><string name="a">One</string></resources>',
    });
    // French is the only candidate here, whatever exists elsewhere.
    const web = checkout.run(['sync', 'packages/web', '-t', 'es']);
    expect(web.stderr).toMatch(/cannot tell which language is the source[^]*: fr\./);
    checkout.do(['sync', 'packages/web', '-s', 'fr', '-t', 'es']);
    expect(existsSync(join(checkout.root, APP, 'es.json'))).toBe(false);
    expect(existsSync(join(checkout.root, 'android/values-es'))).toBe(false);
    checkout.do(['sync', 'packages/app', '-s', 'de', '-t', 'pt']);
    expect(checkout.locked()).toEqual([`${APP}/de.json`, `${WEB}/fr.json`]);
    expect(checkout.run(['sync', 'src', 'packages/web']).status).toBe(2);
    checkout.write('src/main.ts', '');
    expect(checkout.run(['sync', 'src', 'packages/web', '-s', 'fr', '-t', 'es']).stderr).toMatch(
      /no localization files .*src/,
    );
  });

  it('imports locks of an earlier version, with their human edits', () => {
    const checkout = checkoutOf({ [`${WEB}/en.json`]: EN, [`${APP}/en.json`]: EN });
    const old = ['packages/web/dragoman.lock', `${APP}/dragoman.lock`];
    checkout.do(['sync', '-s', 'en', '-t', 'es']);
    checkout.write(`${WEB}/es.json`, checkout.read(`${WEB}/es.json`).replace(/("open": ").*"/, '$1Abrir"'));
    checkout.do(['sync']);
    const whole = checkout.read('dragoman.lock');
    expect(whole).toMatch(/web.*\/open\tes\t.*\thuman/);
    splitLock(checkout, whole, { 'packages/web': old[0] ?? '', [APP]: old[1] ?? '' });
    rmSync(join(checkout.root, 'dragoman.lock'));
    // Read-only commands see the merged state, and leave the files unchanged.
    for (const argv of [['check'], ['status'], ['sync', '--frozen'], ['sync', '--dry-run'], ['lint']])
      checkout.do(argv);
    expect(checkout.do(['status', '--json']).stdout).toMatch(/"edited": 1/);
    expect(checkout.locks()).toEqual([...old].sort());
    const { stderr } = checkout.do(['sync']);
    expect(stderr).toMatch(/packages\/web\/dragoman\.lock/);
    expect(checkout.locks()).toEqual(['dragoman.lock']);
    expect(checkout.read('dragoman.lock')).toBe(whole);
    // A run killed between writing one lock and removing the other leaves both: `sync` merges them again.
    splitLock(checkout, whole, { 'packages/web': old[0] ?? '' });
    checkout.do(['check']);
    checkout.do(['sync', 'packages/app']);
    expect(checkout.locks()).toEqual(['dragoman.lock']);
    expect(checkout.read('dragoman.lock')).toBe(whole);
  });
});

/** Divides a lock among these directories: an earlier version wrote a lock in each. */
function splitLock(checkout: Checkout, whole: string, places: Readonly<Record<string, string>>): void {
  const lines = whole.split('\n');
  for (const [directory, name] of Object.entries(places)) {
    const own = lines.flatMap((line) => {
      if (line.split('\t').length < 3) return [line];
      return line.startsWith(`${directory}/`) ? [line.slice(directory.length + 1)] : [];
    });
    checkout.write(name, own.join('\n'));
  }
}

describe('the root of a project', () => {
  it('is that of the work tree if .git is a file', () => {
    const checkout = new Checkout({ 'locales/en.json': EN });
    checkout.git('init');
    checkout.git('add', '.');
    checkout.git('commit', '-m', 'begin');
    checkout.git('worktree', 'add', 'trees/second');
    checkout.do(['sync', 'locales', '-s', 'en', '-t', 'es'], 'trees/second');
    expect(checkout.locks()).toEqual(['trees/second/dragoman.lock']);
    for (const at of ['trees/second', 'trees/second/locales']) expectUpToDate(checkout, at);
  });

  it('never contains another work tree or another configuration', () => {
    const checkout = new Checkout({
      'locales/en.json': EN,
      'third/.git': 'gitdir: ../elsewhere',
      'third/locales/en.json': EN,
      'own/dragoman.config.yaml': 'source: en\ntargets: [fr]\n',
      'own/locales/en.json': EN,
      'node/package.json': '{"dragoman": {"source": "en", "targets": ["fr"]}}',
      'node/locales/en.json': EN,
      'plain/package.json': '{"devDependencies": {"dragoman": "^1.0.0"}}',
      'plain/locales/en.json': EN,
    });
    checkout.git('init');
    for (const path of ['third', 'own', 'node']) checkout.do(['sync', path, '-s', 'en', '-t', 'fr']);
    const nested = ['node/dragoman.lock', 'own/dragoman.lock', 'third/dragoman.lock'];
    expect(checkout.locks()).toEqual(nested);
    const { stderr } = checkout.do(['sync', '-s', 'en', '-t', 'es']);
    expect(stderr).toMatch(/separate projects[^]*node, own, third/);
    expect(checkout.locks()).toEqual(['dragoman.lock', ...nested]);
    expect(checkout.locked()).toEqual(['locales/en.json', 'plain/locales/en.json']);
    for (const path of ['.', ...nested.map((name) => dirname(name))]) expectUpToDate(checkout, path);
    // Several projects in one command, each with its own lock.
    expectUpToDate(checkout, '.', ['locales', 'own', 'third/locales']);
  });

  it('is the path itself in a directory that no surrounding project reads', () => {
    const checkout = new Checkout({ 'vendor/shop/lang/en.json': EN, 'lang/en.json': EN });
    checkout.git('init');
    checkout.do(['sync', 'vendor/shop/lang', '-s', 'en', '-t', 'es']);
    checkout.do(['sync', '-s', 'en', '-t', 'fr']);
    expect(checkout.locks()).toEqual(['dragoman.lock', 'vendor/shop/lang/dragoman.lock']);
    for (const at of ['.', 'vendor/shop/lang']) expectUpToDate(checkout, at);
    expectUpToDate(checkout, '.', ['vendor/shop/lang/es.json']);
  });

  it('has no files if all of them are in separate projects, which are listed', () => {
    const checkout = new Checkout({
      'web/dragoman.config.yaml': 'source: en\ntargets: [fr]\n',
      'web/en.json': EN,
    });
    const { status, stderr } = checkout.run(['check']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/no localization files[^]*web/);
  });

  it('is the path, not the current directory above it, if that is the home directory', () => {
    const checkout = new Checkout({ 'work/locales/en.json': EN, 'other/locales/de.json': EN });
    const env = { HOME: checkout.root, XDG_STATE_HOME: checkout.home };
    const ended = checkout.run(['sync', 'work', '-s', 'en', '-t', 'es'], '.', env);
    expect(ended.status, ended.stderr).toBe(0);
    expect(checkout.locks()).toEqual(['work/dragoman.lock']);
  });
});
