import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import type { Engine } from '../../src/engines/engine.ts';
import {
  translateHtml,
  type HtmlContext,
  type TranslatedHtml,
} from '../../src/documents/page/translate-page.ts';
import { adversary } from '../pipeline/adversary.ts';

/** Translates a page with an engine that only knows the tagged texts in `answers`; other texts fail. */
function translateBy(
  html: string,
  answers: Readonly<Record<string, string>>,
  more: Partial<HtmlContext> = {},
): Promise<TranslatedHtml> {
  const engine: Engine = {
    ...adversary((text) => text),
    translate: ({ texts }) =>
      Promise.resolve(
        texts.map((text) => {
          const translation = answers[text];
          return translation === undefined ? { failure: 'not in the table' } : { translation };
        }),
      ),
  };
  const { signal } = new AbortController();
  return translateHtml(html, { engine, source: 'en', target: 'es', signal, ...more });
}

describe('sentences', () => {
  it('are sent as a whole, with their inline tags', async () => {
    const html = '<p>A <b>red</b> <a href="x">car</a>.</p>';
    const { html: result, failures } = await translateBy(html, {
      'A <x id="1">red</x> <x id="2">car</x>.': 'Un <x id="1">rojo</x> <x id="2">coche</x>.',
    });
    expect(result).toBe('<p>Un <b>rojo</b> <a href="x">coche</a>.</p>');
    expect(failures).toEqual([]);
  });

  const nodes = { A: 'Un', red: 'rojo', car: 'coche' };
  it.each<[string, string]>([
    ['in a different order', 'Un <x id="2">coche</x> <x id="1">rojo</x>.'],
    ['nested', 'Un <x id="1">rojo <x id="2">coche</x></x>.'],
    ['incomplete', 'Un coche <x id="1">rojo</x>.'],
    ['empty', 'Un coche rojo <x id="1"></x><x id="2"></x>.'],
  ])('are translated text node by text node if the tags come back %s', async (_, answer) => {
    const html = '<p>A <b>red</b> <a href="x">car</a>.</p>';
    const { html: result, failures } = await translateBy(html, {
      'A <x id="1">red</x> <x id="2">car</x>.': answer,
      ...nodes,
    });
    expect(result).toBe('<p>Un <b>rojo</b> <a href="x">coche</a>.</p>');
    expect(failures).toEqual([]);
  });

  it('keep the source of failed text nodes, which are reported with their position', async () => {
    const html = '<p>\n  A <b>red</b> <a href="x">car</a>.</p><p>No</p>';
    const { html: result, failures } = await translateBy(html, { A: 'Un', car: 'coche' });
    expect(result).toBe('<p>\n  Un <b>red</b> <a href="x">coche</a>.</p><p>No</p>');
    expect(failures).toEqual([
      { line: 2, column: 8, reason: 'not in the table' },
      { line: 2, column: 43, reason: 'not in the table' },
    ]);
  });

  it('get back a space that was lost next to a tag, and keep the spaces of the source', async () => {
    const { html: result } = await translateBy('<p>very\n   <b>red</b> car\n  </p>', {
      'very <x id="1">red</x> car': 'muy<x id="1">rojo</x>coche',
    });
    expect(result).toBe('<p>muy\n   <b>rojo</b> coche\n  </p>');
  });
});

describe('characters', () => {
  it.each<[string, string, string, string, Partial<HtmlContext>]>([
    ['are read as people see them', '<p>Caf&eacute; &lt; 1', 'Café &lt; 1', '<p>&lt;b> & Caf&eacute;', {}],
    ['that the encoding lacks become references', '<p>Price', 'Price', '<p>1 &#8364; é', {}],
  ])('%s', async (_, html, asked, expected, more) => {
    const answers = { [asked]: asked === 'Price' ? '1 € é' : '&lt;b&gt; &amp; Café' };
    const encodable = (text: string): boolean => !/[^\x00-\xff]/.test(text);
    const { html: result } = await translateBy(html, answers, { encodable, ...more });
    expect(result).toBe(expected.replace(' & ', ' &amp; '));
  });

  it('in an attribute do not end it early', async () => {
    const html = `<img alt="One" title='Two' placeholder=Three><b aria-label="">Four</b>`;
    const answer = `a "b" 'c' = &lt;d&gt;`;
    const { html: result } = await translateBy(
      html,
      { One: answer, Two: answer, Three: 'a "b"=', Four: 'Cuatro' },
      { attributes: true },
    );
    expect(result).toBe(
      `<img alt="a &quot;b&quot; 'c' = &lt;d>" title='a "b" &#39;c&#39; = &lt;d>' placeholder=a&#32;&#34;b&#34;&#61;><b aria-label="">Cuatro</b>`,
    );
  });

  it('cannot end a title or a text area', async () => {
    const html = '<title>One</title><textarea>\n Two</textarea>';
    const { html: result } = await translateBy(html, {
      One: '&lt;/title&gt;&lt;p&gt;',
      Two: '&lt;/textarea&gt;',
    });
    expect(result).toBe(
      '<title>&lt;/title><p></title><textarea>\n &lt;/textarea></textarea>'.replace(
        '<p></title>',
        '&lt;p></title>',
      ),
    );
  });
});

describe('translateHtml', () => {
  it('stops at a signal', async () => {
    const signal = AbortSignal.abort();
    await expect(translateBy('<p>One', { One: 'Uno' }, { signal })).rejects.toThrow(
      expect.objectContaining({ code: 'interrupted' }),
    );
  });

  it('refuses pages that would take too long', async () => {
    await expect(translateBy('<div>'.repeat(100_000), {})).rejects.toThrow(DragomanError);
  });

  it('sends no request for a page without words', async () => {
    const engine = adversary((text) => text);
    const { signal } = new AbortController();
    const html = '<p>12 &nbsp; {{x}}</p><script>x</script>';
    const result = await translateHtml(html, { engine, source: 'en', target: 'fr', signal });
    expect(result).toEqual({ html, textNodes: 1, failures: [] });
    expect(engine.asked).toEqual([]);
  });
});

describe('a comment cut off by the end of the page', () => {
  it.each([
    '<p><b>Hello<b translate="no">Hello<!--</b></b>',
    '<html translate=no><b translate=yes>Hello</b>Hello<!--',
    '<p>Hello<!-- x',
  ])('neither hides translations nor swallows their words: %s', async (html) => {
    const engine = adversary((text) => `l'${text}' d'`);
    const signal = new AbortController().signal;
    const { html: result, failures } = await translateHtml(html, {
      engine,
      source: 'en',
      target: 'fr',
      signal,
    });
    const comment = html.slice(html.indexOf('<!--'));
    expect(result.endsWith(comment)).toBe(true);
    expect(result !== html || failures.length > 0).toBe(true);
  });
});
