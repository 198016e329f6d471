import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UploadForm } from '../../src/server/http/upload-form.ts';
import { exchangeBytes, parseAnswer } from './harness.ts';
import { expectError } from './specification/answer.ts';
import { CREATE, encodeForm, JOBS, type Client, type Form } from './specification/client.ts';
import { startServer, type SpecifiedServer } from './specification/server.ts';

let server: SpecifiedServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.close());

/** Whatever was sent, nothing of it is left, and the next client is served. */
async function expectHealthy(client: Client): Promise<void> {
  expect((await client.get(JOBS)).json).toEqual([]);
  expect(readdirSync(join(server.directory, 'uploads'))).toEqual([]);
  expect(await client.summary()).toMatchObject({ credits_used: 0 });
  expect((await client.translate()).status).toBe(200);
}

function bomb(first: string, next: (i: number) => string, levels = 12): string {
  return [first, ...Array.from({ length: levels }, (_, i) => next(i + 1))].join('\n');
}

const ten = (text: string): string => Array<string>(10).fill(text).join(', ');
const ALIAS_BOMB = bomb(`a0: &a0 [${ten('word')}]`, (i) => `a${i}: &a${i} [${ten(`*a${i - 1}`)}]`);
const ENTITY_BOMB = `<?xml version="1.0"?>\n<!DOCTYPE resources [\n${bomb(
  '<!ENTITY e0 "word word word">',
  (i) => `<!ENTITY e${i} "${`&e${i - 1};`.repeat(10)}">`,
)}\n]>\n<resources><string name="a">&e12;</string></resources>`;
const EXTERNAL = `<?xml version="1.0"?>\n<!DOCTYPE resources [<!ENTITY secret SYSTEM "file:///etc/passwd">]>\n<resources><string name="a">Hello &secret;</string></resources>`;
const PARAMETER = `<!DOCTYPE resources [<!ENTITY % remote SYSTEM "http://127.0.0.1:1/x.dtd"> %remote;]><resources><string name="a">Hello</string></resources>`;

const text = (content: string, filename: string, source = 'en'): Form => ({
  content,
  filename,
  source_language: source,
});

describe('a malicious file', () => {
  it.each<[string, Form, RegExp]>([
    ['a YAML alias bomb', text(ALIAS_BOMB, 'a.yaml'), /aliases/],
    ['a bomb of XML entities', text(ENTITY_BOMB, 'a.xml'), /./],
    ['brackets 100,000 deep', text('['.repeat(100_000), 'a.json'), /./],
    ['objects 5,000 deep that end', text(`${'{"a":'.repeat(5_000)}"b"${'}'.repeat(5_000)}`, 'a.json'), /./],
    ['elements 100,000 deep', text('<a>'.repeat(100_000), 'a.xml'), /./],
    ['YAML flows 50,000 deep', text('['.repeat(50_000), 'a.yaml'), /./],
    [
      'bytes that are not text',
      { ...text('', 'a.json'), content: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) },
      /./,
    ],
    [
      'half of an astral character',
      { ...text('', 'a.json'), content: new Uint8Array([0x22, 0xf0, 0x9f, 0x22]) },
      /./,
    ],
    ['an empty file', text('', 'a.json'), /./],
  ])('%s is refused', async (_what, form, detail) => {
    const client = await server.newClient();
    expectError(await client.upload(form), 400, detail);
    await expectHealthy(client);
  });

  it('a self-referencing alias is never followed', async () => {
    const client = await server.newClient();
    const id = await client.createJob({ filename: 'a.yml', content: 'a: &a [Hello, *a]\n' });
    await server.ended(id);
    expect((await client.download(id)).text).toMatch(/^a: &a \[(?!Hello).+, \*a\]\n$/);
  });

  it.each([
    ['an entity that refers to a file', EXTERNAL],
    ['a parameter entity that refers to the network', PARAMETER],
  ])('%s is ignored and absent from translations', async (_what, content) => {
    const client = await server.newClient();
    const answer = await client.upload({ filename: 'a.xml', content });
    if (answer.status !== 201) expectError(answer, 400, /./);
    else {
      const id = String(answer.object(201)['job_id']);
      await server.ended(id);
      const { text: translated } = await client.download(id);
      expect(translated).not.toContain('root:');
      expect(translated).toContain(content.includes('&secret;') ? '&secret;' : '%remote;');
    }
  });

  it('a file name with directories writes nothing elsewhere', async () => {
    const client = await server.newClient();
    for (const filename of [
      '../../../../evil.json',
      '..\\..\\evil.json',
      '/tmp/evil.json',
      'C:\\evil.json',
    ]) {
      const id = await client.createJob({ filename, content: '{"a": "Hello"}' });
      await server.ended(id);
      expect(await client.status(id)).toMatchObject({ original_filename: 'evil.json', status: 'completed' });
      expect((await client.download(id)).headers['content-disposition']).toBe(
        'attachment; filename="evil_fr.json"',
      );
      expect(readdirSync(join(server.directory, 'jobs', id))).toHaveLength(2);
    }
    for (const name of ['evil.json', '../evil.json', '../../evil.json']) {
      expect(existsSync(join(server.directory, name))).toBe(false);
    }
  });

  it('a language never becomes a path', async () => {
    const client = await server.newClient();
    const id = await client.createJob();
    await server.ended(id);
    for (const code of ['../source', '..%2fsource', 'fr/../../source', 'fr\u0000', '']) {
      const { status, text: body } = await client.download(id, code);
      expect([code, status]).toEqual([code, code === '' ? 400 : 404]);
      expect(body).not.toContain('Hello');
    }
  });
});

/** The file, or the form around it. */
const TOO_LARGE = /^the (file|request body) cannot be larger than 1[01],\d{3},\d{3} bytes$/;

describe('a malicious form', () => {
  const part = (disposition: string, body: string): string =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`;
  const FILE = part('name="file"; filename="a.json"', '{"a":"Hello"}');
  const FIELDS = part('name="target_languages"', 'fr') + part('name="source_language"', 'en');
  const END = '--b--\r\n';
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };

  it.each<[string, string, number, RegExp]>([
    ['two files', FILE + FILE + FIELDS + END, 400, /only one file/],
    ['no file', FIELDS + END, 400, /^file is required$/],
    ['nothing', END, 400, /./],
    ['a form without an end', FILE + FIELDS, 400, /malformed or was cut off/],
    ['a form that ends in a header', '--b\r\nContent-Disposition: form-da', 400, /malformed or was cut off/],
    [
      '10,000 fields',
      part('name="x"', 'y').repeat(10_000) + FILE + FIELDS + END,
      400,
      /too many fields|field twice/,
    ],
    [
      '10,000 fields of different names',
      Array.from({ length: 10_000 }, (_, i) => part(`name="f${i}"`, '')).join('') + END,
      400,
      /too many fields/,
    ],
    [
      'a field of a megabyte',
      part('name="target_languages"', 'f'.repeat(1 << 20)) + FILE + END,
      400,
      /longer than/,
    ],
    ['a repeated field', FILE + FIELDS + FIELDS + END, 400, /field twice/],
    ['a header of a megabyte', `--b\r\nX-Long: ${'x'.repeat(1 << 20)}\r\n\r\n\r\n${END}`, 400, /./],
    [
      'a file in another field',
      FILE.replace('"file"', '"other"') + FIELDS + END,
      400,
      /in the form field "file"/,
    ],
    ['a file without a name', FILE.replace('a.json', '') + FIELDS + END, 400, /no name/],
    [
      'a name of 300 bytes',
      FILE.replace('a.json', `${'n'.repeat(300)}.json`) + FIELDS + END,
      400,
      /longer than/,
    ],
    [
      '51 languages',
      FILE + part('name="target_languages"', Array(51).fill('fr').join(',')) + END,
      400,
      /more than 50/,
    ],
    ['__proto__ as a field', FILE + part('name="__proto__"', 'x') + END, 400, /target_languages is required/],
  ])('%s is refused', async (_what, body, status, detail) => {
    const client = await server.newClient();
    expectError(await client.send(CREATE, { method: 'POST', headers, body }), status, detail);
    await expectHealthy(client);
  });

  it('is refused without a boundary, or if its declared length is too large', async () => {
    const client = await server.newClient();
    const plain = { 'Content-Type': 'multipart/form-data' };
    expectError(await client.send(CREATE, { method: 'POST', headers: plain, body: FILE }), 400, /boundary/);
    const head = `POST ${CREATE} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${client.key}\r\nContent-Type: multipart/form-data; boundary=b\r\n`;
    const tooLong = `${head}Content-Length: 99999999\r\n\r\n${FILE}`;
    expect(parseAnswer(await exchangeBytes(server.port, tooLong))).toMatchObject({ status: 413 });
    await expectHealthy(client);
  });

  it('in chunks without a length is refused only if it is too large', async () => {
    const client = await server.newClient();
    const body = FILE + FIELDS + END;
    const chunk = (bytes: string): string => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
    const head = `POST ${CREATE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-API-KEY: ${client.key}\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const small = body.split('').map(chunk).join('');
    expect(parseAnswer(await exchangeBytes(server.port, `${head}${small}0\r\n\r\n`)).status).toBe(201);
    const large = chunk(FILE.replace('Hello', 'x'.repeat(11_000_000)));
    expect(parseAnswer(await exchangeBytes(server.port, `${head}${large}0\r\n\r\n`))).toMatchObject({
      status: 413,
    });
  });

  it.each([
    ['at its last byte', 1],
    ['by a few bytes more than one buffer', 70_000],
    ['by a megabyte', 1 << 20],
  ])(
    'a file that is too large %s is refused immediately, before and after the fields',
    async (_how, more) => {
      const client = await server.newClient();
      const content = new Uint8Array(10 * 1024 * 1024 + more).fill(0x20);
      expectError(await client.upload({ content }), 413, TOO_LARGE);
      const form = new FormData();
      form.append('file', new Blob([content]), 'a.json');
      form.append('target_languages', 'fr');
      const { type, body } = await encodeForm(form);
      const sent = { method: 'POST', headers: { 'Content-Type': type }, body };
      expectError(await client.send(CREATE, sent), 413, TOO_LARGE);
      await expectHealthy(client);
    },
  );

  it('whose file cannot be written fails without waiting', async () => {
    const form = new UploadForm(join(server.directory, 'no', 'such', 'directory'));
    const large = FILE.replace('Hello', 'x'.repeat(300_000));
    for (const body of [FILE + FIELDS + END, large + FIELDS + END]) {
      const received = form.receive(Readable.from([Buffer.from(body)]), headers['Content-Type']);
      await expect(received).rejects.toMatchObject({ code: 'unwritable_output' });
    }
  });
});

describe('a webhook that leads to private addresses', () => {
  it.each([
    ['http://93.184.216.34/hook', 'plain HTTP'],
    ['https://127.0.0.1/hook', 'this machine'],
    ['https://localhost/hook', 'a name of this machine'],
    ['https://a.localhost/hook', 'another one'],
    ['https://[::1]/hook', 'this machine by IPv6'],
    ['https://[::ffff:127.0.0.1]/hook', 'this machine by IPv4 in IPv6'],
    ['https://2130706433/hook', 'this machine as a number'],
    ['https://0x7f.1/hook', 'this machine in hexadecimal'],
    ['https://0.0.0.0/hook', 'any address'],
    ['https://10.0.0.1/hook', 'a private network'],
    ['https://192.168.1.1/hook', 'a private network'],
    ['https://169.254.169.254/latest/meta-data', 'a metadata service'],
    ['https://[fd00:ec2::254]/hook', 'a metadata service by IPv6'],
    ['https://[fe80::1]/hook', 'a link-local address'],
    ['https://user:password@93.184.216.34/hook', 'a URL with a password'],
    ['javascript:alert(1)', 'no address at all'],
  ])('%s (%s) is refused', async (url) => {
    const client = await server.newClient();
    expectError(await client.upload({ webhook_url: url }), 400, /webhook_url/);
    await expectHealthy(client);
  });
});
