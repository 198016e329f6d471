import { create, fragment } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import { isXmlText } from '../base/xml-text.ts';
import { codedPieces, type ValuePiece } from './inline-codes.ts';
import { EXPORT_NAME, type ExchangeDocument, type ExchangeUnit } from './unit.ts';
import { isInCharacters, notesOf } from './unit-notes.ts';

export type XliffVersion = '1.2' | '2.0';

/** How a version of XLIFF represents the parts of a document. */
interface Dialect {
  /** Adds the root to a document. Returns the element for the files. */
  readonly addRoot: (parent: XMLBuilder, document: ExchangeDocument) => XMLBuilder;
  /** Adds a file to a document. Returns the element for its units. */
  readonly addFile: (
    parent: XMLBuilder,
    path: string,
    number: number,
    document: ExchangeDocument,
  ) => XMLBuilder;
  /** Whether the version can represent all characters of a text. */
  readonly canHold: (text: string) => boolean;
  readonly addUnit: (parent: XMLBuilder, unit: ExchangeUnit) => void;
}

/** Approximate size of each output chunk. */
const CHUNK_SIZE = 65_536;

/** Readers limit the depth of elements, so tags within ten others are written as `<sc/>` and `<ec/>`. */
const MAX_NESTED = 10;

/**
 * Writes XLIFF 1.2 or 2.0 in UTF-8. Placeholders and tags are inline codes with their notation as native data, so that
 * translation programs protect them. Units that the version cannot represent are skipped and reported.
 */
export function* writeXliff(document: ExchangeDocument, version: XliffVersion): Generator<string> {
  const { addRoot, addFile, addUnit, canHold } = version === '1.2' ? XLIFF_1 : XLIFF_2;
  const root = frameOf(create({ encoding: 'UTF-8' }), (parent) => addRoot(parent, document));
  let text = root.start;
  let file: { readonly path: string; readonly end: string } | undefined;
  let files = 0;
  for (const unit of document.units) {
    if (!canHold(unit.source) || !canHold(unit.translation ?? '')) {
      document.onSkip(unit, `XLIFF ${version} cannot represent control characters`);
      continue;
    }
    if (file?.path !== unit.file) {
      const { start, end } = frameOf(fragment(), (parent) => addFile(parent, unit.file, ++files, document));
      text += `${file?.end ?? ''}${start}`;
      file = { path: unit.file, end };
    }
    const parent = fragment();
    addUnit(parent, unit);
    text += `${parent.toString()}\n`;
    if (text.length < CHUNK_SIZE) continue;
    yield text;
    text = '';
  }
  yield `${text}${file?.end ?? ''}${root.end}`;
}

/** The markup before and after the content of an element, for content that is written in portions. */
function frameOf(
  top: XMLBuilder,
  addTo: (top: XMLBuilder) => XMLBuilder,
): { readonly start: string; readonly end: string } {
  addTo(top).com('');
  // No text or attribute contains a comment, because `<` is escaped in both.
  const [start = '', end = ''] = top.toString({ prettyPrint: true, indent: '' }).split('<!---->\n');
  return { start, end: `${end}\n` };
}

/**
 * Adds an element; undefined attributes are omitted.
 *
 * xmlbuilder2 copies every `&name;` and `&#1;` as a reference, and control characters as they are. If each `&`, and
 * white space that readers normalize, is written as a reference, readers return the same value.
 */
function addElement(
  parent: XMLBuilder,
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): XMLBuilder {
  const element = parent.ele(null, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) element.att(key, value.replace(/[&\t\n\r]/g, reference));
  return element;
}

/** Adds a text to an element; see {@link addElement}. */
function addText(element: XMLBuilder, text: string): void {
  if (text !== '') element.txt(text.replace(/[&\r]/g, reference));
}

function reference(character: string): string {
  return character === '&' ? '&amp;' : `&#${character.charCodeAt(0)};`;
}

const XLIFF_2: Dialect = {
  addRoot: (parent, { source, target }) =>
    addElement(parent, 'xliff', {
      xmlns: 'urn:oasis:names:tc:xliff:document:2.0',
      'xmlns:slr': 'urn:oasis:names:tc:xliff:sizerestriction:2.0',
      version: '2.0',
      srcLang: source,
      trgLang: target,
    }),

  addFile(parent, path, number) {
    const file = addElement(parent, 'file', {
      id: `${EXPORT_NAME}-${number}`,
      original: readable(path),
      canResegment: 'no',
      'xml:space': 'preserve',
    });
    addElement(file, 'slr:profiles', { generalProfile: 'xliff:codepoints', storageProfile: 'xliff:utf8' });
    return file;
  },

  canHold: (text) => text.isWellFormed(),

  addUnit(parent, unit) {
    const { id, key, needsReview, state, limit } = unit;
    const { source, translation } = codedPieces(unit.source, unit.translation ?? '', unit.syntax);
    const element = addElement(parent, 'unit', {
      id,
      name: readable(key),
      'slr:sizeRestriction': isInCharacters(limit) ? String(limit.max) : undefined,
      'slr:storageRestriction': limit?.unit === 'bytes in UTF-8' ? String(limit.max) : undefined,
    });
    const notes = notesOf(unit);
    if (notes.length > 0) {
      const list = addElement(element, 'notes');
      for (const { kind, text } of notes)
        addText(addElement(list, 'note', { category: kind }), readable(text));
      addText(element, '\n');
    }
    const data = originalData([...source, ...translation]);
    if (data.size > 0) {
      const list = addElement(element, 'originalData');
      for (const [raw, dataId] of data) addText2(addElement(list, 'data', { id: dataId }), raw);
      addText(element, '\n');
    }
    // A sub-state requires a state.
    const subState = needsReview === undefined ? undefined : `dragoman:${needsReview}`;
    const segment = addElement(element, 'segment', { state, subState });
    addContent2(addElement(segment, 'source'), source, data);
    if (unit.translation) addContent2(addElement(segment, 'target'), translation, data);
  },
};

/** The ids of a unit's `<originalData>`, each notation once. */
function originalData(pieces: readonly ValuePiece[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const piece of pieces)
    if (typeof piece !== 'string' && !ids.has(piece.raw)) ids.set(piece.raw, `d${ids.size + 1}`);
  return ids;
}

function addContent2(
  element: XMLBuilder,
  pieces: readonly ValuePiece[],
  data: ReadonlyMap<string, string>,
): void {
  const ends = new Map<number, string>();
  for (const piece of pieces)
    if (typeof piece !== 'string' && piece.end === 'close') ends.set(piece.id, piece.raw);
  let parent = element;
  let depth = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      addText2(parent, piece);
      continue;
    }
    const id = String(piece.id);
    const dataRef = data.get(piece.raw);
    if (piece.end === 'both') addElement(parent, 'ph', { id, dataRef });
    else if (piece.end === 'close') {
      if (depth-- > MAX_NESTED) addElement(parent, 'ec', { startRef: id, dataRef });
      else parent = parent.up();
    } else if (depth++ >= MAX_NESTED) addElement(parent, 'sc', { id, dataRef });
    else {
      const dataRefEnd = data.get(ends.get(piece.id) ?? '');
      parent = addElement(parent, 'pc', { id, dataRefEnd, dataRefStart: dataRef });
    }
  }
}

/** Characters that are invalid in XML become elements. */
function addText2(element: XMLBuilder, text: string): void {
  if (isXmlText(text)) return addText(element, text);
  for (const character of text) {
    if (isXmlText(character)) addText(element, character);
    else
      addElement(element, 'cp', { hex: character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') });
  }
}

const XLIFF_1: Dialect = {
  addRoot: (parent) =>
    addElement(parent, 'xliff', { xmlns: 'urn:oasis:names:tc:xliff:document:1.2', version: '1.2' }),

  addFile(parent, path, _number, { source, target, version }) {
    const file = addElement(parent, 'file', {
      original: readable(path),
      'source-language': source,
      'target-language': target,
      datatype: 'plaintext',
      'tool-id': EXPORT_NAME,
    });
    addElement(addElement(file, 'header'), 'tool', {
      'tool-id': EXPORT_NAME,
      'tool-name': 'dragoman',
      'tool-version': version,
    });
    return addElement(file, 'body');
  },

  canHold: isXmlText,

  addUnit(parent, unit) {
    const { id, key, limit, state } = unit;
    const { source, translation } = codedPieces(unit.source, unit.translation ?? '', unit.syntax);
    const size = limit?.unit === 'columns' ? 'col' : isInCharacters(limit) ? 'char' : undefined;
    const element = addElement(parent, 'trans-unit', {
      id,
      resname: readable(key),
      'xml:space': 'preserve',
      approved: state === 'reviewed' || state === 'final' ? 'yes' : undefined,
      maxwidth: size && String(limit?.max),
      'size-unit': size,
    });
    addContent1(addElement(element, 'source'), source);
    if (unit.translation) {
      addText(element, '\n');
      addContent1(addElement(element, 'target', stateIn1(unit)), translation);
    }
    for (const { kind, text } of notesOf(unit)) {
      addText(element, '\n');
      addText(addElement(element, 'note', { from: kind === 'comment' ? 'developer' : kind }), readable(text));
    }
  },
};

function stateIn1({ state, needsReview }: ExchangeUnit): Readonly<Record<string, string | undefined>> {
  if (needsReview === undefined)
    return { state: state === 'reviewed' ? 'signed-off' : state === 'final' ? 'final' : 'translated' };
  return {
    state: 'needs-review-translation',
    'state-qualifier': needsReview === 'machine' ? 'mt-suggestion' : undefined,
  };
}

function addContent1(element: XMLBuilder, pieces: readonly ValuePiece[]): void {
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      addText(element, piece);
      continue;
    }
    const id = String(piece.id);
    const code =
      piece.end === 'both'
        ? addElement(element, 'ph', { id })
        : addElement(element, piece.end === 'open' ? 'bpt' : 'ept', { id, rid: id });
    addText(code, piece.raw);
  }
}

/** For notes, keys and paths, which only people read. */
function readable(text: string): string {
  return Array.from(text, (character) => (isXmlText(character) ? character : '�')).join('');
}
