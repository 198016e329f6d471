import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { operations } from '../../src/contract/operations.ts';
import { validate } from '../../src/contract/validation.ts';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import { translateAll } from '../../src/service/translate-all.ts';

const signal = new AbortController().signal;
const EN_FR = { source: 'en', target: 'fr' };

/** Upper case; fails on texts with FAIL; supports only the given source languages. */
function shouting(sources: readonly string[] = ['en', 'de']): Engine & { readonly asked: string[] } {
  const asked: string[] = [];
  const pairs = sources.map((source) => ({ source, target: 'fr' }));
  const supports = (source: string, target: string): boolean => sources.includes(source) && target === 'fr';
  return {
    id: 'shouting',
    asked,
    status: () => Promise.resolve({ id: 'shouting', ready: true, detail: 'loud', pairs }),
    supports: (source, target) => Promise.resolve(supports(source, target)),
    translate: ({ source, target, texts }) => {
      if (!supports(source, target)) {
        return Promise.reject(new DragomanError('engine_unavailable', `cannot do ${source} to ${target}`));
      }
      asked.push(...texts);
      return Promise.resolve(
        texts.map((text): EngineOutcome =>
          text.includes('FAIL')
            ? { failure: 'no' }
            : { translation: text.replace(/[a-zà-ü]+(?![^<]*>)/g, (w) => w.toUpperCase()) },
        ),
      );
    },
    close: () => Promise.resolve(),
  };
}

const shoutingService = () => createLocalService({ engine: shouting() });
const pseudo = createLocalService({ engine: createPseudoEngine() });

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => (error instanceof DragomanError ? error.code : String(error)),
  );
}

describe('translate', () => {
  it('answers as specified', async () => {
    const response = await shoutingService().translate({ text: ' Hello {name}! ', ...EN_FR }, { signal });
    expect(response).toEqual({
      translations: { text: ' Hello {name}! ', translation: ' HELLO {name}! ', ...EN_FR },
      details: {},
    });
  });

  it('detects the source', async () => {
    const text = 'Das ist ein deutscher Satz.';
    const { translations } = await shoutingService().translate(
      { text, source: 'auto', target: 'fr' },
      { signal },
    );
    expect(translations).toMatchObject({ source: 'de', translation: 'DAS IST EIN DEUTSCHER SATZ.' });
  });

  it('returns texts without words, and texts already in the target language, unchanged', async () => {
    const numbers = await shoutingService().translate(
      { text: '123 %', source: 'auto', target: 'fr' },
      { signal },
    );
    expect(numbers.translations).toMatchObject({ translation: '123 %', source: 'auto' });
    const text = 'Ceci est une phrase en français.';
    const french = await shoutingService().translate({ text, source: 'auto', target: 'fr' }, { signal });
    expect(french.translations).toMatchObject({ translation: text, source: 'fr' });
  });

  it.each([
    ['an unknown target', { text: 'Hello', source: 'en', target: 'xx' }, 'unsupported_language'],
    ['an unknown source', { text: 'Hello', source: 'xx', target: 'fr' }, 'unsupported_language'],
    ['auto as target', { text: 'Hello', source: 'en', target: 'auto' }, 'unsupported_language'],
    ['a pair that the engine lacks', { text: 'Hello', source: 'en', target: 'ja' }, 'engine_unavailable'],
    [
      'a text that the engine cannot translate',
      { text: 'FAIL', source: 'en', target: 'fr' },
      'engine_failed',
    ],
    ['a text that is too long', { text: 'x'.repeat(5001), source: 'en', target: 'fr' }, 'invalid_request'],
    ['a text at the limit', { text: '🙂'.repeat(5000), source: 'en', target: 'fr' }, 'ok'],
    ['no text', { text: '', source: 'en', target: 'fr' }, 'invalid_request'],
  ])('returns a translation or the right error for %s', async (_, request, code) => {
    expect(await codeOf(shoutingService().translate(request, { signal }))).toBe(code);
  });

  it('stops on request', async () => {
    const stopped = { signal: AbortSignal.abort() };
    expect(await codeOf(pseudo.translate({ text: 'Hello', ...EN_FR }, stopped))).toBe('interrupted');
    expect(await codeOf(pseudo.translateBatch({ texts: ['Hello'], ...EN_FR }, stopped))).toBe('interrupted');
    expect(await codeOf(pseudo.translateHtml({ html: '<p>Hello', ...EN_FR }, stopped))).toBe('interrupted');
    expect(await codeOf(pseudo.detectLanguage({ text: 'Hello' }, stopped))).toBe('interrupted');
  });
});

describe('translateBatch', () => {
  it('keeps order and fails texts one by one', async () => {
    const texts = ['one', 'FAIL', '', 'x'.repeat(5001), 'two', 'one'];
    const response = await shoutingService().translateBatch({ texts, ...EN_FR }, { signal });
    expect(validate(operations.translateBatch.response, response)).toEqual(response);
    expect(response).toMatchObject({ total: 6, successful: 4, failed: 2 });
    expect(response.translations.map(({ translation }) => translation.slice(0, 5))).toEqual([
      'ONE',
      'FAIL',
      '',
      'xxxxx',
      'TWO',
      'ONE',
    ]);
    expect(response.translations.map(({ success, error }) => success || error)).toEqual([
      true,
      'no',
      true,
      expect.stringContaining('5,000'),
      true,
      true,
    ]);
  });

  it('detects the source of each text; only texts in unsupported languages fail', async () => {
    const texts = ['This is an English sentence.', 'Das ist ein deutscher Satz.', 'Это русский текст.'];
    const response = await shoutingService().translateBatch(
      { texts, source: 'auto', target: 'fr' },
      { signal },
    );
    expect(response.translations.map(({ source, success }) => [source, success])).toEqual([
      ['en', true],
      ['de', true],
      ['ru', false],
    ]);
    expect(response.translations[2]).toMatchObject({ translation: texts[2], error: 'cannot do ru to fr' });
  });

  it('fails as a whole if the engine can translate none of the texts', async () => {
    const request = { texts: ['one', 'two'], source: 'ja', target: 'fr' };
    expect(await codeOf(shoutingService().translateBatch(request, { signal }))).toBe('engine_unavailable');
  });

  it('accepts 100 texts', async () => {
    const request = (n: number) => ({ texts: Array.from({ length: n }, (_, i) => `text ${i}`), ...EN_FR });
    expect((await pseudo.translateBatch(request(100), { signal })).successful).toBe(100);
    expect(await codeOf(pseudo.translateBatch(request(101), { signal }))).toBe('invalid_request');
    expect(await codeOf(pseudo.translateBatch(request(0), { signal }))).toBe('invalid_request');
  });
});

describe('the operations on documents', () => {
  it('translate HTML', async () => {
    const html = '<!DOCTYPE html>\n<P class=a>Hello <b>world</b>\n<script>var a="Hello"</script>';
    const response = await shoutingService().translateHtml({ html, ...EN_FR }, { signal });
    expect(response.html).toBe(
      '<!DOCTYPE html>\n<P class=a>HELLO <b>WORLD</b>\n<script>var a="Hello"</script>',
    );
  });

  it('translate e-mail, and detect its language from both parts', async () => {
    const email = {
      subject: 'Guten Morgen',
      email_body: '<p>Wie geht es Ihnen?</p>',
      source: 'auto',
      target: 'fr',
    };
    const response = await shoutingService().translateEmail(email, { signal });
    expect(response).toEqual({ subject: 'GUTEN MORGEN', html_body: '<p>WIE GEHT ES IHNEN?</p>' });
  });

  it('translate subtitles', async () => {
    const content =
      '1\r\n00:00:01,000 --> 00:00:02,000 X1:40\r\nHello\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nworld.\r\n';
    const response = await shoutingService().translateSubtitles(
      { format: 'srt', content, ...EN_FR },
      { signal },
    );
    expect(response).toEqual({
      format: 'srt',
      content: content.replace('Hello', 'HELLO').replace('world', 'WORLD'),
    });
  });

  it('report texts that keep their source', async () => {
    const reasons: string[] = [];
    const options = { signal, onFailure: (reason: string) => reasons.push(reason) };
    const response = await shoutingService().translateHtml({ html: '<p>one\n<p>FAIL', ...EN_FR }, options);
    expect(response.html).toBe('<p>ONE\n<p>FAIL');
    expect(reasons).toEqual(['line 2, column 4: no']);
  });

  it('refuse requests beyond the limits', async () => {
    const html = (n: number) => pseudo.translateHtml({ html: 'x'.repeat(n), ...EN_FR }, { signal });
    expect(await Promise.all([0, 50_000, 50_001].map((n) => codeOf(html(n))))).toEqual([
      'invalid_request',
      'ok',
      'invalid_request',
    ]);
    const email = (s: number, b: number) =>
      pseudo.translateEmail({ subject: 'x'.repeat(s), email_body: 'x'.repeat(b), ...EN_FR }, { signal });
    expect(await codeOf(email(5000, 150_000))).toBe('ok');
    await expect(email(5001, 1)).rejects.toThrow('invalid email request: subject');
    await expect(email(1, 150_001)).rejects.toThrow('invalid email request: email_body');
    const format = 'ass' as 'srt';
    await expect(pseudo.translateSubtitles({ format, content: 'x', ...EN_FR }, { signal })).rejects.toThrow(
      'srt or vtt',
    );
    const broken = pseudo.translateSubtitles({ format: 'vtt', content: 'no header', ...EN_FR }, { signal });
    expect(await codeOf(broken)).toBe('unreadable_input');
  });
});

describe('the other operations', () => {
  it('detect a language', async () => {
    const { language_detection } = await pseudo.detectLanguage({ text: 'Guten Morgen' }, { signal });
    expect(language_detection).toEqual({ text: 'Guten Morgen', language: 'de' });
    await expect(pseudo.detectLanguage({ text: '  ' }, { signal })).rejects.toThrow('text cannot be empty');
    const number = await pseudo.detectLanguage({ text: '12' }, { signal });
    expect(number.language_detection).toEqual({ text: '12', language: 'und' });
    expect(await codeOf(pseudo.detectLanguage({ text: 'a '.repeat(2501) }, { signal }))).toBe(
      'invalid_request',
    );
  });

  it('list the pairs of the engine', async () => {
    expect(await shoutingService().supportedLanguages({ signal })).toEqual({
      supported_languages: { 'Auto-detect': 'auto', German: 'de', English: 'en', French: 'fr' },
    });
    const all = await pseudo.supportedLanguages({ signal });
    expect(Object.keys(all.supported_languages).length).toBeGreaterThan(100);
  });

  it('count requests, and charge nothing', async () => {
    const service = shoutingService();
    await service.translate({ text: 'Hello', ...EN_FR }, { signal });
    await codeOf(service.translate({ text: '', ...EN_FR }, { signal }));
    const summary = await service.accountSummary({ signal });
    expect(validate(operations.accountSummary.response, summary)).toEqual(summary);
    expect(summary).toMatchObject({
      total_credits: 0,
      concurrency: 0,
      summary: { total_requests: 2, successful_requests: 1, failed_requests: 1, success_rate: 50 },
    });
  });

  it('report health', async () => {
    const report = await pseudo.health({ signal });
    expect(validate(operations.health.response, report)).toEqual(report);
    expect(report).toMatchObject({ status: 'healthy', engines: [{ id: 'pseudo', ready: true }] });
    const engine = createPseudoEngine();
    const asleep = { id: 'pseudo', ready: false, detail: 'asleep', pairs: [] };
    const sick = createLocalService({ engine: { ...engine, status: () => Promise.resolve(asleep) } });
    expect(await sick.health({ signal })).toMatchObject({ status: 'unhealthy' });
  });
});

describe('translateAll', () => {
  it('accepts texts over every limit, in order', async () => {
    const long = 'This is a sentence about {name}. '.repeat(400);
    const texts = [
      ...Array.from({ length: 150 }, (_, i) => `This is the text with the number ${i}`),
      long,
      'last',
    ];
    const engine = shouting();
    const service = createLocalService({ engine });
    const { items } = await translateAll(service, texts, { source: 'auto', target: 'fr' }, { signal });
    expect(items.map(({ text }) => text)).toEqual(texts);
    expect(items[150]).toEqual({
      text: long,
      translation: 'THIS IS A SENTENCE ABOUT {name}. '.repeat(400),
      ...EN_FR,
      success: true,
    });
    expect(items[151]?.translation).toBe('LAST');
    expect(Math.max(...engine.asked.map(({ length }) => length))).toBeLessThan(8000);
  });

  it('fails a long text when one part fails', async () => {
    const long = `${'One sentence. '.repeat(400)}FAIL.`;
    const {
      items: [item],
    } = await translateAll(shoutingService(), [long, 'Hello'], EN_FR, { signal });
    expect(item).toMatchObject({ success: false, translation: long });
  });
});
