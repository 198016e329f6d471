import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { start } from './program.ts';

/** 20 catalogues with states, and one file without, whose approvals only the lock records. */
const FILES = 20;
const KEYS = 200;
const KILLS = 8;

const root = mkdtempSync(join(tmpdir(), 'dragoman-review-kill-'));
const names = Array.from({ length: FILES }, (_, i) => `part${i}.de.xlf`);

function catalogue(file: number, state: string): string {
  const units = Array.from({ length: KEYS }, (_, key) => {
    const text = `${file}.${key}`;
    return `<trans-unit id="k${key}"><source>Text ${text}</source><target${state}>Wort ${text}</target></trans-unit>`;
  });
  const file12 = `<file source-language="en" target-language="de" original="a"><body>\n${units.join('\n')}\n</body></file>`;
  return `<xliff version="1.2">${file12}</xliff>\n`;
}

const json = (word: string): string =>
  `${JSON.stringify(Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`k${i}`, `${word} ${i}`])))}\n`;

function reset(): void {
  for (const [i, name] of names.entries()) writeFileSync(join(root, name), catalogue(i, ''));
  rmSync(join(root, 'dragoman.lock'), { force: true });
  rmSync(join(root, '.state'), { recursive: true, force: true });
}

const languages = ['-s', 'en', '-t', 'de'];
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('review approve, killed', () => {
  it('leaves each file and the lock either unchanged or with the decisions, and a rerun records the rest', async () => {
    writeFileSync(join(root, 'en.json'), json('Text'));
    writeFileSync(join(root, 'de.json'), json('Wort'));
    let killed = 0;
    let between = 0;
    for (let attempt = 0; attempt < KILLS; attempt++) {
      reset();
      const { child, ended } = start(['review', 'approve', '--all', ...languages], root);
      // Kills the program once this file changes. Each attempt chooses a file two places later in the writing order.
      const last = [...names].sort()[2 * attempt + 1] ?? '';
      const before = read(last);
      const timer = setInterval(() => read(last) !== before && child.kill('SIGKILL'), 1);
      const { signal } = await ended;
      clearInterval(timer);
      if (signal === 'SIGKILL') killed++;
      const states = names.map((name, i) =>
        [catalogue(i, ''), catalogue(i, ' state="signed-off"')].indexOf(read(name)),
      );
      expect(states).not.toContain(-1);
      if (states.includes(0) && states.includes(1)) between++;
      expect(read('de.json')).toBe(json('Wort'));
      const rerun = await start(['review', 'approve', '--all', ...languages], root).ended;
      expect(rerun, rerun.stderr).toMatchObject({ code: 0 });
      for (const [i, name] of names.entries()) expect(read(name)).toBe(catalogue(i, ' state="signed-off"'));
      const lines = read('dragoman.lock').split('\n');
      expect(lines.filter((line) => line.endsWith('\thuman\treviewed:person'))).toHaveLength(
        (FILES + 1) * KEYS,
      );
    }
    const gate = await start(['sync', '--frozen', ...languages], root).ended;
    expect(gate, gate.stderr).toMatchObject({ code: 0 });
    expect(killed).toBeGreaterThan(0);
    // Otherwise the kills prove nothing about the time between two files.
    expect(between).toBeGreaterThan(0);
  });
});
