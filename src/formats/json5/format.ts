import { outlineOf } from '../json/outline.ts';
import { formatOf } from '../json/format.ts';
import { shapeOf } from '../json/shape.ts';
import { makeEncoder } from './encode.ts';
import { decode, Json5Code, parse } from './scan.ts';

/** JSON5, in the dialects of JSON: its objects and arrays are those of JSON, made of other tokens. */
export const json5 = formatOf({
  parse,
  decode,
  makeEncoder,
  readOutline: (text) => {
    const root = parse(text);
    return outlineOf(new Json5Code(text), root, shapeOf(root));
  },
});
