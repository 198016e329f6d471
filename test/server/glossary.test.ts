import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { until } from '../jobs/room.ts';
import { serve } from './served.ts';

it('a glossary of the server holds for short and long texts, documents and jobs', async () => {
  const directory = temporaryDirectory();
  const place = ['--data-dir', join(directory, 'data')];
  writeFileSync(join(directory, 'terms.csv'), 'term,dnt\nAda Lovelace,yes\n');
  const account = [...place, '--email', 'a@example.org', '--credits', '99'];
  const { stdout } = await dragoman(['keys', 'create', ...account]);
  const server = await serve([...place, '--engine', 'pseudo', '--glossary', 'terms.csv'], directory);
  onTestFinished(async () => void (await server.stop()));
  const headers = { 'X-API-KEY': stdout.trim() };
  const languages = { source: 'en', target: 'fr' };
  const ask = async (path: string, request: object): Promise<string> => {
    const body = JSON.stringify({ ...request, ...languages });
    const init = { method: 'POST', body, headers: { ...headers, 'Content-Type': 'application/json' } };
    const { translations, html } = (await (await fetch(server.url + path, init)).json()) as {
      readonly translations?: { readonly translation: string };
      readonly html?: string;
    };
    return translations?.translation ?? html ?? '';
  };
  const text = 'Ask Ada Lovelace about the engine. ';
  const answers = [
    await ask('/v2/translate', { text }),
    await ask('/v2/translate', { text: text.repeat(100) }),
    await ask('/v2/translate/html', { html: `<p>${text}</p>` }),
  ];

  const form = new FormData();
  form.set('file', new Blob([JSON.stringify({ a: text })]), 'a.json');
  form.set('source_language', 'en');
  form.set('target_languages', 'fr');
  const jobs = `${server.url}/v2/translate/i18n`;
  const created = await fetch(jobs, { method: 'POST', body: form, headers });
  const { job_id: id } = (await created.json()) as { job_id: string };
  const file = await until(async () => {
    const answer = await fetch(`${jobs}/jobs/${id}/download?language_code=fr`, { headers });
    return answer.status === 200 && answer;
  }, 'the translation can be downloaded');
  answers.push(await file.text());

  for (const answer of answers) {
    expect(answer).toContain('Ada Lovelace');
    expect(answer).not.toContain('about the engine');
  }
  expect(answers[1]?.split('Ada Lovelace')).toHaveLength(101);
  const missing = await dragoman(['serve', ...place, '--glossary', 'none.csv']);
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('none.csv') as string });
});
