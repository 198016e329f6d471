import type { Format, ScanOptions } from '../format.ts';
import { type Outline, outlineOf } from '../json/outline.ts';
import { formatOf } from '../json/format.ts';
import { textIn, withShape } from '../json/tree.ts';
import { insert } from '../json/insert.ts';
import { decode, json5Code, parse } from './scan.ts';
import { letterSpeller } from '../json/encode.ts';
import { writeLiteral } from '../module/encode.ts';

/** JSON5, in the dialects of JSON: the same objects and arrays with other tokens. */
export const json5: Format<Outline> = {
  ...formatOf({
    parse,
    decode,
    makeEncoder,
    readOutline: (text) => outlineOf(json5Code(text), withShape(parse(text), textIn(text, decode))),
  }),
  insert,
};

/** JSON5 strings are JavaScript strings in single or double quotes. */
function makeEncoder(
  text: string,
  encodable: ScanOptions['encodable'],
): (value: string, raw: string) => string {
  const spell = letterSpeller(text, encodable);
  return (value, raw) => spell(writeLiteral(value, raw));
}
