import type { ScanOptions } from '../format.ts';
import { letterSpeller } from '../json/encode.ts';
import { writeLiteral } from '../module/encode.ts';

/** Strings of JSON5 are those of JavaScript, in single or double quotes. */
export function makeEncoder(
  text: string,
  encodable: ScanOptions['encodable'],
): (value: string, raw: string) => string {
  const spell = letterSpeller(text, encodable);
  return (value, raw) => spell(writeLiteral(value, raw));
}
