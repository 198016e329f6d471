import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import { operations } from '../../src/contract/operations.ts';
import { validate } from '../../src/contract/validation.ts';
import type { TranslationService } from '../../src/service/service.ts';
import { translateAll } from '../../src/service/translate-all.ts';

export interface ContractSubject {
  readonly service: TranslationService;
  close?(): Promise<void>;
}

export interface ContractOptions {
  /** A service with the pseudo engine, except that texts with `FAIL` fail. */
  readonly open: () => Promise<ContractSubject>;
  /** The local code of an error: a server reveals less of it. */
  readonly codeOf?: (code: ErrorCode) => ErrorCode;
}

const signal = new AbortController().signal;
const EN_FR = { source: 'en', target: 'fr' };

/** The contract of every TranslationService, local or remote. */
export function serviceContract(name: string, { open, codeOf = (code) => code }: ContractOptions): void {
  describe(`${name} keeps the contract of a service`, () => {
    let subject: ContractSubject;
    let service: TranslationService;
    beforeAll(async () => {
      subject = await open();
      service = subject.service;
    });
    afterAll(() => subject.close?.());

    it('translates a text', async () => {
      const answer = await service.translate({ text: ' Hello {name}! ', ...EN_FR }, { signal });
      expect(validate(operations.translate.response, answer)).toEqual(answer);
      expect(answer.translations).toMatchObject({ text: ' Hello {name}! ', ...EN_FR });
      expect(answer.translations.translation).toMatch(/^ .*\{name\}.* $/s);
      expect(answer.translations.translation).not.toContain('Hello');
    });

    it('detects the source language', async () => {
      const text = 'Das ist ein ganz gewöhnlicher deutscher Satz.';
      const { translations } = await service.translate({ text, source: 'auto', target: 'fr' }, { signal });
      expect(translations.source).toBe('de');
      const { language_detection } = await service.detectLanguage({ text }, { signal });
      expect(language_detection).toEqual({ text, language: 'de' });
    });

    it('translates a batch in order, and fails one text alone', async () => {
      const texts = ['First', '', 'FAIL', 'Émoji 🙂\u2028"quoted"\\', 'x'.repeat(5001), 'First'];
      const answer = await service.translateBatch({ texts, ...EN_FR }, { signal });
      expect(validate(operations.translateBatch.response, answer)).toEqual(answer);
      expect(answer.translations.map(({ text }) => text)).toEqual(texts);
      expect(answer.translations.map(({ success }) => success)).toEqual([
        true,
        true,
        false,
        true,
        false,
        true,
      ]);
      expect(answer).toMatchObject({ total: 6, successful: 4, failed: 2 });
      expect(answer.translations[1]?.translation).toBe('');
      expect(answer.translations[2]).toMatchObject({
        translation: 'FAIL',
        error: expect.any(String) as string,
      });
      expect(answer.translations[3]?.translation).toContain('🙂');
      expect(answer.translations[5]?.translation).toBe(answer.translations[0]?.translation);
    });

    it('accepts a batch of 100 texts, and texts of 5,000 characters', async () => {
      const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`);
      expect(await service.translateBatch({ texts, ...EN_FR }, { signal })).toMatchObject({
        successful: 100,
      });
      const long = '🙂'.repeat(5000);
      const { translations } = await service.translate({ text: long, ...EN_FR }, { signal });
      expect(translations.text).toBe(long);
    });

    it('translates HTML, and keeps tags and scripts', async () => {
      const page = '<p class="a">Hello <b>world</b></p><script>var hello = "Hello";</script>';
      const { html } = await service.translateHtml({ html: page, ...EN_FR }, { signal });
      expect(html).toContain('<script>var hello = "Hello";</script>');
      expect(html).toContain('<p class="a">');
      expect(html).not.toContain('>Hello');
    });

    it('translates an e-mail', async () => {
      const email = { subject: 'Good morning', email_body: '<p>Good morning</p>', ...EN_FR };
      const answer = await service.translateEmail(email, { signal });
      expect(validate(operations.translateEmail.response, answer)).toEqual(answer);
      expect(answer.subject).not.toBe('Good morning');
      expect(answer.html_body).toMatch(/^<p>.*<\/p>$/s);
    });

    it('translates subtitles, and keeps times', async () => {
      const content = '1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\n';
      const answer = await service.translateSubtitles({ format: 'srt', content, ...EN_FR }, { signal });
      expect(answer.format).toBe('srt');
      expect(answer.content).toContain('1\r\n00:00:01,000 --> 00:00:02,000\r\n');
      expect(answer.content).not.toContain('Hello');
    });

    it('lists its languages, and reports its health and the account', async () => {
      const languages = await service.supportedLanguages({ signal });
      expect(languages.supported_languages).toMatchObject({ 'Auto-detect': 'auto', French: 'fr' });
      const health = await service.health({ signal });
      expect(validate(operations.health.response, health)).toEqual(health);
      expect(health.status).toBe('healthy');
      const account = await service.accountSummary({ signal });
      expect(validate(operations.accountSummary.response, account)).toEqual(account);
    });

    it.each<[string, (service: TranslationService) => Promise<unknown>, ErrorCode]>([
      ['no text', (s) => s.translate({ text: '', ...EN_FR }, { signal }), 'invalid_request'],
      [
        'a text that is too long',
        (s) => s.translate({ text: 'x'.repeat(5001), ...EN_FR }, { signal }),
        'invalid_request',
      ],
      ['no texts', (s) => s.translateBatch({ texts: [], ...EN_FR }, { signal }), 'invalid_request'],
      [
        '101 texts',
        (s) => s.translateBatch({ texts: Array.from({ length: 101 }, () => 'x'), ...EN_FR }, { signal }),
        'invalid_request',
      ],
      [
        'HTML that is too long',
        (s) => s.translateHtml({ html: 'x'.repeat(50_001), ...EN_FR }, { signal }),
        'invalid_request',
      ],
      [
        'no subject',
        (s) => s.translateEmail({ subject: '', email_body: 'x', ...EN_FR }, { signal }),
        'invalid_request',
      ],
      ['white space to detect', (s) => s.detectLanguage({ text: ' \n' }, { signal }), 'invalid_request'],
      [
        'an unknown target',
        (s) => s.translate({ text: 'Hi', source: 'en', target: 'xx' }, { signal }),
        'unsupported_language',
      ],
      [
        'an unknown source',
        (s) => s.translate({ text: 'Hi', source: 'xx', target: 'fr' }, { signal }),
        'unsupported_language',
      ],
      [
        'auto as target',
        (s) => s.translate({ text: 'Hi', source: 'en', target: 'auto' }, { signal }),
        'unsupported_language',
      ],
      ['a failing engine', (s) => s.translate({ text: 'FAIL', ...EN_FR }, { signal }), 'engine_failed'],
      [
        'invalid subtitles',
        (s) => s.translateSubtitles({ format: 'vtt', content: 'no header', ...EN_FR }, { signal }),
        'unreadable_input',
      ],
    ])('refuses %s', async (_, work, code) => {
      const error: unknown = await work(service).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DragomanError);
      const { code: actual, message } = error as DragomanError;
      expect({ code: actual, message }).toMatchObject({ code: codeOf(code) });
      expect(message).not.toBe('');
    });

    it('does not start interrupted work', async () => {
      const stop = AbortSignal.abort();
      const work = service.translate({ text: 'Hello', ...EN_FR }, { signal: stop });
      await expect(work).rejects.toMatchObject({ code: 'interrupted' });
    });

    it('translates any number of texts of any length', async () => {
      const long = 'This is a sentence about {name}. '.repeat(400);
      const texts = [...Array.from({ length: 250 }, (_, i) => `The text with the number ${i % 120}`), long];
      const { items, stopped } = await translateAll(service, texts, EN_FR, { signal });
      expect(stopped).toBeUndefined();
      expect(items.map(({ text }) => text)).toEqual(texts);
      expect(items.every(({ success }) => success)).toBe(true);
    });
  });
}
