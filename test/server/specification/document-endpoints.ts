import { expect } from 'vitest';
import { expectError, expectNames } from './answer.ts';
import type { Section } from './row.ts';
import { commonErrors, requiredFields, unsupportedLanguages } from './text-endpoints.ts';
import { eventually } from '../../webhooks/eventually.ts';

const pair = { source: 'en', target: 'fr' };
const HTML = '/v2/translate/html';
const EMAIL = '/v2/translate/email';
const SUBTITLES = '/v2/translate/subtitles';

const html = { html: '<p>Hello</p>', ...pair };

export const htmlRows: Section = {
  title: 'POST /v2/translate/html',
  rows: [
    ...requiredFields(HTML, html),
    [
      'the content of script and style is not translated',
      async (server) => {
        const client = await server.newClient();
        const kept = '<style>p::before { content: "Hello" }</style><script>alert("Hello" && 1 < 2)</script>';
        const answer = await client.post(HTML, { ...html, html: `${kept}<p>Hello</p>` });
        expect(answer.object()['html']).toMatch(/<p>(?!Hello).+<\/p>$/);
        expect(String(answer.object()['html']).startsWith(kept)).toBe(true);
      },
    ],
    [
      'tags, attributes, structure and entities are preserved',
      async (server) => {
        const client = await server.newClient();
        const page = `<!doctype html>\r\n<DIV id=a data-x='"'><!-- Hello --><br/>&nbsp;<img src="a.png?x=1&amp;y=2">\r\n<ul><li>&copy; 2024</li></ul></DIV>`;
        const source = page.replace('<br/>', '<br/><i>Hello &amp; goodbye</i>');
        const answer = String((await client.post(HTML, { ...html, html: source })).object()['html']);
        expect(answer).toMatch(/<i>(?!Hello).+&amp;.+<\/i>/);
        expect(answer.replace(/<i>.*<\/i>/, '')).toBe(page);
      },
    ],
    [
      '200: html is the translated HTML, and the only field of the answer',
      async (server) => {
        const client = await server.newClient();
        const answer = (await client.post(HTML, html)).object();
        expect(answer).toEqual({ html: expect.stringMatching(/^<p>(?!Hello).+<\/p>$/) });
      },
    ],
    unsupportedLanguages(HTML, html),
    ...commonErrors(HTML, html, 1),
  ],
};

const email = { subject: 'Hello', email_body: '<p>One</p><p>Two</p>', ...pair };

export const emailRows: Section = {
  title: 'POST /v2/translate/email',
  rows: [
    ...requiredFields(EMAIL, email),
    [
      'the subject is plain text, in which apparent tags are words',
      async (server) => {
        const client = await server.newClient();
        const answer = await client.post(EMAIL, { ...email, subject: 'Hello & 1 < 2' });
        expect(answer.object()['subject']).toMatch(/^(?!Hello).+ & 1 < 2$/);
      },
    ],
    [
      'the body is HTML, whose tags are preserved',
      async (server) => {
        const client = await server.newClient();
        const body = '<table border=1><tr><td>Hello</td></tr></table><style>p {}</style>';
        const { html_body: translated } = (await client.post(EMAIL, { ...email, email_body: body })).object();
        expect(translated).toMatch(
          /^<table border=1><tr><td>(?!Hello).+<\/td><\/tr><\/table><style>p \{\}<\/style>$/,
        );
      },
    ],
    [
      'subject and body use the same languages: with auto, these are detected from both together',
      async (server) => {
        const client = await server.newClient();
        const body = { subject: 'Gare', email_body: '<p>Où est la gare, s’il vous plaît ?</p>' };
        const answer = await client.post(EMAIL, { ...body, source: 'auto', target: 'en' });
        expect(answer.object()).toMatchObject({
          subject: expect.stringMatching(/^(?!Gare$)./),
          html_body: expect.stringMatching(/^<p>(?!Où).+<\/p>$/),
        });
      },
    ],
    [
      'subject and body are processed concurrently: neither waits for the other',
      async (server) => {
        const client = await server.newClient();
        const release = server.hold();
        const answer = client.post(EMAIL, { ...email, subject: 'HOLD one', email_body: '<p>HOLD two</p>' });
        await eventually(() => server.held()).toBe(2);
        release();
        expect((await answer).status).toBe(200);
      },
    ],
    [
      '200: subject and html_body',
      async (server) => {
        const client = await server.newClient();
        const answer = (await client.post(EMAIL, email)).object();
        expectNames(answer, 'subject', 'html_body');
        expect(answer).toEqual({ subject: expect.any(String), html_body: expect.any(String) });
      },
    ],
    [
      '500 when the engine fails, without a charge',
      async (server) => {
        const client = await server.newClient();
        const body = { ...email, subject: 'FAIL', email_body: '<p>FAIL</p>' };
        expectError(await client.post(EMAIL, body), 500, /^internal server error/);
        expect(await client.summary()).toMatchObject({ credits_used: 0 });
      },
    ],
    unsupportedLanguages(EMAIL, email),
    ...commonErrors(EMAIL, email, 3),
  ],
};

const SRT = [
  '1\n00:00:01,000 --> 00:00:02,500\nHello there\nyou two\n',
  '2\n00:00:03,000 --> 00:00:04,000\n<i>Goodbye</i>\n',
].join('\n');
const VTT = 'WEBVTT\n\nNOTE Hello\n\nintro\n00:01.000 --> 00:02.500 align:start\n- Hello there\n- Goodbye\n';

const subtitles = { format: 'srt', content: SRT, ...pair };

/** Everything except the text of a block. */
const frame = (content: unknown): readonly string[] =>
  String(content)
    .split('\n')
    .filter((line) => line === '' || /-->|^\d+$|^(WEBVTT|NOTE|intro)/.test(line));

export const subtitleRows: Section = {
  title: 'POST /v2/translate/subtitles',
  rows: [
    ...requiredFields(SUBTITLES, subtitles),
    [
      'format is srt or vtt',
      async (server) => {
        const client = await server.newClient();
        for (const [format, content] of [
          ['srt', SRT],
          ['vtt', VTT],
        ]) {
          const answer = (await client.post(SUBTITLES, { ...subtitles, format, content })).object();
          expectNames(answer, 'format', 'content');
          expect(answer['format']).toBe(format);
        }
      },
    ],
    [
      'content is the whole file, which may have a byte order mark, CRLF, or a last line without a line end',
      async (server) => {
        const client = await server.newClient();
        for (const content of [`\ufeff${SRT}`, SRT.replaceAll('\n', '\r\n'), SRT.trimEnd()]) {
          const translated = String(
            (await client.post(SUBTITLES, { ...subtitles, content })).object()['content'],
          );
          expect(frame(translated.replaceAll('\r', ''))).toEqual(frame(content.replaceAll('\r', '')));
          expect(translated.split('\r\n')).toHaveLength(content.split('\r\n').length);
          expect([translated[0], translated.at(-1) === '\n']).toEqual([content[0], content.at(-1) === '\n']);
        }
      },
    ],
    [
      'only the text of blocks is translated',
      async (server) => {
        const client = await server.newClient();
        for (const [format, content] of [
          ['srt', SRT],
          ['vtt', VTT],
        ]) {
          const answer = (await client.post(SUBTITLES, { ...subtitles, format, content })).object();
          expect(frame(answer['content'])).toEqual(frame(content));
          expect(answer['content']).not.toMatch(/Hello there|Goodbye/);
        }
      },
    ],
    [
      'timestamps, block structure and formatting are preserved',
      async (server) => {
        const client = await server.newClient();
        const { content } = (await client.post(SUBTITLES, subtitles)).object();
        expect(content).toMatch(
          /^1\n00:00:01,000 --> 00:00:02,500\n.+\n\n2\n00:00:03,000 --> 00:00:04,000\n<i>.+<\/i>\n$/s,
        );
      },
    ],
    [
      'text of several lines is supported and stays one block',
      async (server) => {
        const client = await server.newClient();
        const answer = await client.post(SUBTITLES, { ...subtitles, format: 'vtt', content: VTT });
        expect(answer.object()['content']).toMatch(/align:start\n- (?!Hello).+\n- (?!Goodbye).+\n$/);
      },
    ],
    [
      '400 for a format other than srt and vtt: detail names these two',
      async (server) => {
        const client = await server.newClient();
        for (const format of ['ass', 'SRT', '.srt', 'sub', 'webvtt']) {
          expectError(
            await client.post(SUBTITLES, { ...subtitles, format }),
            400,
            'format must be srt or vtt',
          );
        }
      },
    ],
    [
      '400 for content that is not a subtitle file',
      async (server) => {
        const client = await server.newClient();
        expectError(await client.post(SUBTITLES, { ...subtitles, content: 'Hello' }), 400, /./);
        expect(await client.summary()).toMatchObject({ credits_used: 0 });
      },
    ],
    unsupportedLanguages(SUBTITLES, subtitles),
    ...commonErrors(SUBTITLES, subtitles, 2),
  ],
};
