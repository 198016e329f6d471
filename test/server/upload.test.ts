import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import type { CreateJobRequest } from '../../src/contract/jobs.ts';
import type { JobUpload } from '../../src/service/service.ts';
import { sweepUploads } from '../../src/server/http/upload.ts';
import { uploadName } from '../../src/server/http/upload-form.ts';
import {
  exchangeBytes,
  jobsOf,
  listenTo,
  openApp,
  parseAnswer,
  temporaryDirectory,
  type TestApp,
} from './harness.ts';

const PATH = '/v2/translate/i18n';
const LIMIT = 10 * 1024 * 1024;
const created = {
  job_id: '9b2f8f2e-6d0e-4c34-9d3e-0f6a2b8f3c11',
  status: 'pending',
  message: 'created',
} as const;

interface Received {
  readonly request: CreateJobRequest;
  readonly filename: string;
  readonly content: Buffer;
}

/** An application whose jobs record their input. */
async function openReceiver(fails?: DragomanError): Promise<TestApp & { readonly received: Received[] }> {
  const received: Received[] = [];
  const createJob = (request: CreateJobRequest, { filename, path }: JobUpload) => {
    received.push({ request, filename, content: readFileSync(path) });
    return fails ? Promise.reject(fails) : Promise.resolve(created);
  };
  return { ...(await openApp({ jobs: jobsOf({ createJob }) })), received };
}

function form(fields: Readonly<Record<string, string | Blob>>, filename = 'messages.json'): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, filename);
  }
  return data;
}

const file = (bytes: string | Uint8Array<ArrayBuffer>): Blob => new Blob([bytes]);

async function send(test: TestApp, body: FormData): Promise<readonly [number, unknown]> {
  const answer = await test.ask(PATH, { method: 'POST', body });
  return [answer.status, await answer.json()];
}

/** A form as bytes, for forms that FormData cannot produce. */
function multipart(...parts: readonly string[]): { body: string; headers: Record<string, string> } {
  const body = `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
  return { body, headers: { 'Content-Type': 'multipart/form-data; boundary=b' } };
}

const filePart = (filename: string, content = '{}'): string =>
  `Content-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n${content}`;
const field = (name: string, value: string): string =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

const staged = ({ directory }: TestApp): readonly string[] => {
  const uploads = join(directory, 'uploads');
  return existsSync(uploads) ? readdirSync(uploads) : [];
};

describe('a form with a file', () => {
  it('creates a job, with the fields before or after the file', async () => {
    const test = await openReceiver();
    const content = '{"a":"Grüße"}';
    expect(await send(test, form({ target_languages: 'fr,de', file: file(content) }))).toEqual([
      201,
      created,
    ]);
    const behind = form({ file: file(content), target_languages: 'fr', source_language: 'en' });
    behind.append('webhook_url', 'https://example.org/hook');
    expect((await send(test, behind))[0]).toBe(201);
    expect(test.received).toEqual([
      {
        request: { target_languages: 'fr,de', source_language: 'auto' },
        filename: 'messages.json',
        content: Buffer.from(content),
      },
      {
        request: { target_languages: 'fr', source_language: 'en', webhook_url: 'https://example.org/hook' },
        filename: 'messages.json',
        content: Buffer.from(content),
      },
    ]);
    expect(staged(test)).toEqual([]);
    expect(await test.account()).toMatchObject({ balance: 1000, reserved: 0, requestsSuccessful: 2 });
  });

  it('of 10 MiB is accepted, and with one byte more is refused', async () => {
    const test = await openReceiver();
    const bytes = new Uint8Array(LIMIT + 1).fill(0x20);
    const [status] = await send(test, form({ target_languages: 'fr', file: file(bytes.subarray(0, LIMIT)) }));
    expect([status, test.received[0]?.content.length]).toEqual([201, LIMIT]);
    expect(await send(test, form({ target_languages: 'fr', file: file(bytes) }))).toEqual([
      413,
      { detail: 'the file cannot be larger than 10,485,760 bytes' },
    ]);
    expect((await send(test, form({ file: file(bytes), target_languages: 'fr' })))[0]).toBe(413);
    expect(test.received).toHaveLength(1);
    expect(staged(test)).toEqual([]);
  });

  it('that is too large is refused over a socket so that the client sees it', async () => {
    const test = await openReceiver();
    const { url } = await listenTo(test);
    const body = form({ file: file(new Uint8Array(3 * LIMIT)), target_languages: 'fr' });
    const answer = await fetch(url + PATH, { method: 'POST', body, headers: { 'X-API-KEY': test.key } });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      detail: expect.stringContaining('cannot be larger') as string,
    });
  });

  it('is refused if it is invalid', async () => {
    const test = await openReceiver();
    const ok = filePart('a.json');
    const targets = field('target_languages', 'fr');
    const cases: readonly (readonly [ReturnType<typeof multipart>, string])[] = [
      [multipart(targets), 'file is required'],
      [multipart(ok), 'target_languages is required'],
      [multipart(targets, ok, ok), 'the form can contain only one file'],
      [multipart(targets, targets, ok), 'the form has a field twice'],
      [multipart(targets, filePart('')), 'the file has no name'],
      [multipart(targets, filePart('..')), 'the file has no name'],
      [multipart(targets, field('file', '{}')), 'the file has no name'],
      [multipart(targets, ok.replace('"file"', '"document"')), 'the file must be in the form field "file"'],
      [
        multipart(targets, filePart(`${'a'.repeat(300)}.json`)),
        'the name of the file cannot be longer than 200 bytes',
      ],
      [
        multipart(field('target_languages', 'f'.repeat(17_000)), ok),
        'a form field cannot be longer than 16384 bytes',
      ],
      [
        multipart(...Array.from({ length: 20 }, (_, i) => field(`f${i}`, '')), ok),
        'the form has too many fields',
      ],
      [{ ...multipart(), body: `--b\r\n${ok}` }, 'the form is malformed or was cut off'],
      [{ ...multipart(), body: 'no form' }, 'the form is malformed or was cut off'],
      [
        { body: '', headers: { 'Content-Type': 'multipart/form-data' } },
        'the form has no boundary in its Content-Type',
      ],
      [
        multipart(field('target_languages', 'fr,,de'), ok),
        'target_languages cannot have an empty language code',
      ],
      [
        multipart(field('target_languages', Array.from({ length: 51 }, () => 'fr').join()), ok),
        'target_languages cannot have more than 50 languages',
      ],
      [
        multipart(targets, field('webhook_url', 'http://example.org'), ok),
        'webhook_url must be a valid HTTPS URL',
      ],
    ];
    for (const [init, detail] of cases) {
      const answer = await test.ask(PATH, { method: 'POST', ...init });
      expect([answer.status, await answer.json()]).toEqual([400, { detail }]);
    }
    expect(test.received).toEqual([]);
    expect(staged(test)).toEqual([]);
  });

  it('must be a form: JSON is not accepted', async () => {
    const test = await openReceiver();
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/mixed; boundary=b',
    ]) {
      const answer = await test.ask(PATH, { method: 'POST', body: '{}', headers: { 'Content-Type': type } });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        { detail: 'the request needs Content-Type: multipart/form-data; JSON is not accepted' },
      ]);
    }
  });

  it('leaves nothing behind if the job is refused or the client disconnects', async () => {
    const test = await openReceiver(new DragomanError('unreadable_input', 'line 1, column 2: no'));
    expect((await send(test, form({ target_languages: 'fr', file: file('{') })))[0]).toBe(400);
    const { port } = await listenTo(test);
    const { body, headers } = multipart(
      field('target_languages', 'fr'),
      filePart('a.json', 'x'.repeat(100_000)),
    );
    const head =
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${test.key}\r\n` +
      `Content-Type: ${headers['Content-Type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await exchangeBytes(port, head + body.slice(0, 50_000), 200)).toBe('');
    while ((await test.account()).requestsFailed < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(staged(test)).toEqual([]);
    expect(test.received).toHaveLength(1);
  });

  it('that is refused early leaves its connection to the next request', async () => {
    const test = await openReceiver();
    const { port } = await listenTo(test);
    const { body, headers } = multipart(filePart('..', 'x'.repeat(600_000)));
    const raw = await exchangeBytes(
      port,
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${test.key}\r\n` +
        `Content-Type: ${headers['Content-Type']}\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
  });

  it('survives an answer that comes before its end', async () => {
    const test = await openReceiver();
    const { port } = await listenTo(test);
    const head = (key: string, length: number): string =>
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
      `Content-Length: ${length}\r\n\r\n`;
    const refused = await exchangeBytes(port, head('drg_unknown', 5_000_000) + 'x'.repeat(4_000_000));
    expect(parseAnswer(refused)).toMatchObject({ status: 403 });
  });
});

describe('the name of an upload', () => {
  it('is its last part, in the notation of any system, without control or special characters', () => {
    const names: Readonly<Record<string, string>> = {
      'messages.json': 'messages.json',
      '../../etc/messages.json': 'messages.json',
      'C:\\Users\\Anna\\messages.json': 'messages.json',
      '/a/b\\c.json': 'c.json',
      'a\u0000\r\n\u001b[31m.json': 'a[31m.json',
      'a\u202egnp.json': 'agnp.json',
      'Übersetzung – 翻訳.json': 'Übersetzung – 翻訳.json',
      ' a.json ': 'a.json',
    };
    for (const [sent, name] of Object.entries(names)) expect(uploadName(sent)).toBe(name);
    for (const sent of [undefined, '', '/', '..', 'a/..', '\\', '\u0007']) {
      expect(() => uploadName(sent)).toThrow('the file has no name');
    }
  });
});

describe('staged uploads', () => {
  it('of dead processes are removed at the start; those of living processes stay', async () => {
    const directory = join(temporaryDirectory(), 'uploads');
    await sweepUploads(directory, Date.now());
    mkdirSync(directory);
    writeFileSync(join(directory, 'old'), '');
    writeFileSync(join(directory, 'new'), '');
    utimesSync(join(directory, 'old'), 0, Date.now() / 1000 - 3_601);
    await sweepUploads(directory, Date.now());
    expect(readdirSync(directory)).toEqual(['new']);
  });
});
