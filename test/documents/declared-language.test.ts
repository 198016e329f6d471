import { describe, expect, it } from 'vitest';
import { scanEmail } from '../../src/formats/email/email.ts';
import { readPage } from '../../src/formats/html/page.ts';
import { MESSAGES } from '../../src/documents/message/translate-message.ts';
import { PAGES } from '../../src/documents/page/translate-page.ts';

describe('the language of a page', () => {
  it.each([
    ['<html lang="de">', 'de'],
    ['<!doctype html>\n<HTML LANG = zh-hans class=x><body>', 'zh-CN'],
    ['<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="fr_CA">', 'fr-CA'],
    ['<html xml:lang="fr" lang="de">', 'de'],
    ['<p>before</p><html lang="de">', 'de'],
    ['<head><meta http-equiv="Content-Language" content="nl"></head>', 'nl'],
    ['<html lang="de"><meta http-equiv="content-language" content="nl">', 'de'],
  ])('%s: %s', (html, language) => {
    expect(PAGES.languageOf(readPage(html))).toBe(language);
  });

  it.each([
    '',
    '<p>Hello',
    '<p lang="de">Hallo',
    '<body lang="de">Hallo',
    '<html lang="">',
    // An empty value means unknown, whatever follows.
    '<html lang=""><meta http-equiv="content-language" content="nl">',
    '<html lang="klingon">',
    '<html lang="en, de">',
    '<html lang="{{ locale }}">',
    '<html lang="<?= $lang ?>">',
    '<html lang="<% lang %>">',
    '<!-- <html lang="de"> --><p>',
    '<template><html lang="de"></template>',
    '<meta http-equiv="content-language" content="nl, de">',
    '<meta name="content-language" content="nl">',
  ])('is unknown: %j', (html) => {
    expect(PAGES.languageOf(readPage(html))).toBeUndefined();
  });
});

describe('the language of an e-mail', () => {
  const languageOf = (...lines: readonly string[]) =>
    MESSAGES.languageOf(scanEmail(`${lines.join('\r\n')}\r\n`));

  it.each([
    ['Content-Language: de', 'de'],
    ['content-LANGUAGE:\r\n\tpt_BR', 'pt-BR'],
    ['Content-Language: de (Deutsch (Hochdeutsch), \\) nicht en)', 'de'],
    ['Content-Language: en, en-GB', 'en'],
    ['Content-Language: de, ', 'de'],
  ])('%j: %s', (field, language) => {
    expect(languageOf('Subject: a', field, '', 'Hello')).toBe(language);
  });

  it.each([
    'X-Language: de',
    'Content-Language:',
    'Content-Language: klingon',
    'Content-Language: de, en',
    'Content-Language: de, klingon',
    'Content-Language: de\r\nContent-Language: fr',
    'Content-Language: (de',
  ])('is unknown: %j', (field) => {
    expect(languageOf('Subject: a', field, '', 'Hello')).toBeUndefined();
  });

  const html = (language: string, field = ''): readonly string[] => [
    '--b',
    `Content-Type: text/html${field}`,
    '',
    `<html lang="${language}"><p>Hello</p></html>`,
  ];
  const plain = (field: string): readonly string[] => [
    '--b',
    `Content-Type: text/plain${field}`,
    '',
    'Hello',
  ];
  const message = (field: string, ...parts: readonly (readonly string[])[]) =>
    languageOf(
      'Subject: a',
      `Content-Type: multipart/alternative; boundary=b${field}`,
      '',
      ...parts.flat(),
      '--b--',
    );

  it('is the one that its parts agree on, if the message declares none', () => {
    expect(message('', plain('\r\nContent-Language: nl'), html('nl'))).toBe('nl');
    expect(message('', plain(''), html('da'))).toBe('da');
    expect(message('', html('da', '\r\nContent-Language: nl'))).toBe('nl');
    expect(message('', plain('\r\nContent-Language: nl'), html('da'))).toBeUndefined();
    expect(message('', plain(''), html('klingon'))).toBeUndefined();
  });

  it('is the one that the message declares', () => {
    expect(message('\r\nContent-Language: fi', plain('\r\nContent-Language: nl'), html('da'))).toBe('fi');
    expect(message('\r\nContent-Language: fi, sv', html('da'))).toBeUndefined();
  });
});
