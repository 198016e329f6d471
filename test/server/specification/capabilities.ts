import { expect } from 'vitest';
import { fieldsOf, send } from './answer.ts';
import { CREATE, encodeForm } from './client.ts';
import type { Section } from './row.ts';

const pair = { source: 'en', target: 'fr' };
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

export const interfaceRows: Section = {
  title: 'Translation Service API',
  rows: [
    [
      'every path is relative to the base address, without a prefix before the version',
      async (server) => {
        const client = await server.newClient();
        expect((await client.get('/v2/supported-languages')).status).toBe(200);
        expect((await client.get('/api/v2/supported-languages')).status).toBe(404);
      },
    ],
    [
      'bodies are JSON in UTF-8, in both directions',
      async (server) => {
        const client = await server.newClient();
        const text = 'Grüße, 世界 👋🏽 — “ok”';
        const answer = await client.translate({ text, source: 'de' });
        expect(answer.headers['content-type']).toMatch(/^application\/json; charset=utf-8$/i);
        expect(fieldsOf(answer.object()['translations'])['text']).toBe(text);
        expect(answer.bytes.includes(Buffer.from(text.slice(0, 5), 'utf8'))).toBe(true);
      },
    ],
    [
      'a job is created with multipart/form-data, and a download is the content of a file',
      async (server) => {
        const client = await server.newClient();
        const form = new FormData();
        form.append('target_languages', 'fr');
        form.append('source_language', 'en');
        form.append('file', new Blob(['{"a":"Hello"}']), 'a.json');
        const { type, body } = await encodeForm(form);
        expect(type).toMatch(/^multipart\/form-data; boundary=/);
        const headers = { 'Content-Type': type };
        const id = String(
          (await client.send(CREATE, { method: 'POST', headers, body })).object(201)['job_id'],
        );
        await server.ended(id);
        expect((await client.download(id)).text).toMatch(/^\{"a":"(?!Hello").+"\}$/);
      },
    ],
  ],
};

export const capabilityRows: Section = {
  title: 'What the service does',
  rows: [
    [
      'it translates one text',
      async (server) => {
        const client = await server.newClient();
        const { translation } = fieldsOf((await client.translate()).object()['translations']);
        expect(translation).toMatch(/^(?!Hello$)./);
      },
    ],
    [
      'it translates up to 100 texts with one source and one target',
      async (server) => {
        const client = await server.newClient();
        const texts = Array.from({ length: 100 }, (_, i) => `Text ${i}`);
        const answer = await client.post('/v2/translate/batch', { texts, ...pair });
        expect(answer.object()).toMatchObject({ total: 100, successful: 100, failed: 0 });
      },
    ],
    [
      'it translates HTML and preserves tags, attributes and structure',
      async (server) => {
        const client = await server.newClient();
        const html = '<p class="a">Hello <b>you</b></p>';
        const answer = await client.post('/v2/translate/html', { html, ...pair });
        expect(answer.object()['html']).toMatch(/^<p class="a">(?!Hello ).+<b>(?!you<).+<\/b><\/p>$/);
      },
    ],
    [
      'it translates the subject and the HTML body of an e-mail together',
      async (server) => {
        const client = await server.newClient();
        const body = { subject: 'Hello', email_body: '<p>Goodbye</p>', ...pair };
        expect((await client.post('/v2/translate/email', body)).object()).toEqual({
          subject: expect.stringMatching(/^(?!Hello$)./),
          html_body: expect.stringMatching(/^<p>(?!Goodbye<).+<\/p>$/),
        });
      },
    ],
    [
      'it translates SRT and VTT and preserves timestamps',
      async (server) => {
        const client = await server.newClient();
        for (const [format, content] of [
          ['srt', SRT],
          ['vtt', `WEBVTT\n\n${SRT.replaceAll(',', '.')}`],
        ] as const) {
          const answer = await client.post('/v2/translate/subtitles', { format, content, ...pair });
          const { content: translated } = answer.object();
          expect(translated).toMatch(/^00:00:01[,.]000 --> 00:00:02[,.]000\n(?!Hello\n).+\n$/m);
          expect(translated).not.toContain('Hello');
        }
      },
    ],
    [
      'it translates a localization file into several languages as a job; only values are translated',
      async (server) => {
        const client = await server.newClient();
        const content = '{"a.b": {"greeting": "Hello {name}, {n, plural, one {# file} other {# files}}"}}';
        const id = await client.createJob({ content, target_languages: 'fr,de' });
        await server.ended(id);
        for (const code of ['fr', 'de']) {
          const { text } = await client.download(id, code);
          expect(text).toMatch(
            /^\{"a\.b": \{"greeting": ".+\{name\}, \{n, plural, .*one \{.+\} .*other \{.+\}\}"\}\}$/,
          );
          expect(text).not.toContain('Hello');
        }
      },
    ],
    [
      'it detects the language of a text',
      async (server) => {
        const client = await server.newClient();
        const answer = await client.post('/v2/language_detect', {
          text: 'Où est la gare, s’il vous plaît ?',
        });
        expect(answer.object()).toMatchObject({ language_detection: { language: 'fr' } });
      },
    ],
    [
      'it lists more than 100 languages',
      async (server) => {
        const client = await server.newClient();
        const { supported_languages: languages } = (await client.get('/v2/supported-languages')).object();
        const codes = Object.values(fieldsOf(languages)).filter((code) => code !== 'auto');
        expect(new Set(codes).size).toBe(codes.length);
        expect(codes.length).toBeGreaterThan(100);
      },
    ],
    [
      'it returns credits and usage of the account',
      async (server) => {
        const client = await server.newClient({ credits: 9 });
        expect(await client.summary()).toMatchObject({
          credits_remaining: 9,
          summary: { total_requests: 0 },
        });
      },
    ],
    [
      'it reports its health',
      async (server) => {
        expect((await send(`${server.url}/health`)).object()['status']).toBe('healthy');
      },
    ],
    [
      'it offers the legacy endpoints of version 1',
      async (server) => {
        const client = await server.newClient();
        expect((await client.post('/v1/translate', { text: 'Hello', ...pair })).status).toBe(200);
      },
    ],
    [
      'each operation consumes credits of the account that owns the key',
      async (server) => {
        const [anna, bert] = [await server.newClient(), await server.newClient()];
        expect(await bert.spent(async () => expect(await anna.spent(() => anna.translate())).toBe(1))).toBe(
          0,
        );
      },
    ],
    [
      'the source may be auto: the language of the text is detected',
      async (server) => {
        const client = await server.newClient();
        const text = 'Where is the railway station, please?';
        const answer = await client.translate({ text, source: 'auto' });
        expect(answer.object()['translations']).toMatchObject({ source: 'en', target: 'fr' });
      },
    ],
  ],
};
