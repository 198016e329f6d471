import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { dragoman, projectWith } from './harness.ts';
import { fakeService, sendJson, startService } from './service.ts';

const service = startService(['--fault', 'job-fail:pt']);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const APP = '{ "a": "One {x}",\r\n  "b": "Two" }\r\n';

const json = (stdout: string): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

async function create(cwd: string, targets = 'fr'): Promise<string> {
  const result = await service.run(['jobs', 'create', 'app.json', '-s', 'en', '-t', targets], { cwd });
  expect(result.exitCode, result.stderr).toBe(0);
  return result.stdout.trim();
}

describe('jobs', () => {
  it('create prints the id, watch waits, download writes the files, and delete removes the job', async () => {
    const cwd = projectWith({ 'app.json': APP });
    const id = await create(cwd, 'fr,es');
    expect(id).toMatch(UUID);
    const watched = await service.run(['jobs', 'watch', id], { cwd });
    expect(watched).toMatchObject({ exitCode: 0, stdout: `${id} app.json: completed, 2 of 2 keys\n` });
    const listed = await service.run(['jobs', 'list'], { cwd });
    expect(listed.stdout).toMatch(new RegExp(`^job .*\n${id} +completed +2 of 2 keys +fr,es `));
    const shown = await service.run(['jobs', 'status', id], { cwd });
    expect(shown.stdout).toMatch(/^status +completed$/m);
    expect(shown.stdout).toMatch(/^translated +es, \d+ kB$/m);

    const all = await service.run(['jobs', 'download', id, '-o', 'out'], { cwd });
    expect(all.exitCode, all.stderr).toBe(0);
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['app_es.json', 'app_fr.json']);
    expect(readFileSync(join(cwd, 'out/app_fr.json'), 'utf8')).toMatch(/^\{ "a": "(?!One).+\{x\}",\r\n/);
    const one = await service.run(['jobs', 'download', id, '-t', 'FR', '--json'], { cwd });
    expect(json(one.stdout)).toEqual({
      job_id: id,
      files: [
        {
          language_code: 'fr',
          path: join(cwd, 'app_fr.json'),
          file_size: readFileSync(join(cwd, 'app_fr.json')).length,
        },
      ],
    });

    const again = await service.run(['jobs', 'download', id], { cwd });
    expect(again).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/app_es\.json|already exists/),
    });
    expect((await service.run(['jobs', 'download', id, '--force'], { cwd })).exitCode).toBe(0);
    expect((await service.run(['jobs', 'download', id, '-t', 'de'], { cwd })).exitCode).toBe(1);

    expect(await service.run(['jobs', 'delete', id], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--yes'),
    });
    const deleted = await service.run(['jobs', 'delete', id, '--yes', '--json'], { cwd });
    expect(json(deleted.stdout)).toMatchObject({ job_id: id });
    const gone = await service.run(['jobs', 'status', id, '--json'], { cwd });
    expect(gone.exitCode).toBe(1);
    const hint = 'dragoman jobs list shows the jobs of your account.';
    expect(json(gone.stdout)).toMatchObject({ error: { code: 'not_found', status: 404, hint } });
  });

  it('show the remaining time if the service reports it', async () => {
    const id = '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b';
    for (const [told, shown] of [
      [{ seconds_left: 90 }, 'left       about 1:30'],
      [{ seconds_left: null }, undefined],
      [{}, undefined],
    ] as const) {
      const fake = await fakeService((_, response) => sendJson(response, statusOf(id, 'processing', told)));
      const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'some-key-1234' };
      const { stdout, exitCode } = await dragoman(['jobs', 'status', id], { env });
      expect(exitCode).toBe(0);
      expect(stdout.split('\n').find((line) => line.startsWith('left'))).toBe(shown);
    }
  });

  it('create, wait, download and delete in one command', async () => {
    const cwd = projectWith({ 'app.json': APP });
    const argv = ['jobs', 'create', 'app.json', '-s', 'en', '-t', 'fr', '--watch', '-o', 'out', '--delete'];
    const { exitCode, stdout, stderr } = await service.run([...argv, '--json'], { cwd });
    expect(exitCode, stderr).toBe(0);
    const job = json(stdout);
    expect(job).toMatchObject({
      status: 'completed',
      total_keys: 2,
      downloads: [{ language_code: 'fr', path: join(cwd, 'out/app_fr.json') }],
    });
    expect(stderr).toContain(`created job ${String(job['id'])}`);
    expect((await service.run(['jobs', 'status', String(job['id'])])).exitCode).toBe(1);
  });

  it('end with 7 for a partial job and with 1 for a failed one', async () => {
    const cwd = projectWith({ 'app.json': APP });
    const argv = ['jobs', 'create', 'app.json', '-s', 'en', '--watch'];
    const partial = await service.run([...argv, '-t', 'fr,pt', '-o', 'out', '--delete'], { cwd });
    expect(partial.exitCode, partial.stderr).toBe(7);
    expect(partial.stderr).toMatch(/partial/);
    const failed = await service.run([...argv, '-t', 'pt', '-o', 'out', '--delete', '--json'], { cwd });
    expect(failed.exitCode, failed.stderr).toBe(1);
    // A failed job is kept, because it has the reason.
    const { id, error_message } = json(failed.stdout);
    expect(error_message).not.toBeNull();
    expect((await service.run(['jobs', 'status', String(id)])).exitCode).toBe(0);
  });

  it('watch several at once', async () => {
    const cwd = projectWith({ 'app.json': APP });
    const ids = [await create(cwd), await create(cwd, 'es')];
    const { exitCode, stdout } = await service.run(['jobs', 'watch', ...ids, '--json'], { cwd });
    expect(exitCode).toBe(0);
    const jobs = JSON.parse(stdout) as { id: string; status: string }[];
    expect(jobs.map(({ id, status }) => [id, status])).toEqual(ids.map((id) => [id, 'completed']));
  });

  it.each([
    ['an extension that jobs do not support', ['jobs', 'create', 'a.txt', '-t', 'fr'], /no format/],
    ['a missing file', ['jobs', 'create', 'b.json', '-t', 'fr'], /no such file/],
    ['an empty file', ['jobs', 'create', 'empty.json', '-t', 'fr'], /empty/],
    ['no language', ['jobs', 'create', 'app.json'], /-t/],
    [
      'a webhook over http',
      ['jobs', 'create', 'app.json', '-t', 'fr', '--webhook-url', 'http://a.example'],
      /https/,
    ],
    ['-o without --watch', ['jobs', 'create', 'app.json', '-t', 'fr', '-o', 'x'], /--watch/],
    ['--delete without -o', ['jobs', 'create', 'app.json', '-t', 'fr', '--watch', '--delete'], /-o/],
    ['an invalid id', ['jobs', 'status', '../account'], /not a job id/],
    [
      '--all with -t',
      ['jobs', 'download', '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', '--all', '-t', 'fr'],
      /exclusive/,
    ],
    ['an unknown subcommand', ['jobs', 'wach'], /watch/],
  ])('end with 2 for %s', async (_, argv, message) => {
    const cwd = projectWith({ 'app.json': APP, 'a.txt': 'x', 'empty.json': '' });
    const result = await service.run(argv, { cwd });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(message);
  });

  it('need a service, and explain how to get one', async () => {
    const result = await dragoman(['jobs', 'list'], { env: { DRAGOMAN_ENGINE: 'pseudo' } });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(/--base-url[^]*dragoman serve/);
  });

  it('are deleted without --yes only after confirmation on a terminal', async () => {
    const cwd = projectWith({ 'app.json': APP });
    const id = await create(cwd);
    const tty = { cwd, tty: true, env: { TERM: 'dumb' } };
    expect((await service.run(['jobs', 'delete', id, '--no-input'], tty)).exitCode).toBe(2);
    const answer = async (typed: string): Promise<{ exitCode: number; shown: string }> => {
      const stdin = Object.assign(new PassThrough(), { isTTY: true });
      const shown = Object.assign(new PassThrough(), { isTTY: true });
      stdin.write(typed);
      const exitCode = await runProgram(['jobs', 'delete', id], {
        stdin,
        stdout: shown,
        stderr: shown,
        env: { DRAGOMAN_BASE_URL: service.url, DRAGOMAN_API_KEY: service.key, TERM: 'dumb' },
        cwd,
        signal: new AbortController().signal,
      });
      return { exitCode, shown: String(shown.read()) };
    };
    expect(await answer('\n')).toMatchObject({ exitCode: 0, shown: expect.stringContaining('nothing was') });
    expect(await answer('yes\n')).toMatchObject({
      exitCode: 0,
      shown: expect.stringContaining(`deleted job ${id}`),
    });
    expect((await service.run(['jobs', 'status', id])).exitCode).toBe(1);
  });

  it('continue when watching is interrupted, and the command prints how to resume', async () => {
    const id = '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b';
    const stop = new AbortController();
    const fake = await fakeService((_request, response) => {
      sendJson(response, statusOf(id, 'processing'));
      setImmediate(() => stop.abort());
    });
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'some-key-1234' };
    const result = await dragoman(['jobs', 'watch', id], { env, signal: stop.signal });
    expect(result).toMatchObject({ exitCode: 130, stdout: '' });
    expect(result.stderr).toContain(`dragoman jobs watch ${id}`);
    expect(fake.requests.map(({ method }) => method)).toEqual(['GET']);
    const late = await dragoman(['jobs', 'watch', id, '--timeout', '0.01'], { env });
    expect(late.exitCode).toBe(6);
    expect(late.stderr).toMatch(/not finished within 0.01 seconds[^]*jobs watch/);
  });
});

function statusOf(id: string, status: string, more: object = {}): object {
  const time = '2026-01-01T00:00:00Z';
  return {
    id,
    job_id: id,
    status,
    original_filename: 'app.json',
    file_type: 'json',
    source_language: 'en',
    target_languages: ['fr', 'es'],
    total_keys: 2,
    translated_keys: 1,
    failed_keys: 0,
    error_message: null,
    created_at: time,
    updated_at: time,
    completed_at: null,
    translated_files: [],
    ...more,
  };
}

describe('an untrusted service', () => {
  const id = '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b';
  const fileOf = (language_code: string, file_size: number): object => ({
    id,
    language_code,
    file_url: 'https://a.example/x',
    file_size,
    created_at: '2026-01-01T00:00:00Z',
  });

  it.each([
    ['../../etc/passwd_fr.json', 'passwd_fr.json'],
    ['/etc/cron.d/x', 'app_fr.json'],
    ['C:\\Windows\\evil_fr.json', 'evil_fr.json'],
    ['package.json', 'app_fr.json'],
    ['.dragomanrc', 'app_fr.json'],
    ['.npmrc_fr.json', '_npmrc_fr.json'],
    ['con_fr.json', 'con_fr.json'],
    ['nul.x_fr.json', '_nul.x_fr.json'],
    ['a\u202eb_fr.json', 'a_b_fr.json'],
    [`${'x'.repeat(300)}_fr.json`, 'app_fr.json'],
  ])('cannot choose the path of a file: %j is written to %j', async (given, name) => {
    const cwd = projectWith({});
    const fake = await fakeService(({ url = '' }, response) => {
      if (url.endsWith('/status')) {
        return sendJson(response, statusOf(id, 'completed', { translated_files: [fileOf('fr', 2)] }));
      }
      const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(given)}`;
      response.writeHead(200, { 'content-disposition': disposition, 'content-type': 'application/json' });
      return response.end('{}');
    });
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'some-key-1234' };
    const result = await dragoman(['jobs', 'download', id, '-o', 'out'], { cwd, env });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(readdirSync(cwd)).toEqual(['out']);
    expect(readdirSync(join(cwd, 'out'))).toEqual([name]);
  });

  it('cannot make a command write a file that is shorter than announced', async () => {
    const cwd = projectWith({});
    const fake = await fakeService(({ url = '' }, response) => {
      if (url.endsWith('/status')) {
        return sendJson(response, statusOf(id, 'completed', { translated_files: [fileOf('fr', 1000)] }));
      }
      response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
      return response.end('{}');
    });
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'some-key-1234' };
    const result = await dragoman(['jobs', 'download', id, '-o', 'out', '--json'], { cwd, env });
    expect(result.exitCode).toBe(6);
    expect(json(result.stdout)).toMatchObject({
      error: { code: 'contract_violation', hint: expect.stringContaining('jobs download') as string },
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('cannot forge table lines or control a terminal', async () => {
    const fake = await fakeService((_request, response) =>
      sendJson(response, [statusOf(id, 'failed', { original_filename: 'a\n\u001b[2Jb.json' })]),
    );
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'some-key-1234' };
    const { stdout } = await dragoman(['jobs', 'list'], { env });
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stdout).toContain('a\\n\\u001b[2Jb.json');
  });
});

describe('i18n with a service', () => {
  it('creates a job for each file, with the same results as locally', async () => {
    const files = { 'app.json': APP, 'b/menu.properties': '# x\na = One\n' };
    const cwd = projectWith(files);
    const argv = ['i18n', ...Object.keys(files), '-s', 'en', '-t', 'fr,pt-BR'];
    const here = await dragoman([...argv, '-o', 'here', '--engine', 'pseudo'], { cwd });
    expect(here.exitCode, here.stderr).toBe(0);
    const there = await service.run([...argv, '-o', 'there', '--delete'], { cwd });
    expect(there.exitCode, there.stderr).toBe(0);
    expect(there.stdout).toBe(here.stdout.replaceAll('here/', 'there/'));
    for (const name of readdirSync(join(cwd, 'here'))) {
      expect(readFileSync(join(cwd, 'there', name))).toEqual(readFileSync(join(cwd, 'here', name)));
    }
    const { stdout } = await service.run(['jobs', 'list', '--json']);
    const names = (JSON.parse(stdout) as { original_filename: string }[]).map((job) => job.original_filename);
    expect(names).not.toContain('menu.properties');
  });

  it('names the language without a file, and ends with 7', async () => {
    const cwd = projectWith({ 'app.json': APP });
    const result = await service.run(['i18n', 'app.json', '-s', 'en', '-t', 'fr,pt', '-o', 'out', '--json'], {
      cwd,
    });
    expect(result.exitCode).toBe(7);
    const { files, jobs } = json(result.stdout) as { files: { language_code: string }[]; jobs: object[] };
    expect(files.map(({ language_code }) => language_code)).toContain('fr');
    expect(jobs).toMatchObject([{ status: 'partial' }]);
  });

  it('waits for existing jobs when another cannot be created', async () => {
    const cwd = projectWith({ 'a.json': '{"a": "One"}', 'b.json': '{"b": "Two"}' });
    const key = await service.keys([
      'create',
      '--email',
      'poor@example.org',
      '--name',
      'P',
      '--credits',
      '1',
    ]);
    const argv = ['i18n', 'a.json', 'b.json', '-s', 'en', '-t', 'fr', '-o', 'out', '--json'];
    const result = await service.run(argv, { cwd, env: { DRAGOMAN_API_KEY: key } });
    expect(result.exitCode).toBe(4);
    expect(json(result.stdout)).toMatchObject({
      files: [{ language_code: 'fr', path: join(cwd, 'out/a_fr.json') }],
      error: { code: 'insufficient_credits', status: 402 },
    });
    expect(readdirSync(join(cwd, 'out'))).toEqual(['a_fr.json']);
  });

  it('verifies the answers of a service: invalid values keep their source, or stay empty if gettext falls back', async () => {
    const id = '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b';
    let name = 'app.json';
    let content = '{ "a": "Un", "b": "Deux" }';
    const fake = await fakeService(({ url = '', method }, response) => {
      if (method === 'POST') return sendJson(response, { job_id: id, status: 'pending', message: 'x' }, 201);
      if (!url.includes('/download')) {
        const file = {
          id,
          language_code: 'fr',
          file_url: 'https://a.example/x',
          created_at: '2026-01-01T00:00:00Z',
        };
        const translated_files = [{ ...file, file_size: Buffer.byteLength(content) }];
        return sendJson(response, statusOf(id, 'completed', { original_filename: name, translated_files }));
      }
      response.writeHead(200, { 'content-length': Buffer.byteLength(content) });
      return response.end(content);
    });
    const cwd = projectWith({
      'app.json': '{ "a": "One {x}", "b": "Two" }',
      'app.po': 'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n',
    });
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'some-key-1234' };
    const run = () => dragoman(['i18n', name, '-s', 'en', '-t', 'fr', '-o', 'out', '--force'], { cwd, env });
    const json = await run();
    expect(json).toMatchObject({
      exitCode: 7,
      stderr: expect.stringMatching(/app\.json:1:\d+: a \(fr\) keeps its source text: .*\{x\}/),
    });
    expect(readFileSync(join(cwd, 'out/app_fr.json'), 'utf8')).toBe('{ "a": "One {x}", "b": "Deux" }');
    content = '{ "a": "Un {x}", "b": "Deux \\u0001" }';
    expect(await run()).toMatchObject({
      exitCode: 7,
      stderr: expect.stringMatching(/b \(fr\) keeps .*invalid characters/),
    });
    expect(readFileSync(join(cwd, 'out/app_fr.json'), 'utf8')).toBe('{ "a": "Un {x}", "b": "Two" }');
    content = '{ "a": "Un {x}" }';
    expect(await run()).toMatchObject({
      exitCode: 7,
      stderr: expect.stringMatching(/b \(fr\) keeps its source text: .*violates the specification/),
    });
    content = '{ "a": "Un {x}", "b": "Deux" }';
    expect((await run()).exitCode).toBe(0);
    content = '{ "a": "Un {x}", "b": ';
    expect(await run()).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining(`jobs download ${id}`),
    });
    name = 'app.po';
    content =
      'msgid ""\nmsgstr "Language: fr\\nPlural-Forms: nplurals=2; plural=n > 1;\\n"\n\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d fichier"\nmsgstr[1] "%s fichiers"\n';
    expect((await run()).exitCode).toBe(7);
    expect(readFileSync(join(cwd, 'out/app_fr.po'), 'utf8')).toMatch(/msgstr\[0\] ""\nmsgstr\[1\] ""\n$/);
  });

  it('refuses --delete without jobs', async () => {
    const cwd = projectWith({ 'app.json': APP });
    const argv = ['i18n', 'app.json', '-s', 'en', '-t', 'fr', '--engine', 'pseudo', '--delete'];
    expect((await dragoman(argv, { cwd })).exitCode).toBe(2);
  });
});
