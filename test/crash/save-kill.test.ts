import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Answer, type Pack, type Result, SESSION_HEADER } from '../../src/review/protocol.ts';
import { start } from './program.ts';

const FILES = 20;
const KEYS = 50;
const KILLS = 6;

const root = mkdtempSync(join(tmpdir(), 'dragoman-save-kill-'));
const names = Array.from({ length: FILES }, (_, i) => `part${String(i).padStart(2, '0')}.de.xlf`);

function catalogue(file: number, state: string, word: string): string {
  const units = Array.from({ length: KEYS }, (_, key) => {
    const text = `${file}.${key}`;
    return `<trans-unit id="k${key}"><source>Text ${text}</source><target${state}>${word} ${text}</target></trans-unit>`;
  });
  const body = `<file source-language="en" target-language="de" original="a"><body>\n${units.join('\n')}\n</body></file>`;
  return `<xliff version="1.2">${body}</xliff>\n`;
}

const before = (i: number): string => catalogue(i, '', 'Wort');
const after = (i: number): string => catalogue(i, ' state="signed-off"', 'Text');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const languages = ['-s', 'en', '-t', 'de'];

function reset(): void {
  for (const [i, name] of names.entries()) writeFileSync(join(root, name), before(i));
  rmSync(join(root, 'dragoman.lock'), { force: true });
  rmSync(join(root, '.state'), { recursive: true, force: true });
}

/** A page with its rows, without a browser. */
async function openPage() {
  const { child, ended } = start(['review', ...languages], root);
  const said = await new Promise<string>((resolve) => {
    let text = '';
    child.stderr?.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.includes('Ctrl+C')) resolve(text);
    });
  });
  const { origin, hash } = new URL(/http:\S+/.exec(said)?.[0] ?? said);
  const post = async (path: string, body: unknown, headers = {}): Promise<unknown> => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const own = { origin, 'content-type': 'application/json', ...headers };
    return (await fetch(`${origin}${path}`, { ...init, headers: own })).json();
  };
  const token = hash.slice('#token='.length);
  const { session } = (await post('/session', { token })) as { readonly session: string };
  const headers = { [SESSION_HEADER]: session };
  const pack = (await (await fetch(`${origin}/rows?locale=de`, { headers })).json()) as Pack;
  const save = async (answers: readonly Answer[]): Promise<readonly Result[]> =>
    ((await post('/answers', { answers }, headers)) as { readonly results: readonly Result[] }).results;
  return { child, ended, pack, save };
}

const answersTo = ({ rows }: Pack): readonly Answer[] =>
  rows.map(({ id, forms }) => ({
    id,
    sourceHashes: forms.map(({ sourceHash }) => sourceHash),
    bases: forms.map(({ base }) => base),
    values: forms.map(({ source }) => source),
    verdict: 'reviewed' as const,
  }));

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('saving on the review page, killed', () => {
  it('leaves each file either unchanged or with all its answers, and sending the answers again saves the rest', async () => {
    let between = 0;
    for (let attempt = 0; attempt < KILLS; attempt++) {
      reset();
      const page = await openPage();
      const last = names[3 * attempt + 1] ?? '';
      const timer = setInterval(
        () => read(last) !== before(names.indexOf(last)) && page.child.kill('SIGKILL'),
        1,
      );
      const answers = answersTo(page.pack);
      expect(answers).toHaveLength(FILES * KEYS);
      const acknowledged = await page.save(answers).catch(() => undefined);
      await page.ended.finally(() => clearInterval(timer));
      expect(acknowledged).toBeUndefined();
      const states = names.map((name, i) => [before(i), after(i)].indexOf(read(name)));
      expect(states).not.toContain(-1);
      if (states.includes(0) && states.includes(1)) between++;
      const again = await openPage();
      const results = await again.save(answers);
      again.child.kill('SIGINT');
      expect(await again.ended).toMatchObject({ code: 0 });
      expect(results.map(({ kind }) => kind)).toEqual(answers.map(() => 'saved'));
      for (const [i, name] of names.entries()) expect(read(name)).toBe(after(i));
      const lines = read('dragoman.lock').split('\n');
      expect(lines.filter((line) => line.endsWith('\thuman\treviewed:person'))).toHaveLength(FILES * KEYS);
    }
    // Otherwise the kills prove nothing about the time between two files.
    expect(between).toBeGreaterThan(0);
  });
});
