import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { until } from '../jobs/room.ts';
import { serve } from './served.ts';

const NAME = 'Ada Lovelace';
const TEXT = `Ask ${NAME} about the Engine. `;

async function answerFor(url: string, key: string, path: string, request: object): Promise<string> {
  const body = JSON.stringify({ ...request, source: 'en', target: 'fr' });
  const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', body, headers });
  const { translations, html } = (await answer.json()) as {
    readonly translations?: { readonly translation: string };
    readonly html?: string;
  };
  return translations?.translation ?? html ?? '';
}

const shortAnswerFor = (url: string, key: string) => answerFor(url, key, '/v2/translate', { text: TEXT });

/** The answers that an account gets for the text as a short text, a long text, a document and a job. */
async function answersFor(url: string, key: string): Promise<readonly string[]> {
  const answers = [
    await shortAnswerFor(url, key),
    await answerFor(url, key, '/v2/translate', { text: TEXT.repeat(100) }),
    await answerFor(url, key, '/v2/translate/html', { html: `<p>${TEXT}</p>` }),
  ];
  const headers = { 'X-API-KEY': key };
  const form = new FormData();
  form.set('file', new Blob([JSON.stringify({ a: TEXT })]), 'a.json');
  form.set('source_language', 'en');
  form.set('target_languages', 'fr');
  const jobs = `${url}/v2/translate/i18n`;
  const created = await fetch(jobs, { method: 'POST', body: form, headers });
  const { job_id: id } = (await created.json()) as { job_id: string };
  const file = await until(async () => {
    const answer = await fetch(`${jobs}/jobs/${id}/download?language_code=fr`, { headers });
    return answer.status === 200 && answer;
  }, 'the translation can be downloaded');
  answers.push(await file.text());
  for (const answer of answers) expect(answer).not.toContain('about the');
  return answers;
}

it('a glossary of the server applies to short and long texts, documents and jobs', async () => {
  const directory = temporaryDirectory();
  const place = ['--data-dir', join(directory, 'data')];
  writeFileSync(join(directory, 'terms.csv'), `term,dnt\n${NAME},yes\n`);
  const account = [...place, '--email', 'a@example.org', '--credits', '99'];
  const { stdout } = await dragoman(['keys', 'create', ...account]);
  const server = await serve([...place, '--engine', 'pseudo', '--glossary', 'terms.csv'], directory);
  onTestFinished(async () => void (await server.stop()));
  const answers = await answersFor(server.url, stdout.trim());
  for (const answer of answers) expect(answer).toContain(NAME);
  expect(answers[1]?.split(NAME)).toHaveLength(101);
  const missing = await dragoman(['serve', ...place, '--glossary', 'none.csv']);
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('none.csv') as string });
});

it('a glossary of an account applies to it alone, overrides the server’s, and can change at runtime', async () => {
  const directory = temporaryDirectory();
  const place = ['--data-dir', join(directory, 'data')];
  const own = join(directory, 'own.csv');
  writeFileSync(join(directory, 'terms.csv'), 'term,dnt\nEngine,yes\n');
  writeFileSync(own, `term,dnt\n${NAME},yes\n`);
  const create = async (email: string): Promise<string> =>
    (await dragoman(['keys', 'create', ...place, '--email', email, '--credits', '9999'])).stdout.trim();
  const [anna, ben] = [await create('anna@example.org'), await create('ben@example.org')];
  const change = (...args: readonly string[]) =>
    dragoman(['keys', 'glossary', ...place, '--email', 'anna@example.org', ...args]);

  expect(JSON.parse((await change('--json')).stdout)).toEqual({ email: 'anna@example.org', terms: null });
  expect((await change(own, '--dry-run')).stdout).toBe('anna@example.org: would get a glossary of 1 term\n');
  expect((await change(own)).stdout).toBe('anna@example.org: a glossary of 1 term\n');

  const options = ['--engine', 'pseudo', '--glossary', 'terms.csv', '--rate-limit', '0'];
  const server = await serve([...place, ...options], directory);
  onTestFinished(async () => void (await server.stop()));
  const has = (answers: readonly string[], word: string) => answers.map((answer) => answer.includes(word));
  const [hers, his] = [await answersFor(server.url, anna), await answersFor(server.url, ben)];
  expect([has(hers, NAME), has(his, NAME)]).toEqual([Array(4).fill(true), Array(4).fill(false)]);
  expect([has(hers, 'Engine'), has(his, 'Engine')]).toEqual([Array(4).fill(true), Array(4).fill(true)]);

  writeFileSync(own, 'term,dnt,fr\nengine,,Moteur\n');
  expect((await change(own)).exitCode).toBe(0);
  // A server reads the glossary of an account every five seconds.
  const poll = { timeout: 90_000, interval: 100 };
  await expect.poll(() => shortAnswerFor(server.url, anna), poll).not.toContain(NAME);
  for (const answer of await answersFor(server.url, anna)) expect(answer).not.toMatch(/Ada Lovelace|Engine/);

  expect((await change('--remove')).stdout).toBe('anna@example.org: no glossary\n');
  await expect.poll(() => shortAnswerFor(server.url, anna), poll).toContain('Engine');
  for (const answer of await answersFor(server.url, anna)) expect(answer).toContain('Engine');
  expect((await change(own, '--remove')).exitCode).toBe(2);
});
