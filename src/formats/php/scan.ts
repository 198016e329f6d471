import type { Span } from '../../base/span.ts';
import { chooseSyntax } from '../../text/message.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import type { Document, DocumentWarning, Key, ReadValue, ScanOptions, Slot } from '../format.ts';
import { outlineOf, type Outline } from '../json/outline.ts';
import { duplicatesIn, visitMessages } from '../json/walk.ts';
import { type Notation, notationOf } from '../notation.ts';
import { readLiteral, requireEncodable, writeLiteral } from './encode.ts';
import { parsePhp } from './tree.ts';

class PhpSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  /** Known only when all values are. */
  syntax: Syntax = 'plain';
  readonly #raw: string;
  readonly #encodable: ScanOptions['encodable'];

  constructor(key: Key, span: Span, raw: string, encodable: ScanOptions['encodable']) {
    this.key = key;
    this.value = readLiteral(raw) ?? '';
    this.span = span;
    this.#raw = raw;
    this.#encodable = encodable;
  }

  encode(value: string): string {
    requireEncodable(value, this.#encodable);
    return writeLiteral(value, this.#raw);
  }
}

export function scan(text: string, { encodable }: ScanOptions = {}): Document<Outline> {
  const { root } = parsePhp(text);
  const slots: PhpSlot[] = [];
  const warnings: DocumentWarning[] = [];
  visitMessages(text, root, 'values', {
    message: (path, { start, end }) =>
      slots.push(new PhpSlot(path.slice(), { start, end }, text.slice(start, end), encodable)),
    object: (path, node) => warnings.push(...duplicatesIn(path, node)),
  });
  const notation = phpNotation(slots);
  for (const slot of slots) slot.syntax = notation.syntaxOf(slot.value);
  return makeDocument({ text, slots, dialect: notation.dialect, warnings }, readTree);
}

export function read(text: string, visit: ReadValue): void {
  visitMessages(text, parsePhp(text).root, 'values', {
    message: (path, { start, end }) => visit(path, readLiteral(text.slice(start, end)) ?? ''),
  });
}

function readTree(text: string): Outline {
  const { code, root } = parsePhp(text);
  return outlineOf(code, root, 'values');
}

const LARAVEL = /(?:^|[\s("'>]):[a-zA-Z_]\w*(?![:\w])|(?:^|\|)\s*(?:\{\d+\}|\[[\d*]+,[\d*]+\])|\S\|\S/;

/** Most arrays of texts are Laravel's, and there one value with its notation is enough to know them. */
function phpNotation(slots: readonly PhpSlot[]): Notation {
  const notation = notationOf(slots);
  if (notation.dialect !== 'plain' && notation.dialect !== 'vue-i18n') return notation;
  if (!slots.some(({ value }) => /[:|]/.test(value) && LARAVEL.test(value))) return notation;
  return { dialect: 'Laravel', syntaxOf: (value) => chooseSyntax(value, 'laravel', 'plain') };
}
