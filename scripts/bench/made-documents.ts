import type { BuiltInFormatId } from '../../src/formats/registry.ts';
import { decode, saxes, splitIntoLines } from '../../test/specimens/reference.ts';
import type { MadeDocument } from '../../test/specimens/specimen.ts';
import { SPECIMENS } from '../../test/specimens/specimens.ts';
import { Sentences } from './words.ts';

/** With the command that translates it. */
export interface Weighed extends MadeDocument {
  readonly command: string;
}

const clock = (second: number, sign: string): string =>
  `${String(Math.floor(second / 3600)).padStart(2, '0')}:${new Date(second * 1000).toISOString().slice(14, 19)}${sign}000`;
const cue = (i: number, text: string, sign: string): string =>
  `${i + 1}\n${clock(i * 3, sign)} --> ${clock(i * 3 + 2, sign)}\n${text.replace(/^(.{20}\S*) /, '$1\n')}\n\n`;

/** Subtitles of one notation: each cue is a key. */
function subtitles(
  name: string,
  entry: MadeDocument['entry'],
  { head = '', tail = '', extension = name, reference = splitIntoLines }: Partial<MadeDocument> = {},
): Weighed {
  return { name, command: 'subtitles', extension, head, entry, tail, megabytes: 300, reference };
}

const hour = (second: number, fraction: string): string => clock(second, '.').slice(1, -3) + fraction;

/** Documents that commands other than `i18n` translate, by command. */
const OTHERS: readonly Weighed[] = [
  subtitles('srt', (i, text) => cue(i, text, ',')),
  subtitles('vtt', (i, text) => cue(i, text, '.'), { head: 'WEBVTT\n\n' }),
  subtitles(
    'ass',
    (i, text) => `Dialogue: 0,${hour(i, '00')},${hour(i + 1, '00')},Default,,0,0,0,,{\\i1}${text}{\\i0}\n`,
    {
      head: '[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n',
    },
  ),
  subtitles('ttml', (i, text) => `<p begin="${i * 3}s" end="${i * 3 + 2}s">${text}</p>\n`, {
    head: '<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en">\n<body><div>\n',
    tail: '</div></body>\n</tt>\n',
    reference: saxes,
  }),
  subtitles('sbv', (i, text) => `${hour(i, '000')},${hour(i + 1, '000')}\n${text}\n\n`),
  subtitles('lrc', (i, text) => `[${Math.floor(i / 60)}:${String(i % 60).padStart(2, '0')}.00]${text}\n`),
  subtitles('microdvd', (i, text) => `{${i * 75}}{${i * 75 + 50}}${text}\n`, {
    head: '{1}{1}25\n',
    extension: 'sub',
  }),
  {
    name: 'html',
    command: 'html',
    extension: 'html',
    head: '<!doctype html>\n<html lang="en"><head><title>Page</title></head>\n<body>\n',
    entry: (i, text) => `<p id="p${i}">${text} – <a href="/page${i}">more</a></p>\n`,
    tail: '</body></html>\n',
    megabytes: 500,
    reference: {
      name: 'parse5 with places',
      load: async () => {
        const { parse } = await import('parse5');
        return (bytes) => parse(decode(bytes), { sourceCodeLocationInfo: true }).childNodes.length;
      },
    },
  },
];

/** All measured documents. */
export const WEIGHED: readonly Weighed[] = [
  ...Object.values(SPECIMENS).flatMap(({ made }) => made.map((one) => ({ ...one, command: 'i18n' }))),
  ...OTHERS,
];

/**
 * The length of texts in measured documents, including each shape's markup: interface texts are short.
 */
const LENGTH = 36;

/** The largest multiple of a thousand keys, up to this many, for which the format accepts the document. */
export function acceptedKeys(made: MadeDocument, keys: number): number {
  const { mostCharacters = Infinity } = made;
  if (keys * LENGTH < mostCharacters / 4) return keys;
  const { length } = makeKeys(made, keys);
  return length <= mostCharacters ? keys : Math.floor((keys * mostCharacters) / length / 1000) * 1000;
}

/** A document with this many keys, and typical interface texts. */
export function makeKeys({ head, entry, tail }: MadeDocument, keys: number): string {
  const sentences = new Sentences();
  const parts = [head];
  for (let i = 0; i < keys; i++) parts.push(entry(i, `${sentences.next().slice(0, LENGTH)} ${i}`));
  return [...parts, tail].join('');
}

/** A document of at least this many bytes, in whole sentences. */
export function makeDocument(format: BuiltInFormatId, bytes: number): string {
  const { head, entry, tail } = SPECIMENS[format].made[0];
  const sentences = new Sentences();
  const parts = [head];
  let size = head.length;
  for (let i = 0; size < bytes; i++) {
    const text = entry(i, sentences.next());
    size += text.length;
    parts.push(text);
  }
  return [...parts, tail].join('');
}
