import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Checkout } from '../project/checkout.ts';
import { start } from './program.ts';

describe('the journal of a sync that is killed', () => {
  /** Answers one request, and hangs on the next one if the test requests it. */
  const ENGINE = `
    let requests = 0;
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, texts } = JSON.parse(line);
      require('node:fs').appendFileSync(process.env.ASKED, texts.join('\\n') + '\\n');
      if (++requests > 1 && process.env.HANG) require('node:fs').writeFileSync(process.env.HANG, '');
      else console.log(JSON.stringify({ id, translations: texts.map((text) => text + '!') }));
    });`;

  /** Syncs with that engine until it ends or hangs. Returns the requested texts. */
  async function syncAsking(
    checkout: Checkout,
    argv: readonly string[],
    { isKilled = false, home = checkout.home } = {},
  ): Promise<readonly string[]> {
    const [asked, hang, engine] = ['asked', 'hang', 'engine.cjs'].map((name) => join(checkout.home, name));
    if (!asked || !hang || !engine) throw new Error('no names');
    writeFileSync(engine, ENGINE);
    writeFileSync(asked, '');
    rmSync(hang, { force: true });
    const command = `"${process.execPath}" "${engine}"`;
    const flags = ['--engine', 'exec', '--engine-command', command, '--concurrency', '1'];
    const running = start(['sync', ...argv, ...flags], checkout.root, {
      HOME: home,
      XDG_STATE_HOME: join(home, '.local/state'),
      XDG_CACHE_HOME: join(checkout.home, '.cache'),
      DRAGOMAN_MEMORY: 'off',
      ASKED: asked,
      ...(isKilled && { HANG: hang }),
    });
    if (isKilled) {
      while (!existsSync(hang)) await new Promise((resolve) => setTimeout(resolve, 10));
      running.child.kill('SIGKILL');
    }
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(isKilled ? null : 0);
    return readFileSync(asked, 'utf8').split('\n').filter(Boolean);
  }

  const many = (word: string): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, `${word} ${i}`])));

  it('is in the user’s state directory, separately for each checkout', async () => {
    const [one, two] = [new Checkout({ 'en.json': many('Text') }), new Checkout({ 'en.json': many('Text') })];
    const asked = await syncAsking(one, ['-s', 'en', '-t', 'es'], { isKilled: true });
    expect(readdirSync(one.root).filter((name) => name.includes('journal'))).toEqual([]);
    const projects = join(one.home, '.local/state/dragoman/projects');
    const [place = ''] = readdirSync(projects);
    const journal = join(projects, place, 'journal');
    expect([projects, join(projects, place), journal].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o700, 0o600,
    ]);
    const before = readFileSync(journal, 'utf8');
    const finished = before.split('"').filter((text) => text.endsWith('!')).length;
    expect(finished).toBeGreaterThan(0);
    // Another checkout of the same files does not use the journal, even for the same user.
    const elsewhere = await syncAsking(two, ['-s', 'en', '-t', 'es'], { home: one.home });
    expect(new Set(elsewhere).size).toBe(300);
    expect(readFileSync(journal, 'utf8')).toBe(before);
    const again = await syncAsking(one, ['-s', 'en', '-t', 'es']);
    expect(again).toHaveLength(300 - finished);
    expect(new Set([...asked, ...again]).size).toBe(300);
    expect(existsSync(journal)).toBe(false);
    one.do(['check']);
  });

  it('keeps paid answers when another path or language is synced in between', async () => {
    const checkout = new Checkout({ 'web/en.json': many('Web'), 'app/en.json': many('App') });
    await syncAsking(checkout, ['web', 'app', '-s', 'en', '-t', 'fr', '--key', 'k0']);
    const asked = await syncAsking(checkout, ['web', '-t', 'es'], { isKilled: true });
    await syncAsking(checkout, ['app', '-t', 'es']);
    await syncAsking(checkout, ['web', '-t', 'fr']);
    await syncAsking(checkout, ['web', '-t', 'es', '--key', 'k1']);
    const rest = await syncAsking(checkout, ['web', '-t', 'es']);
    // Only the unanswered batch is requested again.
    expect(rest.filter((text) => asked.includes(text)).length).toBeLessThan(asked.length);
    expect(rest.length).toBeLessThan(300);
    await syncAsking(checkout, []);
    checkout.do(['check']);
    const projects = join(checkout.home, '.local/state/dragoman/projects');
    expect(readdirSync(projects).flatMap((place) => readdirSync(join(projects, place)))).toEqual([]);
  });
});
