import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { until } from '../jobs/room.ts';
import { serve } from './served.ts';

const NAME = 'Ada Lovelace';
const TEXT = `Ask ${NAME} about the Engine. `;

/** What an account gets for the text in each way: short, long, a document, a job. */
async function answersFor(url: string, key: string): Promise<readonly string[]> {
  const headers = { 'X-API-KEY': key };
  const languages = { source: 'en', target: 'fr' };
  const ask = async (path: string, request: object): Promise<string> => {
    const body = JSON.stringify({ ...request, ...languages });
    const init = { method: 'POST', body, headers: { ...headers, 'Content-Type': 'application/json' } };
    const { translations, html } = (await (await fetch(url + path, init)).json()) as {
      readonly translations?: { readonly translation: string };
      readonly html?: string;
    };
    return translations?.translation ?? html ?? '';
  };
  const answers = [
    await ask('/v2/translate', { text: TEXT }),
    await ask('/v2/translate', { text: TEXT.repeat(100) }),
    await ask('/v2/translate/html', { html: `<p>${TEXT}</p>` }),
  ];
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
  await until(async () => {
    const answers = await answersFor(server.url, anna);
    return has(answers, NAME).every((is) => !is) && has(answers, 'Engine').every((is) => !is);
  }, 'the new glossary holds everywhere');

  expect((await change('--remove')).stdout).toBe('anna@example.org: no glossary\n');
  await until(
    async () => has(await answersFor(server.url, anna), 'Engine').every(Boolean),
    'the glossary of the server holds again',
  );
  expect((await change(own, '--remove')).exitCode).toBe(2);
});
