import { expect } from 'vitest';
import { create } from 'xmlbuilder2';
import type { Document } from '../../src/formats/format.ts';

/** The part of the DOM that the oracle reads. */
interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
  getAttribute?(name: string): string | null;
}

const ELEMENT = 1;
const COMMENT = 8;
const INSTRUCTION = 7;

export function readDom(text: string): DomNode {
  // The parser does not support declared entities; the oracle's documents have one.
  const source = text
    .replace(/\r\n?/g, '\n')
    .replace(/<!DOCTYPE[^[]*\[[^\]]*\]>/, '')
    .replaceAll('&APP;', 'My App');
  const document: DomNode = create({ skipWhitespaceOnlyText: false }, source).node;
  const root = [...document.childNodes].find(({ nodeType }) => nodeType === ELEMENT);
  if (!root) throw new Error('no root element');
  return root;
}

const elementsIn = (node: DomNode): DomNode[] =>
  [...node.childNodes].filter(({ nodeType }) => nodeType === ELEMENT);

/**
 * aapt2's result for text without tags, written from its documentation and independently of the format: trim, then
 * quotes, escapes and white space in one pass.
 */
export function collapse(text: string): string {
  let quoted = false;
  const tokens =
    text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '').match(/\\u[\da-fA-F]{4}|\\[^]?|[ \t\r\n]+|"|[^]/g) ?? [];
  return tokens
    .map((token) => {
      if (token === '"') {
        quoted = !quoted;
        return '';
      }
      if (/^[ \t\r\n]/.test(token)) return quoted ? token : ' ';
      if (token === '\\n') return '\n';
      if (token === '\\t') return '\t';
      if (token === '\\') return '';
      if (/^\\u.{4}/.test(token)) return String.fromCharCode(Number.parseInt(token.slice(2), 16));
      // An incomplete \u stays unchanged; any other escaped character stands for itself.
      return token === '\\u' ? token : token.replace(/^\\/, '');
    })
    .join('');
}

function isPlain(element: DomNode): boolean {
  return [...element.childNodes].every(
    ({ nodeType }) => nodeType !== ELEMENT && nodeType !== COMMENT && nodeType !== INSTRUCTION,
  );
}

/** The elements whose text an Android, resx or Java document provides, in file order. */
function valueElements(root: DomNode): DomNode[] {
  return elementsIn(root).flatMap((element) => {
    if (element.getAttribute?.('translatable') === 'false') return [];
    switch (element.nodeName) {
      case 'string':
      case 'entry':
        return [element];
      case 'plurals':
      case 'string-array':
        return elementsIn(element);
      case 'data':
        return elementsIn(element).filter(({ nodeName }) => nodeName === 'value');
      default:
        return [];
    }
  });
}

const isReference = (text: string): boolean => /^\s*(?:@\w+\/\w+|\?(?:\w+\/)?[a-zA-Z_]\w*)\s*$/.test(text);

/** Reads the document with a DOM parser that the format does not use, and compares every value without markup. */
export function checkAgainstOracle(rendered: Document): void {
  const root = readDom(rendered.text);
  if (rendered.dialect === 'XML') return;
  const android = rendered.dialect === 'Android';
  const elements = valueElements(root).filter(
    (element) => !android || !isPlain(element) || !isReference(element.textContent ?? ''),
  );
  expect(elements.length).toBe(rendered.slots.length);
  for (const [index, element] of elements.entries()) {
    const slot = rendered.slots[index]!;
    if (slot.syntax === 'markup') continue;
    const text = element.textContent ?? '';
    const sections = /^\s*<!\[CDATA/.test(rendered.text.slice(slot.span.start));
    const seen = android ? collapse(text) : sections ? text.trim() : text;
    expect(sections && !android ? slot.value.trim() : slot.value).toBe(seen);
  }
}
