import type { Edit } from '../../base/span.ts';
import type { Document, Format, RetargetOptions } from '../format.ts';
import { stringEncoder, withOptionalEscapes } from './encode.ts';
import { insert } from './insert.ts';
import { readOutline, type Outline } from './outline.ts';
import { adaptForms } from './plurals.ts';
import { remove } from './remove.ts';
import { localeMember, scannerOf, type JsonGrammar } from './scan.ts';
import { decodeString, parse } from './tree.ts';

function retarget(document: Document<Outline>, options: RetargetOptions): readonly Edit[] {
  return [...renameLocale(document, options), ...adaptForms(document, options)];
}

function renameLocale(document: Document<Outline>, { spelling }: RetargetOptions): readonly Edit[] {
  if (document.locale === undefined || document.locale === spelling) return [];
  const member = localeMember(document.tree.root);
  if (!member) return [];
  return [{ span: { start: member.start, end: member.end }, text: JSON.stringify(spelling) }];
}

/** Creates a format for a notation with the structure of JSON, in the dialects of common localization libraries. */
export function formatOf(grammar: JsonGrammar): Format<Outline> {
  return { ...scannerOf(grammar), retarget, insert, remove };
}

/** JSON with comments and trailing commas. */
export const json = formatOf({
  parse: (text) => parse(text),
  decode: decodeString,
  makeEncoder: (text, encodable) => {
    const encode = stringEncoder(text, encodable);
    return (value, raw) => (raw.includes('\\') ? withOptionalEscapes(encode(value), raw) : encode(value));
  },
  readOutline,
});
