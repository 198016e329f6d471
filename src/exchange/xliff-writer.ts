import { element, escapeXml, isXmlText, openTag } from '../base/xml-text.ts';
import { codedPieces, type Piece } from './inline-codes.ts';
import { EXPORT_NAME, type ExchangeDocument, type ExchangeUnit } from './unit.ts';
import { isInCharacters, notesOf } from './unit-notes.ts';

export type XliffVersion = '1.2' | '2.0';

/** How a version of XLIFF represents the parts of a document. */
interface Dialect {
  readonly root: (document: ExchangeDocument) => string;
  /** The start and the end of a file. */
  readonly file: (
    path: string,
    number: number,
    document: ExchangeDocument,
  ) => { readonly start: string; readonly end: string };
  /** Undefined if the version cannot represent one of the unit's characters. */
  readonly unit: (unit: ExchangeUnit) => string | undefined;
}

/** Approximate size of each output chunk. */
const PORTION = 65_536;

/**
 * Writes XLIFF 1.2 or 2.0 in UTF-8. Placeholders and tags are inline codes with their notation as native data, so that
 * translation programs protect them. Units that the version cannot represent are skipped and reported.
 */
export function* writeXliff(document: ExchangeDocument, version: XliffVersion): Generator<string> {
  const dialect = version === '1.2' ? XLIFF_1 : XLIFF_2;
  let text = `<?xml version="1.0" encoding="UTF-8"?>\n${dialect.root(document)}\n`;
  let file: { readonly path: string; readonly end: string } | undefined;
  let files = 0;
  for (const unit of document.units) {
    const written = dialect.unit(unit);
    if (written === undefined) {
      document.onSkip(unit, `XLIFF ${version} cannot represent a control character in it`);
      continue;
    }
    if (file?.path !== unit.file) {
      const { start, end } = dialect.file(unit.file, ++files, document);
      text += `${file?.end ?? ''}${start}`;
      file = { path: unit.file, end };
    }
    text += written;
    if (text.length < PORTION) continue;
    yield text;
    text = '';
  }
  yield `${text}${file?.end ?? ''}</xliff>\n`;
}

const XLIFF_2: Dialect = {
  root: ({ source, target }) =>
    openTag('xliff', {
      xmlns: 'urn:oasis:names:tc:xliff:document:2.0',
      'xmlns:slr': 'urn:oasis:names:tc:xliff:sizerestriction:2.0',
      version: '2.0',
      srcLang: source,
      trgLang: target,
    }),

  file: (path, number) => ({
    start: [
      openTag('file', {
        id: `${EXPORT_NAME}-${number}`,
        original: attributeOf(path),
        canResegment: 'no',
        'xml:space': 'preserve',
      }),
      element('slr:profiles', { generalProfile: 'xliff:codepoints', storageProfile: 'xliff:utf8' }),
      '',
    ].join('\n'),
    end: '</file>\n',
  }),

  unit(unit) {
    if (!unit.source.isWellFormed() || unit.translation?.isWellFormed() === false) return undefined;
    const { source, translation } = codedPieces(unit.source, unit.translation ?? '', unit.syntax);
    const data = new OriginalData();
    const [from, to] = [source, translation].map((pieces) => contentIn2(pieces, data));
    const notes = notesOf(unit).map(({ kind, text }) =>
      element('note', { category: kind }, escapeXml(readable(text))),
    );
    const { needsReview, state, limit } = unit;
    const segment = element(
      'segment',
      // A sub-state requires a state.
      { state, subState: needsReview === undefined ? undefined : `dragoman:${needsReview}` },
      element('source', {}, from) + (unit.translation ? element('target', {}, to) : ''),
    );
    const attributes = {
      id: unit.id,
      name: attributeOf(unit.key),
      'slr:sizeRestriction': isInCharacters(limit) ? String(limit.max) : undefined,
      'slr:storageRestriction': limit?.unit === 'bytes in UTF-8' ? String(limit.max) : undefined,
    };
    const parts = [notes.length > 0 ? element('notes', {}, notes.join('')) : '', data.written(), segment];
    return `${element('unit', attributes, parts.filter((part) => part !== '').join('\n'))}\n`;
  },
};

/** The `<originalData>` of a unit, with each notation once. */
class OriginalData {
  readonly #ids = new Map<string, string>();

  refOf(raw: string): string {
    const id = this.#ids.get(raw) ?? `d${this.#ids.size + 1}`;
    this.#ids.set(raw, id);
    return id;
  }

  written(): string {
    const all = [...this.#ids].map(([raw, id]) => element('data', { id }, textIn2(raw)));
    return all.length > 0 ? element('originalData', {}, all.join('')) : '';
  }
}

function contentIn2(pieces: readonly Piece[], data: OriginalData): string {
  const ends = new Map<number, string>();
  for (const piece of pieces)
    if (typeof piece !== 'string' && piece.end === 'close') ends.set(piece.id, piece.raw);
  let content = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') content += textIn2(piece);
    else if (piece.end === 'both')
      content += element('ph', { id: String(piece.id), dataRef: data.refOf(piece.raw) });
    else if (piece.end === 'close') content += '</pc>';
    else {
      content += openTag('pc', {
        id: String(piece.id),
        dataRefEnd: data.refOf(ends.get(piece.id) ?? ''),
        dataRefStart: data.refOf(piece.raw),
      });
    }
  }
  return content;
}

/** Characters that are invalid in XML become elements. */
function textIn2(text: string): string {
  if (isXmlText(text)) return escapeXml(text);
  return Array.from(text, (character) =>
    isXmlText(character)
      ? escapeXml(character)
      : element('cp', { hex: character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') }),
  ).join('');
}

const XLIFF_1: Dialect = {
  root: () => openTag('xliff', { xmlns: 'urn:oasis:names:tc:xliff:document:1.2', version: '1.2' }),

  file: (path, _number, { source, target, version }) => ({
    start: [
      openTag('file', {
        original: attributeOf(path),
        'source-language': source,
        'target-language': target,
        datatype: 'plaintext',
        'tool-id': EXPORT_NAME,
      }),
      element(
        'header',
        {},
        element('tool', { 'tool-id': EXPORT_NAME, 'tool-name': 'dragoman', 'tool-version': version }),
      ),
      openTag('body'),
      '',
    ].join('\n'),
    end: '</body>\n</file>\n',
  }),

  unit(unit) {
    const { id, key, limit, state } = unit;
    if (!isXmlText(unit.source) || !isXmlText(unit.translation ?? '')) return undefined;
    const { source, translation } = codedPieces(unit.source, unit.translation ?? '', unit.syntax);
    const isApproved = state === 'reviewed' || state === 'final';
    const size = limit?.unit === 'columns' ? 'col' : isInCharacters(limit) ? 'char' : undefined;
    const notes = notesOf(unit).map(({ kind, text }) =>
      element('note', { from: kind === 'comment' ? 'developer' : kind }, escapeXml(readable(text))),
    );
    const parts = [
      element('source', {}, contentIn1(source)),
      unit.translation ? element('target', stateIn1(unit), contentIn1(translation)) : '',
      ...notes,
    ];
    const attributes = {
      id,
      resname: attributeOf(key),
      'xml:space': 'preserve',
      approved: isApproved ? 'yes' : undefined,
      maxwidth: size && String(limit?.max),
      'size-unit': size,
    };
    return `${element('trans-unit', attributes, parts.filter((part) => part !== '').join('\n'))}\n`;
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

function contentIn1(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return escapeXml(piece);
      const id = String(piece.id);
      if (piece.end === 'both') return element('ph', { id }, escapeXml(piece.raw));
      return element(piece.end === 'open' ? 'bpt' : 'ept', { id, rid: id }, escapeXml(piece.raw));
    })
    .join('');
}

/** For notes, which only people read. */
function readable(text: string): string {
  return Array.from(text, (character) => (isXmlText(character) ? character : '�')).join('');
}

function attributeOf(text: string): string {
  return readable(text);
}
