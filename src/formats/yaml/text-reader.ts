import type { Scalar } from 'yaml';
import type { Key, ScanOptions } from '../format.ts';
import { limitError } from './parse.ts';
import { readsAsText, type ScalarPlace, type ScalarStyle } from './quoting.ts';

/** A text before the file's syntax is known. */
export interface FoundText {
  readonly key: Key;
  readonly value: string;
  readonly place: ScalarPlace;
  comment: string | undefined;
}

/** Facts about a scalar that depend on its place. */
interface Surrounding {
  readonly key: Key;
  readonly flow: boolean;
  /** End of the scalar, without the last line break of a block. */
  readonly end: number;
  readonly comments: readonly string[];
}

interface TextScalar {
  readonly key: Key;
  readonly value: string;
  /** The place, which ends before the last line break of a block. */
  readonly place: ScalarPlace;
  readonly comments: readonly string[];
}

/** Keys repeat their parents' segments: without a limit, wide maps deep in a file would exhaust memory. */
const MAX_KEY_SEGMENTS = 16_000_000;

const STRING_TAGS = new Set(['!', 'tag:yaml.org,2002:str']);
const STYLES: ReadonlyMap<string, ScalarStyle> = new Map([
  ['scalar', 'plain'],
  ['single-quoted-scalar', 'single'],
  ['double-quoted-scalar', 'double'],
  ['block-scalar', 'block'],
]);

/** Words that YAML 1.1 readers read as booleans. */
const WORDS = /^(?:yes|no|on|off)$/i;

/** Creates the texts of one document, within a limit for the memory of their keys. */
export class TextReader {
  readonly #text: string;
  readonly #hasPlainWords: boolean;
  #segments = 0;

  /** @param messages rules of the program that reads the document, if known */
  constructor(text: string, messages: ScanOptions['messages']) {
    this.#text = text;
    this.#hasPlainWords = messages?.hasPlainWords ?? false;
  }

  /** Whether every program that may load the document reads a scalar as text. */
  isText(style: ScalarStyle, value: string, tag: string | undefined): boolean {
    if (tag !== undefined) return STRING_TAGS.has(tag);
    return style !== 'plain' || readsAsText(value) || (this.#hasPlainWords && WORDS.test(value));
  }

  /** The text of a scalar that the library composed, if it is a text. */
  read(node: Scalar.Parsed, { key, flow, end, comments }: Surrounding): FoundText | undefined {
    const { srcToken: token, value } = node;
    const style = token && STYLES.get(token.type);
    if (!style || typeof value !== 'string' || !this.isText(style, value, node.tag)) return undefined;
    const indent = token.type === 'block-scalar' ? token.indent : 0;
    return this.take({
      key,
      value,
      place: { style, flow, indent, span: { start: node.range[0], end } },
      comments,
    });
  }

  take({ key, value, place, comments }: TextScalar): FoundText {
    this.#segments += key.length;
    if (this.#segments > MAX_KEY_SEGMENTS)
      throw limitError(this.#text, place.span.start, 'the document has too many deeply nested values');
    // The library concatenates double-quoted texts from single characters; reading one character flattens the string.
    value.charCodeAt(0);
    const unended = place.style === 'block' && value.endsWith('\n') && this.#endsUnbroken(place.span.end);
    return {
      key,
      value: unended ? value.slice(0, -1) : value,
      place,
      comment: comments.length === 0 ? undefined : comments.join('\n'),
    };
  }

  /**
   * Whether the text ends without a line break. At the end of a block scalar the library adds one; the specification
   * and other readers do not.
   */
  #endsUnbroken(end: number): boolean {
    return end === this.#text.length && /[^ ]/.test(this.#text.slice(this.#text.lastIndexOf('\n') + 1));
  }
}
