import { createCB } from 'xmlbuilder2';
import { tokenize, type TaggedText } from '../../text/tagged.ts';
import type { StoredEntry } from '../stored-memory.ts';
import { keyOfContext } from './context-name.ts';
import type { ExportOptions } from './exchange.ts';
import { idOf, spellPlaceholder } from './notation.ts';
import { PROPERTIES, SEGMENT_END } from './tmx-names.ts';

export interface TmxOptions extends ExportOptions {
  /** The source language of all entries; undefined where they have several. */
  readonly source: string | undefined;
}

/** Texts of about this length are given out: neither every word by itself nor all at once. */
const PORTION = 65_536;

/** What XML cannot hold, in whatever notation. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * A TMX 1.4b document, in UTF-8. Reading it gives the same entries again: a unit for each, with its placeholders as
 * inline elements and everything else as properties. The segments of one message stand in one unit, with an element of
 * type `x-dragoman-segment` between them.
 */
export async function* writeTmx(
  entries: AsyncIterable<StoredEntry>,
  { source, version, onSkip }: TmxOptions,
): AsyncGenerator<string> {
  let text = '';
  const builder = createCB({
    // Left as it is, a carriage return would come back as a line break.
    data: (chunk: string) => (text += chunk.replaceAll('\r', '&#13;')),
    error: (error: Error) => {
      throw error;
    },
  });
  builder.dec({ version: '1.0', encoding: 'UTF-8' });
  text += '\n';
  builder.ele('tmx', { version: '1.4' }).txt('\n');
  builder.ele('header', {
    creationtool: 'dragoman',
    creationtoolversion: version,
    segtype: 'block',
    'o-tmf': 'dragoman',
    adminlang: 'en',
    srclang: source ?? '*all*',
    datatype: 'plaintext',
  });
  builder.up().txt('\n').ele('body').txt('\n');
  for await (const entry of entries) {
    const { segments, translations, category, engine = '' } = entry;
    if ([...segments, ...translations, category, engine].some((text) => FORBIDDEN.test(text))) {
      onSkip({ reason: 'unwritable', detail: `XML has no such characters: ${segments.join(' ')}` });
      continue;
    }
    writeUnit(entry, builder);
    if (text.length < PORTION) continue;
    yield text;
    text = '';
  }
  builder.up().txt('\n').up().end();
  yield `${text}\n`;
}

type Builder = ReturnType<typeof createCB>;

function writeUnit(entry: StoredEntry, builder: Builder): void {
  const { pair, changed, used, origin, engine, category, context, placeholders } = entry;
  const date = { changedate: stamp(changed) };
  builder.ele('tu', { srclang: pair.source, lastusagedate: stamp(used) });
  const property = (type: string, value: string): void => {
    builder.ele('prop', { type }).txt(literal(value)).up();
  };
  property(PROPERTIES.placeholders, asciiJson(placeholders));
  if (context !== '') property(PROPERTIES.context, asciiJson(keyOfContext(context)));
  if (category !== '') property(PROPERTIES.category, category);
  property(PROPERTIES.origin, origin);
  if (engine !== undefined) property(PROPERTIES.engine, engine);
  if (changed.getMilliseconds() > 0) property(PROPERTIES.changed, changed.toISOString());
  const elements = elementsOf(entry);
  builder.ele('tuv', { 'xml:lang': pair.source }).ele('seg');
  writeSegments(entry.segments, elements, builder);
  builder
    .up()
    .up()
    .ele('tuv', { 'xml:lang': pair.target, ...date })
    .ele('seg');
  writeSegments(entry.translations, elements, builder);
  builder.up().up().up().txt('\n');
}

/** The builder leaves `&amp;` as it is, for it could be meant so. */
function literal(text: string): string {
  return text.replaceAll('&', '&amp;');
}

/** Names and keys may have characters that XML has not; as JSON they can be written. */
function asciiJson(texts: readonly string[]): string {
  return JSON.stringify(texts).replace(
    /[\u007f-\u009f\ufffe\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `20260131T235959Z`, as TMX has dates. */
function stamp(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, '');
}

/** The numbers of a unit's elements go on from segment to segment, so that each is there once. */
interface Elements {
  readonly base: number;
  readonly names: ReadonlyMap<number, string>;
}

function elementsOf({ segments, placeholders }: StoredEntry): readonly Elements[] {
  let base = 0;
  let at = 0;
  return segments.map((segment) => {
    const ids = (tokenize(segment) ?? []).flatMap((token) => idOf(token) ?? []).sort((a, b) => a - b);
    const elements = { base, names: new Map(ids.map((id) => [id, placeholders[at++] ?? ''])) };
    base += ids.at(-1) ?? 0;
    return elements;
  });
}

function writeSegments(
  segments: readonly TaggedText[],
  elements: readonly Elements[],
  builder: Builder,
): void {
  segments.forEach((segment, i) => {
    if (i > 0) builder.ele('ph', { type: SEGMENT_END }).up();
    writeSegment(segment, elements[i], builder);
  });
}

function writeSegment(segment: TaggedText, elements: Elements | undefined, builder: Builder): void {
  for (const token of tokenize(segment) ?? []) {
    if (token.type === 'words') {
      builder.txt(literal(token.text));
      continue;
    }
    const number = String((elements?.base ?? 0) + token.id);
    const name = elements?.names.get(token.id) ?? '';
    const shown = FORBIDDEN.test(name) ? '' : name;
    if (token.type === 'placeholder') {
      builder
        .ele('ph', { x: number })
        .txt(literal(spellPlaceholder(shown)))
        .up();
    } else if (token.type === 'open') {
      builder
        .ele('bpt', { i: number, x: number })
        .txt(literal(`<${shown}>`))
        .up();
    } else {
      builder
        .ele('ept', { i: number })
        .txt(literal(`</${shown}>`))
        .up();
    }
  }
}
