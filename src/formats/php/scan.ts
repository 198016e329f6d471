import { chooseSyntax } from '../../text/message.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import type { Document, DocumentWarning, Key, ScanOptions, Slot } from '../format.ts';
import { outlineOf, type Outline } from '../json/outline.ts';
import { warnOfDuplicates, visitMessages } from '../json/walk.ts';
import { type PlaceholderDialect, placeholderDialectOf } from '../placeholder-dialect.ts';
import { TextSlot, type TextWriter } from '../text-slot.ts';
import { readLiteral, writeLiteral } from './encode.ts';
import { parsePhp } from './tree.ts';

class PhpSlot extends TextSlot {
  readonly source: string | undefined;

  constructor(writer: TextWriter, found: Pick<Slot, 'key' | 'value' | 'span'>, source: string | undefined) {
    super(writer, found, undefined);
    this.source = source;
  }
}

/** How a framework reads arrays whose keys are source texts. */
export interface SourceKeyedArrays {
  readonly dialect: string;
  /** Whether a text is the translation of its key; others are ignored. */
  readonly isMessage: (key: Key, value: string) => boolean;
  readonly syntaxOf: (source: string) => Syntax;
}

/** @param messages Default: keys are names, and every text is a message. */
export function scan(
  text: string,
  options: ScanOptions = {},
  messages?: SourceKeyedArrays,
): Document<Outline> {
  const { root } = parsePhp(text);
  const slots: PhpSlot[] = [];
  const writer: TextWriter = { text, encodable: options.encodable, write: writeLiteral };
  const warnings: DocumentWarning[] = [];
  visitMessages(text, root, 'values', {
    message: (path, span) => {
      const value = readLiteral(text.slice(span.start, span.end)) ?? '';
      if (messages?.isMessage(path, value) === false) return;
      slots.push(new PhpSlot(writer, { key: path.slice(), value, span }, messages && path.at(-1)));
    },
    object: (path, node) => warnOfDuplicates(path, node, warnings),
  });
  const notation = messages ?? options.messages ?? phpNotation(slots);
  for (const slot of slots) slot.syntax = notation.syntaxOf(slot.source ?? slot.value, slot.key);
  return makeDocument({ text, slots, dialect: notation.dialect, warnings }, readTree);
}

function readTree(text: string): Outline {
  const { code, root } = parsePhp(text);
  return outlineOf(code, { root, shape: 'values' });
}

const LARAVEL = /(?:^|[\s("'>]):[a-zA-Z_]\w*(?![:\w])|(?:^|\|)\s*(?:\{\d+\}|\[[\d*]+,[\d*]+\])|\S\|\S/;

/** Most such arrays are Laravel's, so one value in its notation is enough evidence. */
function phpNotation(slots: readonly PhpSlot[]): PlaceholderDialect {
  const notation = placeholderDialectOf(slots);
  if (notation.dialect === 'ICU' || notation.dialect === 'Laravel') return notation;
  if (!slots.some(({ value }) => /[:|]/.test(value) && LARAVEL.test(value))) return notation;
  return { dialect: 'Laravel', syntaxOf: (value) => chooseSyntax(value, 'laravel', 'plain') };
}
