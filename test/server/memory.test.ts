import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { until } from '../jobs/room.ts';
import { serve } from './served.ts';

/** An engine that never gives the same answer twice. */
const ENGINE = `
let n = 0;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  console.log(JSON.stringify({ id, translations: texts.map((text) => text + ' no. ' + ++n) }));
});`;

it('answers come from memories of the server and of the account, at the same price', async () => {
  const directory = temporaryDirectory();
  const place = ['--data-dir', join(directory, 'data')];
  const file = join(directory, 'memory.db');
  writeFileSync(join(directory, 'engine.cjs'), ENGINE);
  writeFileSync(join(directory, 'ours.csv'), 'source,target\nOpen the file,Ouvrir le fichier\n');
  const imported = [
    'memory',
    'import',
    join(directory, 'ours.csv'),
    '--memory',
    file,
    '-s',
    'en',
    '-t',
    'fr',
  ];
  expect(await dragoman(imported)).toMatchObject({ exitCode: 0 });
  const create = async (email: string): Promise<string> =>
    (await dragoman(['keys', 'create', ...place, '--email', email, '--credits', '999'])).stdout.trim();
  const [anna, ben] = [await create('anna@example.org'), await create('ben@example.org')];
  const change = (...args: readonly string[]) =>
    dragoman(['keys', 'memory', ...place, '--email', 'anna@example.org', ...args]);
  expect((await change('on')).stdout).toBe('anna@example.org: a memory of 0 translations\n');

  const engine = `${process.execPath} ${join(directory, 'engine.cjs')}`;
  const options = ['--engine-command', engine, '--memory', 'memory.db', '--rate-limit', '0'];
  const server = await serve([...place, ...options], directory);
  onTestFinished(async () => void (await server.stop()));
  const post = async (key: string, path: string, request: object): Promise<Record<string, unknown>> => {
    const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ ...request, source: 'en', target: 'fr' });
    const answer = await fetch(server.url + path, { method: 'POST', body, headers });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  const ask = async (key: string, text: string): Promise<string> => {
    const { translations } = await post(key, '/v2/translate', { text });
    return (translations as { readonly translation: string }).translation;
  };

  for (const key of [anna, ben]) {
    expect(await ask(key, 'Open the file')).toBe('Ouvrir le fichier');
    expect(await post(key, '/v2/translate/html', { html: '<p>Open the file</p>' })).toEqual({
      html: '<p>Ouvrir le fichier</p>',
    });
  }
  const [text, long] = ['A private letter', 'A private letter. '.repeat(200)];
  const hers = [await ask(anna, text), await ask(anna, long)];
  expect([await ask(anna, text), await ask(anna, long)]).toEqual(hers);
  const his = [await ask(ben, text), await ask(ben, long), await ask(ben, text)];
  expect(new Set([...hers, ...his]).size).toBe(5);

  const translated = async (key: string): Promise<Record<string, string>> => {
    const form = new FormData();
    form.set('file', new Blob([JSON.stringify({ a: text, b: 'Open the file' })]), 'a.json');
    form.set('source_language', 'en');
    form.set('target_languages', 'fr');
    const jobs = `${server.url}/v2/translate/i18n`;
    const headers = { 'X-API-KEY': key };
    const created = await fetch(jobs, { method: 'POST', body: form, headers });
    const { job_id: id } = (await created.json()) as { job_id: string };
    const done = await until(async () => {
      const answer = await fetch(`${jobs}/jobs/${id}/download?language_code=fr`, { headers });
      return answer.status === 200 && answer;
    }, 'the translation can be downloaded');
    return (await done.json()) as Record<string, string>;
  };
  expect(await translated(anna)).toEqual({ a: hers[0], b: 'Ouvrir le fichier' });
  const job = await translated(ben);
  expect([job['b'], [...hers, ...his].includes(job['a'] ?? '')]).toEqual(['Ouvrir le fichier', false]);
  const list = await dragoman(['keys', 'list', ...place, '--json']);
  const { keys } = JSON.parse(list.stdout) as { keys: readonly { credits_remaining: number }[] };
  // Both accounts requested two texts of the server's memory and a file of two keys; the first requested four
  // more texts, the second three.
  expect(keys.map(({ credits_remaining }) => credits_remaining)).toEqual([999 - 8, 999 - 7]);

  expect((await change()).stdout).toBe('anna@example.org: a memory of 2 translations\n');
  expect((await change('off', '--dry-run')).stdout).toContain('would be deleted');
  expect(JSON.parse((await change('off', '--json')).stdout)).toEqual({
    email: 'anna@example.org',
    translations: null,
  });
  expect(await ask(anna, text)).not.toBe(hers[0]);
  expect((await change('maybe')).exitCode).toBe(2);

  const missing = await dragoman(['serve', ...place, '--memory', 'none.db']);
  expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('none.db') as string });
});
