import { expect, it } from 'vitest';
import { ProjectSource } from '../../src/review/project-source.ts';
import type { Answer, Row } from '../../src/review/protocol.ts';
import { ProjectDirectory, RecordingEngine } from '../project/project-directory.ts';

const LANGUAGES = { source: 'en', targets: ['es'] };
const KEYS = Array.from({ length: 30 }, (_, i) => `k${i}`);
/** Texts that nobody has translated yet. */
const NEW = KEYS.slice(25);

const jsonOf = (keys: readonly string[], textOf: (key: string) => string): string =>
  JSON.stringify(Object.fromEntries(keys.map((key) => [key, textOf(key)])), undefined, 2);

function answerOf({ id, forms }: Row, value: string): Answer {
  return {
    id,
    sourceHashes: forms.map(({ sourceHash }) => sourceHash),
    bases: forms.map(({ base }) => base),
    values: [value],
    verdict: 'reviewed',
  };
}

it('two pages, an editor and a sync lose nothing, and conflicts show three texts', async () => {
  const directory = new ProjectDirectory({
    'locales/en.json': jsonOf(KEYS, (key) => `Text ${key}`),
    'locales/es.json': jsonOf(KEYS.slice(0, 25), (key) => `Texto ${key}`),
  });
  const source = new ProjectSource(await directory.open(LANGUAGES), {
    id: 'p',
    version: 'test',
    env: process.env,
    cacheDirectory: directory.cache,
    stateDirectory: directory.state,
    signal: new AbortController().signal,
  });
  // Both pages show the texts as they are now.
  const rows = new Map((await source.rows()).rows.map((row) => [row.key, row]));
  const read = () => directory.readJson('locales/es.json') as Record<string, string>;
  // The editor saves a text that neither page has seen.
  directory.json('locales/es.json', { ...read(), k0: 'Del editor 0', k20: 'Del editor 20' });
  const pages = [
    { name: 'A', keys: KEYS.slice(0, 10) },
    { name: 'B', keys: KEYS.slice(5, 15) },
  ];
  // Each page answers one text after the other, while the other page and a sync do the same.
  const decided = pages.map(async ({ name, keys }) => {
    const results = [];
    for (const key of keys) {
      const row = rows.get(key);
      if (!row) throw new Error(key);
      const [result] = await source.save([answerOf(row, `${name} ${key}`)]);
      results.push({ name, key, base: row.forms[0]?.translation, result });
    }
    return results;
  });
  const engine = new RecordingEngine();
  const [answered] = await Promise.all([Promise.all(decided), directory.sync(engine, LANGUAGES)]);
  const all = answered.flat();
  const texts = read();
  for (const { name, key, base, result } of all) {
    if (result?.kind === 'saved') {
      expect(texts[key], key).toBe(`${name} ${key}`);
      continue;
    }
    // The page has its own text and the text that both changed; the result contains the other author's text.
    expect(result, key).toMatchObject({ kind: 'conflict', row: { forms: [{ translation: texts[key] }] } });
    expect(new Set([base, `${name} ${key}`, texts[key]]).size).toBe(3);
  }
  const conflicts = all.filter(({ result }) => result?.kind === 'conflict');
  expect(conflicts.map(({ key }) => key).sort()).toEqual(['k0', 'k5', 'k6', 'k7', 'k8', 'k9']);
  expect(texts).toMatchObject({ k0: 'Del editor 0', k20: 'Del editor 20' });
  for (const key of NEW) expect(texts[key], key).toBe(`es:Text ${key}`);
  expect(directory.read('dragoman.lock').match(/reviewed:person/g)).toHaveLength(14);
  await source.idle();
});
