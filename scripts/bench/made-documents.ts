import type { BuiltInFormatId } from '../../src/formats/registry.ts';
import { decode, splitIntoLines } from '../../test/specimens/reference.ts';
import type { MadeDocument } from '../../test/specimens/specimen.ts';
import { SPECIMENS } from '../../test/specimens/specimens.ts';
import { Sentences } from './words.ts';

const clock = (second: number, sign: string): string =>
  `${String(Math.floor(second / 3600)).padStart(2, '0')}:${new Date(second * 1000).toISOString().slice(14, 19)}${sign}000`;
const cue = (i: number, text: string, sign: string): string =>
  `${i + 1}\n${clock(i * 3, sign)} --> ${clock(i * 3 + 2, sign)}\n${text.replace(/^(.{20}\S*) /, '$1\n')}\n\n`;

/** What other commands than `i18n` translate, by the name of the command. */
const OTHERS: readonly (MadeDocument & { readonly command: string })[] = [
  {
    name: 'srt',
    command: 'subtitles',
    extension: 'srt',
    head: '',
    entry: (i, text) => cue(i, text, ','),
    tail: '',
    megabytes: 300,
    reference: splitIntoLines,
  },
  {
    name: 'vtt',
    command: 'subtitles',
    extension: 'vtt',
    head: 'WEBVTT\n\n',
    entry: (i, text) => cue(i, text, '.'),
    tail: '',
    megabytes: 300,
    reference: splitIntoLines,
  },
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

/** Everything that is weighed, with the command that translates it. */
export const WEIGHED: readonly (MadeDocument & { readonly command: string })[] = [
  ...Object.values(SPECIMENS).flatMap(({ made }) => made.map((one) => ({ ...one, command: 'i18n' }))),
  ...OTHERS,
];

/** So long are the texts of weighed documents, with what each shape puts around them: interfaces have short ones. */
const LENGTH = 36;

/** A document of so many keys, with texts as interfaces have them. */
export function makeKeys({ head, entry, tail }: MadeDocument, keys: number): string {
  const sentences = new Sentences();
  const parts = [head];
  for (let i = 0; i < keys; i++) parts.push(entry(i, `${sentences.next().slice(0, LENGTH)} ${i}`));
  return [...parts, tail].join('');
}

/** A document of at least so many bytes, with whole sentences. */
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
