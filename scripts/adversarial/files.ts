import { openBytes } from '../../src/documents/localization/open-file.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import { translateSubtitles } from '../../src/documents/subtitles/translate-subtitles.ts';
import type { Engine } from '../../src/engines/engine.ts';
import type { Document } from '../../src/formats/format.ts';
import { describeFormat, FORMAT_IDS, type BuiltInFormatId } from '../../src/formats/registry.ts';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { scanSubtitles } from '../../src/formats/subtitles/format.ts';
import { SPECIMENS } from '../../test/specimens/specimens.ts';
import { makePicker, WORDS } from './strings.ts';

/** A file of many texts with placeholders in the notation of its format. */
interface HostileFile {
  readonly head: string;
  readonly entry: (i: number, text: string) => string;
  readonly tail: string;
  readonly texts: readonly (readonly [text: string, ...parts: string[]])[];
}

const clock = (i: number, comma: string): string =>
  `0${Math.floor(i / 1800) % 10}:${String(Math.floor(i / 30) % 60).padStart(2, '0')}:${String((i * 2) % 60).padStart(2, '0')}${comma}000`;

const SUBTITLES = {
  srt: {
    head: '',
    entry: (i, text) => `${i + 1}\n${clock(i, ',')} --> ${clock(i + 1, ',')}\n${text}\n\n`,
    tail: '',
    texts: [['<i>S</i> W {\\an8}', '<i>', '</i>', '{\\an8}']],
  },
  vtt: {
    head: 'WEBVTT\n\n',
    entry: (i, text) => `${clock(i, '.')} --> ${clock(i + 1, '.')}\n${text}\n\n`,
    tail: '',
    texts: [['<v Bob>S <c.red>W</c> S &amp; W', '<v Bob>', '<c.red>', '</c>']],
  },
  ass: {
    head: '[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n',
    entry: (i, text) =>
      `Dialogue: 0,${clock(i, '.').slice(1, -1)},${clock(i + 1, '.').slice(1, -1)},Default,,0,0,0,,${text}\n`,
    tail: '',
    texts: [
      ['{\\pos(1,2)}S {\\i1}W{\\i0} S', '{\\pos(1,2)}', '{\\i1}', '{\\i0}'],
      ['{\\an8}S{\\c&H0000FF&} W', '{\\an8}', '{\\c&H0000FF&}'],
    ],
  },
  ttml: {
    head: '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling"><body><div>\n',
    entry: (i, text) => `<p begin="${i * 2}s" end="${i * 2 + 1}s">${text}</p>\n`,
    tail: '</div></body></tt>\n',
    texts: [['S <span tts:color="red">W S</span> W', '<span tts:color="red">', '</span>']],
  },
} satisfies Partial<Record<SubtitleFormat, HostileFile>>;

type SubtitleId = keyof typeof SUBTITLES;
export type FileFormat = BuiltInFormatId | SubtitleId;

const isSubtitles = (format: FileFormat): format is SubtitleId => format in SUBTITLES;

/** Every format with its own kinds of placeholders. */
export const FILE_FORMATS: readonly FileFormat[] = [
  ...FORMAT_IDS,
  ...Object.keys(SUBTITLES).filter((name): name is SubtitleId => name in SUBTITLES),
];

export interface FileTrialResult {
  readonly texts: number;
  /** Changed texts. */
  readonly translated: number;
  readonly broken: readonly { readonly before: string; readonly after: string }[];
}

/** Translates a file of this many texts from English to Spanish. Damage is detected without the program's help. */
export async function tryFile(format: FileFormat, count: number, engine: Engine): Promise<FileTrialResult> {
  const file = hostileFile(format);
  const pick = makePicker();
  const words = WORDS.filter((word) => /^[\p{L}\p{N}]+$/u.test(word));
  const some = (n: number): string => Array.from({ length: n }, () => words[pick(words.length)]).join(' ');
  const entries = Array.from({ length: count }, (_, i) => {
    const [text = ''] = file.texts[i % file.texts.length] ?? [];
    return file.entry(
      i,
      text.replaceAll(/\b[SW]\b/g, (found) => some(found === 'W' ? 1 : 2 + pick(5))),
    );
  });
  const { before, after } = await translated(format, file.head + entries.join('') + file.tail, engine);
  if (before.length !== after.length)
    throw new Error(`${format}: ${before.length} texts, now ${after.length}`);
  const parts = [...new Set(file.texts.flatMap(([, ...all]) => all))];
  const countIn = (text: string, part: string): number => text.split(part).length - 1;
  const pairs = before.map((text, i) => ({ before: text, after: after[i] ?? '' }));
  return {
    texts: pairs.length,
    translated: pairs.filter((pair) => pair.before !== pair.after).length,
    broken: pairs.filter((pair) =>
      parts.some((part) => countIn(pair.before, part) !== countIn(pair.after, part)),
    ),
  };
}

function hostileFile(format: FileFormat): HostileFile {
  if (isSubtitles(format)) return SUBTITLES[format];
  const { hostile, made } = SPECIMENS[format];
  return { ...made[0], texts: hostile };
}

/** The texts of the source and of its translation, as written in their files. */
async function translated(
  format: FileFormat,
  text: string,
  engine: Engine,
): Promise<{ readonly before: readonly string[]; readonly after: readonly string[] }> {
  const context = { engine, source: 'en', signal: new AbortController().signal };
  if (isSubtitles(format)) {
    const { content } = await translateSubtitles(text, format, { ...context, target: 'es' });
    return { before: textsOf(scanSubtitles(text, format)), after: textsOf(scanSubtitles(content, format)) };
  }
  const read = { format: describeFormat(format) };
  const file = await openBytes(Buffer.from(text), `en.${SPECIMENS[format].made[0].extension}`, read);
  const { bytes } = await translateFile(file, { locale: 'es', spelling: 'es' }, context);
  const { document } = await openBytes(bytes, file.path, { ...read, locale: 'es' });
  return { before: textsOf(file.document, true), after: textsOf(document) };
}

/** @param sources whether to return the source texts that some formats store with the translations */
function textsOf({ text, slots }: Document, sources = false): readonly string[] {
  return slots.map((slot) => {
    if (slot.source !== undefined) return sources ? slot.source : slot.value;
    return text.slice(slot.span.start, slot.span.end);
  });
}
