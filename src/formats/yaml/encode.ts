import { encodeBlock } from './block.ts';
import { isPlainText, isPrintable, quoteDouble, quoteSingle, type ScalarPlace } from './quoting.ts';

/** Properties that all scalars of a file share. */
export interface YamlSurroundings {
  readonly text: string;
  /** The quotes that the file prefers when a plain scalar needs some. */
  readonly quote: 'single' | 'double';
  readonly encodable: ((text: string) => boolean) | undefined;
}

/**
 * Writes `value` in the style of its place if possible, otherwise in one that can hold it: double quotes can hold
 * anything.
 */
export function encodeScalar(around: YamlSurroundings, place: ScalarPlace, value: string): string {
  const old = (): string => around.text.slice(place.span.start, place.span.end);
  if (place.style === 'block') {
    const quoted = quoteDouble(value, around.encodable);
    return encodeBlock(around.text, place, value, quoted, isPrintable(value, around.encodable));
  }
  if (place.style === 'double') return quoteDouble(value, around.encodable, old());
  if (!isPrintable(value, around.encodable)) return quoteDouble(value, around.encodable);
  if (place.style === 'plain' && isPlainText(value, place.flow)) return value;
  if (value.includes('\n')) return quoteDouble(value, around.encodable);
  if (place.style === 'plain' && (around.quote === 'double' || /^[^"\\]*'[^"\\]*$/.test(value))) {
    return quoteDouble(value, around.encodable);
  }
  return quoteSingle(value);
}

/** Any text as a scalar of a flow collection, or as a key. */
export function encodeFlowScalar(around: YamlSurroundings, value: string): string {
  return encodeScalar(around, { style: 'plain', flow: true, indent: 0, span: { start: 0, end: 0 } }, value);
}
