import { describe, expect, it } from 'vitest';
import { pageDocument } from '../../src/review/document.ts';
import { compareWords } from '../../src/review/page/changes.ts';
import { checkForm } from '../../src/review/page/checks.ts';
import { chipsOf, insertable } from '../../src/review/page/chips.ts';
import { NO_FILTER, placesOf, readFilter, writeFilter } from '../../src/review/page/filter.ts';
import { actionOf, KEYS } from '../../src/review/page/keys.ts';
import { wording } from '../../src/review/page/wording.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { form, mixedRows, pack, plainRows, row } from './sample-pack.ts';

const chips = (text: string, syntax: Syntax = 'plain'): readonly string[] =>
  chipsOf(text, syntax).chips.map(({ label }) => label);

describe('chips', () => {
  it('cover syntax and invisible characters, and nothing else', () => {
    expect(chips('Hello {name}, see <a href="https://a.test/b">this</a> %d\u00a0%')).toEqual([
      '{name}',
      '<a …>',
      '</a>',
      '%d',
      'nbsp',
    ]);
    expect(chips('a\u202eb\0c\r\n\u200c')).toEqual(['RLO', 'NUL', 'CR']);
    for (const text of ['{n, plural, =0 {none} one {# file} other {# <b>files</b>}}!', 'a | b {n}']) {
      const found = chipsOf(text, text.includes('|') ? 'vue' : 'icu').chips;
      expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(found.map(({ raw }) => raw));
      expect(found.map(({ start }) => start)).toEqual(found.map(({ start }) => start).sort((a, b) => a - b));
    }
  });

  it('leave the words of branches editable', () => {
    const text = '{n, plural, one {# file} other {# files}}';
    let rest = text;
    for (const { raw } of chipsOf(text, 'icu').chips) rest = rest.replace(raw, '·');
    expect(rest).toBe('·· file·· files·');
  });

  it('are offered once each, except for those in branches', () => {
    expect(insertable(chipsOf('%s and %s, {n}', 'plain')).map(({ raw }) => raw)).toEqual(['%s', '{n}']);
    expect(insertable(chipsOf('{n, plural, other {# of {m}}}', 'icu')).map(({ raw }) => raw)).toEqual([
      '#',
      '{m}',
    ]);
  });
});

describe('checks while typing', () => {
  const check = (source: string, value: string, syntax: Syntax = 'plain'): readonly string[] =>
    checkForm(row('a', source), form(source, undefined, { syntax }), value).map(
      ({ isError, message }) => `${isError ? 'error' : 'warning'}: ${message}`,
    );

  it('equal the server’s checks', () => {
    expect(check('Hello {name}', 'Hola {name}')).toEqual([]);
    expect(check('Hello {name}', 'Hola {nombre}')[0]).toMatch(/^error: .*\{n/);
    expect(check('{n} files', '{n', 'icu')[0]).toMatch(/^error: not a message/);
    expect(check('Hello', ' ')).toEqual(['error: The translation is empty.']);
    expect(check('Hello ', 'Hola')).toEqual([
      'warning: The spaces at the beginning or end differ from the source.',
    ]);
  });
});

describe('a length limit', () => {
  it('is reported once, in the words of lint', () => {
    const limit = { max: 4, unit: 'characters' } as const;
    const found = { message: '5 characters, but at most 4 fit', isError: false };
    const saved = form('Open', 'Abrir', { findings: [found] });
    const check = (value: string) => checkForm(row('a', 'Open', 'Abrir', { limit }), saved, value);
    expect(check('Abrir')).toEqual([found]);
    expect(check('Abrir!')).toEqual([{ message: '6 characters, but at most 4 fit', isError: false }]);
    expect(check('Abre')).toEqual([]);
  });
});

describe('the filter', () => {
  const { rows, files } = pack([...mixedRows(), ...plainRows(2)]);
  const found = (change: Partial<typeof NO_FILTER>): readonly (string | undefined)[] =>
    placesOf(rows, files, { ...NO_FILTER, ...change }).map((place) => rows[place]?.key);

  it('finds rows by state, reason, file and text', () => {
    expect(found({ show: 'missing' })).toEqual(['cart.checkout']);
    expect(found({ show: 'source-changed' })).toEqual(['cart.total']);
    expect(found({ show: 'approved' })).toEqual(['cart.brand']);
    expect(found({ show: 'all', file: 'po/shop.po' })).toEqual(['cart.terms']);
    expect(found({ show: 'all', writer: 'engine' })).toEqual(['cart.greeting']);
    expect(found({ show: 'all', framework: 'gettext' })).toEqual(['cart.terms']);
    expect(found({ text: 'KEEP IT short' })).toEqual(['cart.greeting']);
    expect(found({ text: 'menu.item.1' })).toEqual(['menu.item.1']);
    expect(found({ locale: 'de' })).toEqual([]);
  });

  it('does not attribute to an engine a text from the memory that a person may have written', () => {
    // Without decisions, a lock does not record whether the engine or the memory wrote a text.
    expect(wording.writtenBy({ by: 'engine' })).toBe('An engine or the memory');
    expect(wording.writtenBy({ by: 'memory' })).toMatch(/person's translation/);
  });

  it('survives a round trip through an address', () => {
    const filter = {
      show: 'machine',
      locale: 'es',
      file: 'a&b/ü.json',
      format: 'po',
      framework: 'gettext',
      writer: 'import',
      text: '#x=1 ✓',
    } as const;
    expect(readFilter(`#${writeFilter(filter, 'r1')}`)).toEqual({ filter, row: 'r1' });
    expect(readFilter('#show=nonsense&token=secret')).toEqual({ filter: NO_FILTER, row: undefined });
  });
});

describe('keys', () => {
  const pressed = { key: '', code: '', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

  it('are recognized by place and modifiers', () => {
    expect(actionOf({ ...pressed, key: 'Enter' }, 'editor')).toBe('confirm');
    expect(actionOf({ ...pressed, key: 'Enter' }, 'list')).toBe('edit');
    expect(actionOf({ ...pressed, key: 'ç', code: 'KeyC', altKey: true }, 'editor')).toBe('copy-source');
    expect(actionOf({ ...pressed, key: 'z', code: 'KeyZ', metaKey: true }, 'list')).toBe('undo');
    expect(actionOf({ ...pressed, key: '?', code: 'Slash', shiftKey: true }, 'list')).toBe('keys');
    // AltGr and Q write @ on German keyboards.
    expect(
      actionOf({ ...pressed, key: '@', code: 'KeyQ', altKey: true, ctrlKey: true }, 'editor'),
    ).toBeUndefined();
    expect(actionOf({ ...pressed, key: 'a', code: 'KeyA' }, 'editor')).toBeUndefined();
  });

  it('have only one meaning in each place', () => {
    for (const scope of ['editor', 'list'] as const) {
      const combos = KEYS.filter((key) => key.scope === scope || key.scope === 'anywhere').map(
        ({ combo }) => combo,
      );
      expect(new Set(combos).size).toBe(combos.length);
    }
  });
});

describe('changes of a text', () => {
  it('are shown word by word', () => {
    const shown = compareWords('Open the old file', 'Open a file now').map(
      ({ kind, text }) => `${kind}:${text}`,
    );
    expect(shown).toEqual(['same:Open ', 'removed:the old', 'added:a', 'same: file', 'added: now']);
    for (const [before, after] of [
      ['', 'x'],
      ['漢字', '漢語'],
      ['a 😀 b', 'a b'],
      ['word '.repeat(1_000), 'other'],
    ] as const) {
      const changes = compareWords(before, after);
      expect(changes.flatMap(({ kind, text }) => (kind === 'added' ? [] : text)).join('')).toBe(before);
      expect(changes.flatMap(({ kind, text }) => (kind === 'removed' ? [] : text)).join('')).toBe(after);
    }
  });
});

describe('the document', () => {
  it('contains texts as JSON that markup in a text cannot end', () => {
    const hostile = '</script><!--<script>\u2028&"';
    const html = pageDocument({
      nonce: 'n1',
      title: hostile,
      style: '',
      script: '',
      embedded: { pack: pack([row('a', hostile)], { title: hostile }) },
    });
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(html.match(/<script/g)).toHaveLength(3);
    expect(html.replace(/<title>[^<]*<\/title>/, '')).not.toContain('\u2028');
    expect(html).toContain("default-src 'none'; script-src 'nonce-n1'");
    const [, json = ''] = /id="dragoman-pack">([^<]*)</.exec(html) ?? [];
    expect(JSON.parse(json)).toMatchObject({ title: hostile });
  });
});
