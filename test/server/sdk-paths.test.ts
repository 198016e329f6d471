import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dragoman } from '../cli/harness.ts';
import { until } from '../jobs/room.ts';
import { serve, type ServedProcess } from './served.ts';

const directory = mkdtempSync(join(tmpdir(), 'dragoman-sdk-'));
const place = ['--data-dir', join(directory, 'data')];
let server: ServedProcess;
beforeAll(async () => {
  server = await serve([...place, '--engine', 'pseudo', '--sdk-paths', '--rate-limit', '0'], directory);
});
afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The key of a new account. */
async function createKey(email: string): Promise<string> {
  return (await dragoman(['keys', 'create', ...place, '--email', email, '--credits', '99'])).stdout.trim();
}

/** A form as sent over the wire, for headers that describe it as something else. */
function formOf(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(([name, value]) => {
    const file = name === 'file' ? '; filename="app.json"' : '';
    return `--line\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return `${parts.join('')}--line--\r\n`;
}

const FORM = formOf({ file: '{"a": "Hello"}', target_languages: 'fr,es', source_language: 'en' });

/** The paths of one family of SDKs, and the content type that it uses for a form. */
const SDKS = [
  {
    name: 'JavaScript',
    form: 'multipart/form-data; boundary=line',
    create: '/v2/i18n/jobs',
    status: (id: string) => `/v2/i18n/jobs/${id}`,
    languages: '/v2/language/supported',
    detect: '/v2/language/detect',
    account: '/v2/user/account',
  },
  {
    name: 'Python',
    form: 'application/json',
    create: '/v2/i18n/jobs',
    status: (id: string) => `/v2/i18n/jobs/${id}`,
    languages: '/v2/language/supported',
    detect: '/v2/language/detect',
    account: '/v2/user/account',
  },
  {
    name: 'PHP and Java',
    form: 'multipart/form-data; boundary=line',
    create: '/v2/i18n/create_job',
    status: (id: string) => `/v2/i18n/job/${id}`,
    languages: '/v2/supported_languages',
    detect: '/v2/language_detect',
    account: '/v2/account/summary',
  },
] as const;

it.each(SDKS)('with --sdk-paths the requests of the SDKs for $name are answered', async (sdk) => {
  const email = `${sdk.name.replaceAll(' ', '-')}@example.org`.toLowerCase();
  const key = await createKey(email);
  const ask = (path: string, init: RequestInit = {}, type = 'application/json'): Promise<Response> =>
    fetch(server.url + path, { ...init, headers: { 'X-API-KEY': key, 'Content-Type': type } });
  const read = async (path: string): Promise<unknown> => (await ask(path)).json();

  const created = await ask(sdk.create, { method: 'POST', body: FORM }, sdk.form);
  expect(created.status).toBe(201);
  expect(Number(created.headers.get('x-ratelimit-limit'))).toBe(2_147_483_647);
  const job = (await created.json()) as { job_id: string };
  expect(job).toEqual({
    job_id: expect.any(String) as string,
    status: 'pending',
    message: expect.any(String) as string,
  });
  const status = sdk.status(job.job_id);
  await until(
    async () => ((await read(status)) as { status: string }).status === 'completed',
    'the job is done',
  );
  expect(await read(status)).toMatchObject({ id: job.job_id, translated_files: [{}, {}] });

  const file = await ask(`/v2/i18n/jobs/${job.job_id}/download/fr`);
  expect(Object.keys((await file.json()) as object)).toEqual(['a']);
  expect((await ask(`/v2/i18n/jobs/${job.job_id}/download/de`)).status).toBe(404);

  const page = { page: 1, page_size: 20, total_pages: 1, count: 1, results: [{ id: job.job_id }] };
  expect(await read('/v2/i18n/jobs')).toMatchObject(page);
  const second = { page: 2, page_size: 1, total_pages: 1, count: 1, results: [] };
  expect(await read('/v2/i18n/jobs?page=2&page_size=1')).toEqual(second);
  expect((await ask('/v2/i18n/jobs?page=0')).status).toBe(400);
  expect((await ask(`/v2/i18n/jobs/${job.job_id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await ask(status)).status).toBe(404);

  const languages = await read(sdk.languages);
  expect(languages).toMatchObject({ languages: { fr: 'French' }, supported_languages: { French: 'fr' } });
  const asked = await ask(sdk.detect, { method: 'POST', body: '{"text": "Wo ist der Bahnhof, bitte?"}' });
  expect(await asked.json()).toMatchObject({ language_detection: { language: 'de' } });
  const summary = await read(sdk.account);
  expect(summary).toMatchObject({ email, total_credits: 99 });
  if (sdk.account === '/v2/user/account')
    expect(summary).toMatchObject({ plan_name: 'self-hosted', concurrency_limit: 64 });
});

it('with --sdk-paths, a body that is not a form is still refused', async () => {
  const key = await createKey('b@example.org');
  const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' };
  for (const body of ['{}', '', '--line\nnothing'])
    expect((await fetch(`${server.url}/v2/i18n/jobs`, { method: 'POST', body, headers })).status).toBe(415);
});
