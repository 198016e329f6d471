import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countingService } from './counting-service.ts';
import { dragoman, projectWith } from './harness.ts';

const LANGUAGES = ['-s', 'en', '-t', 'de'];
const TERMS = 'term,de\ndashboard,panel\n';
const ADVICE = 'dragoman sync --fix-terms retranslates texts that it translated without a glossary term\n';

/** Answers `dashboard` with the word in a file next to it. */
const ENGINE = [
  "'use strict'; const { readFileSync } = require('node:fs');",
  "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {",
  '  const { id, texts } = JSON.parse(line);',
  "  const word = readFileSync(`${__dirname}/word`, 'utf8');",
  "  const translations = texts.map((text) => text.replace('Open the', 'Öffne').replace('dashboard', word));",
  '  console.log(JSON.stringify({ id, translations }));',
  '});',
].join('\n');

interface Checkout {
  readonly cwd: string;
  readonly sync: (...flags: readonly string[]) => ReturnType<typeof dragoman>;
  readonly check: () => ReturnType<typeof dragoman>;
  readonly de: () => string;
}

/** Two translations by dragoman and one by a person lack the term that was added to the glossary later. */
async function checkoutOf(): Promise<Checkout> {
  const cwd = projectWith({
    'locales/en.json':
      '{"a": "Open the dashboard", "b": "dashboard", "c": "Open the menu", "d": "dashboard!"}\n',
    'locales/de.json': '{}\n',
    'engine.cjs': ENGINE,
    word: 'tablero',
  });
  const env = { XDG_CACHE_HOME: projectWith({}) };
  const engine = ['--engine', 'exec', '--engine-command', `"${process.execPath}" "${cwd}/engine.cjs"`];
  const sync: Checkout['sync'] = (...flags) =>
    dragoman(['sync', ...LANGUAGES, ...engine, ...flags], { cwd, env });
  const de = (): string => readFileSync(join(cwd, 'locales/de.json'), 'utf8');
  await sync();
  writeFileSync(join(cwd, 'locales/de.json'), de().replace('"tablero!"', '"Tablero!!"'));
  await sync();
  writeFileSync(join(cwd, 'glossary.csv'), TERMS);
  writeFileSync(join(cwd, 'word'), 'panel');
  return { cwd, sync, de, check: () => dragoman(['check', ...LANGUAGES], { cwd, env }) };
}

describe('sync --fix-terms', () => {
  it('retranslates dragoman’s translations that lack a term, and nothing else; check lists them', async () => {
    const { check, sync, de } = await checkoutOf();
    const before = await check();
    expect(before.stdout.match(/glossary-term/g)).toHaveLength(3);
    expect(before.stderr).toContain(ADVICE);
    expect((await sync()).stderr).toBe('everything is up to date\n');
    expect(await sync('--fix-terms')).toMatchObject({ exitCode: 0 });
    expect(de()).toContain('"a": "Öffne panel"');
    expect(de()).toContain('"b": "panel"');
    expect(de()).toContain('"c": "Öffne menu"');
    expect(de()).toContain('"d": "Tablero!!"');
    const after = await check();
    expect(after.stdout).toMatch(/^locales\/de\.json:\S+ warning: glossary-term: .* \(d\)\n$/);
    expect(after.stderr).not.toContain('--fix-terms');
    expect((await sync('--fix-terms')).stderr).toBe('everything is up to date\n');
  });

  it('plans and prices exactly what the run sends', async () => {
    const { cwd } = await checkoutOf();
    const { env: service, sent } = await countingService(() => 'answer');
    const argv = ['sync', ...LANGUAGES, '--fix-terms', '--json'];
    const env = { ...service, XDG_CACHE_HOME: projectWith({}) };
    const dry = await dragoman([...argv, '--dry-run'], { cwd, env });
    expect(JSON.parse(dry.stdout)).toMatchObject({ credits: 2 });
    expect(sent).toEqual([]);
    const run = await dragoman(argv, { cwd, env });
    expect(JSON.parse(run.stdout)).toMatchObject({
      credits_spent: 2,
      projects: [{ languages: [{ changes: { translated: 2, kept: 2 } }] }],
    });
    expect(sent).toEqual(['Open the dashboard', 'dashboard']);
  });

  it.each([
    [['--frozen'], '--frozen writes nothing'],
    [['--watch'], '--fix-terms is for one run'],
    [['--via', 'jobs'], '--fix-terms'],
    [['--no-glossary'], '--fix-terms requires a glossary'],
  ])('is refused with %j', async (flags, message) => {
    const { sync } = await checkoutOf();
    const { exitCode, stderr } = await sync('--fix-terms', ...flags);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
