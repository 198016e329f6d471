import { decodeHTMLStrict } from 'entities';
import { encodeWords, type TaggedText, type Token } from '../../text/tagged.ts';
import type { EngineOutcome } from '../engine.ts';

/**
 * A segment encoded for a service that preserves markup. The answer is read as tagged text, in which unknown tags are
 * kept, so that the caller's check rejects them.
 */
export interface VendorMarkup {
  readonly text: string;
  readonly read: (answer: string) => EngineOutcome;
}

/** Characters that are invalid in XML and HTML. */
const UNHOLDABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

export function canHold(tagged: TaggedText): boolean {
  return !UNHOLDABLE.test(tagged) && tagged.isWellFormed();
}

/** Keeps `<x id="1"/>`, whose content is not translated; turns pairs into `<g id="1">…</g>`, whose content is. */
export function toXml(tokens: readonly Token[]): VendorMarkup {
  const text = tokens
    .map((token) => {
      // An XML parser converts a bare carriage return to a line feed.
      if (token.type === 'words') return encodeWords(token.text).replaceAll('\r', '&#13;');
      if (token.type === 'placeholder') return `<x id="${token.id}"/>`;
      return token.type === 'open' ? `<g id="${token.id}">` : '</g>';
    })
    .join('');
  return { text, read: readXml };
}

const XML_TAG = /<x\b([^<>]*?)(?:\/>|>[^<]*<\/x\s*>)|<g\b([^<>]*?)(\/?)>|<\/g\s*>/g;

function readXml(answer: string): EngineOutcome {
  const translation = readTags(answer, XML_TAG, ([whole, placeholder, pair, empty]) => {
    if (placeholder !== undefined) return `<x id="${idIn(placeholder, '')}"/>`;
    if (pair === undefined) return whole.startsWith('</') ? '</x>' : whole;
    return `<x id="${idIn(pair, '')}">${empty === '/' ? '</x>' : ''}`;
  });
  return { translation };
}

/** White space that HTML collapses to a space. */
const SPACE_RUN = /[^\S\u00a0]*[\n\r\t][^\S\u00a0]*| {2,}/g;

/**
 * A placeholder becomes an untranslatable element; a pair becomes a translatable one. White space that HTML would
 * collapse is sent as a line break.
 */
export function toHtml(tokens: readonly Token[]): VendorMarkup {
  const spaces: string[] = [];
  const text = tokens
    .map((token) => {
      if (token.type === 'words') return writeHtml(token.text, spaces);
      if (token.type === 'placeholder') return `<span translate="no" id="x${token.id}">{${token.id}}</span>`;
      return token.type === 'open' ? `<span id="g${token.id}">` : '</span>';
    })
    .join('');
  return { text, read: (answer) => readHtml(answer, spaces) };
}

/** @param spaces receives the runs that become line breaks, numbered from 1 */
function writeHtml(words: string, spaces: string[]): string {
  let html = '';
  let at = 0;
  for (const match of words.matchAll(SPACE_RUN)) {
    const number = spaces.push(match[0]);
    html += `${encodeWords(words.slice(at, match.index))}<br id="s${number}">`;
    at = match.index + match[0].length;
  }
  return html + encodeWords(words.slice(at));
}

const HTML_TAG =
  /<span\b(?=[^<>]*\bid\s*=\s*["']?x\d)([^<>]*)>[^<]*<\/span\s*>|<span\b([^<>]*)>|<\/span\s*>| *<br\b([^<>]*)> *(?:<\/br>)?/gi;

function readHtml(answer: string, spaces: readonly string[]): EngineOutcome {
  const lost = new Set(spaces.keys());
  const tagged = readTags(answer, HTML_TAG, ([whole, placeholder, pair, space]) => {
    if (placeholder !== undefined) return `<x id="${idIn(placeholder, 'x')}"/>`;
    if (pair !== undefined) return `<x id="${idIn(pair, 'g')}">`;
    if (space === undefined) return '</x>';
    const number = Number(idIn(space, 's')) - 1;
    return lost.delete(number) ? (spaces[number] ?? whole) : whole;
  });
  // The later check only compares words and placeholders.
  return lost.size > 0 ? { failure: 'the answer lost a line break of the text' } : { translation: tagged };
}

/** All text between the tags is words: decoded as HTML, encoded as tagged text. */
function readTags(answer: string, tags: RegExp, read: (match: RegExpExecArray) => string): TaggedText {
  let tagged = '';
  let at = 0;
  for (const match of answer.matchAll(tags)) {
    tagged += readWords(answer.slice(at, match.index)) + read(match);
    at = match.index + match[0].length;
  }
  return tagged + readWords(answer.slice(at));
}

/** Keeps bare `<` and `>`, because our words never contain them. */
function readWords(raw: string): TaggedText {
  return raw
    .split(/([<>])/)
    .map((part) => (part === '<' || part === '>' ? part : encodeWords(decodeReferences(part))))
    .join('');
}

/**
 * Decodes a text. Leaves it unchanged if a reference names an invalid character, such as `&#0;`, so that no replacement
 * character is written.
 */
function decodeReferences(text: string): string {
  const decoded = decodeHTMLStrict(text);
  return decoded.includes('\ufffd') && !text.includes('\ufffd') ? text : decoded;
}

/** The number after `prefix` in the attribute `id`; 0, which no tag has, if it is missing. */
function idIn(attributes: string, prefix: string): string {
  return new RegExp(`\\bid\\s*=\\s*["']?${prefix}(\\d{1,6})\\b`, 'i').exec(attributes)?.[1] ?? '0';
}
