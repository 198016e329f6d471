import { extensionOf } from '../../formats/registry.ts';
import {
  ANY_LAYOUT,
  type LanguageDirectory,
  type Layout,
  type PathTemplate,
} from '../../frameworks/layout.ts';
import { isLanguageHolder, LAYOUTS } from '../../frameworks/registry.ts';
import { localeOfAlpha3, spellAlpha3 } from '../../languages/alpha3.ts';
import { parseLocale, parseRareLocale } from '../../languages/locale.ts';
import { languageOfCountry } from '../../languages/rare.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Three-letter names are languages only if all names next to them are: `cat.json` next to `deu.json`. */
const ALPHA3: Layout = { style: 'bcp47', names: { parse: localeOfAlpha3, spell: spellAlpha3 } };

/** One reading of a path: the file of `locale` in the set described by `template`. */
export interface PathReading {
  readonly template: PathTemplate;
  readonly spelling: string;
  readonly locale: string;
}

export function fillTemplate(template: PathTemplate, spelling: string): string {
  return template.parts.join(spelling);
}

/** Files with three-letter codes form a separate set: `cat.json` next to `en.json` is not Catalan. */
export function templateId({ parts, layout }: PathTemplate): string {
  return parts.join('\0') + (layout === ALPHA3 ? '\0\0' : '');
}

/** Whether languages have three-letter codes, which are certain only next to other codes. */
export function isUnsure(layout: Layout): boolean {
  return layout === ALPHA3;
}

/** Caches answers, because the same names and directories occur thousands of times. */
class AnswerCache<Answer> {
  readonly #answers = new Map<string, { readonly answer: Answer }>();

  get(question: string, find: () => Answer): Answer {
    const known = this.#answers.get(question);
    if (known) return known.answer;
    const answer = find();
    // Limited, because a process may examine many projects.
    if (this.#answers.size < 100_000) this.#answers.set(question, { answer });
    return answer;
  }
}

interface LocaleSpan {
  readonly start: number;
  readonly spelling: string;
  readonly layout: Layout;
}

/** Finds the names in paths that `parse` accepts as locales. */
export class PathReader {
  readonly #parse: (spelling: string) => string | undefined;
  readonly #locales = new AnswerCache<string | undefined>();
  readonly #names = new AnswerCache<LocaleSpan | undefined>();
  readonly #directories = new AnswerCache<readonly LocaleSpan[]>();

  constructor(parse: (spelling: string) => string | undefined) {
    this.#parse = parse;
  }

  /**
   * All ways in which a path may name its locale.
   *
   * @param above the name of the directory that the path is relative to
   */
  read(path: string, above = ''): readonly PathReading[] {
    const all = this.#placesIn(path, above);
    const [only] = all;
    if (only && all.length === 1) {
      const locale = this.#localeOf(only.spelling, only.layout);
      return locale === undefined ? [] : [{ template: cut(path, all), spelling: only.spelling, locale }];
    }
    const readings: PathReading[] = [];
    const bySpelling = new Map<string, LocaleSpan[]>();
    for (const place of all) {
      addTo(bySpelling, place.spelling, place);
    }
    for (const [spelling, places] of bySpelling) {
      const locale = this.#localeOf(spelling, places[0]?.layout);
      if (locale === undefined) continue;
      // `en/en.json` may be `{locale}/{locale}.json`, or only one of the names may be the locale.
      const choices = places.length > 1 ? [places, ...places.map((place) => [place])] : [places];
      for (const choice of choices) readings.push({ template: cut(path, choice), spelling, locale });
    }
    return readings;
  }

  /** The language in a directory's name. @param file the name of a file below it */
  readDirectory(
    segment: string,
    parent: string,
    file: string,
  ): { readonly spelling: string; readonly locale: string; readonly layout: Layout } | undefined {
    const place = this.#placeInDirectory(segment, { parent, child: undefined, file });
    if (!place) return undefined;
    const locale = this.#localeOf(place.spelling, place.layout);
    return locale === undefined ? undefined : { ...place, locale };
  }

  #localeOf(spelling: string, { names }: Layout = ANY_LAYOUT): string | undefined {
    if (names) return names.parse(spelling);
    return this.#locales.get(spelling, () => this.#parse(spelling));
  }

  #placesIn(path: string, top: string): readonly LocaleSpan[] {
    const end = path.lastIndexOf('/') + 1;
    const directory = path.slice(0, end);
    const name = path.slice(end);
    const found = this.#names.get(name, () => this.#placeInName(name));
    const kind = kindOf(name);
    const above = this.#directories.get(`${top}/${directory}${kind}`, () =>
      this.#placesInDirectory(directory, top, name),
    );
    const layout = layoutOf(path);
    const own = layout.isWholeName === true && found?.spelling !== stemOf(name) ? undefined : found;
    const styled = (place: LocaleSpan): LocaleSpan =>
      place.layout === ANY_LAYOUT ? { ...place, layout } : place;
    const place =
      own ?? (isLanguageHolder(nameAbove(directory, top)) ? this.#placeOfAlpha3(stemOf(name)) : undefined);
    const inDirectory = above.map(styled);
    return place ? [...inDirectory, styled({ ...place, start: end + place.start })] : inDirectory;
  }

  #placesInDirectory(directory: string, top: string, file: string): readonly LocaleSpan[] {
    const places: LocaleSpan[] = [];
    const segments = directory.split('/').slice(0, -1);
    let start = 0;
    for (const [i, segment] of segments.entries()) {
      const context = { parent: segments[i - 1] ?? top, child: segments[i + 1], file };
      const place = this.#placeInDirectory(segment, context);
      if (place) places.push({ ...place, start: start + place.start });
      start += segment.length + 1;
    }
    return places;
  }

  #placeInDirectory(segment: string, context: DirectoryContext): LocaleSpan | undefined {
    for (const { layout, directory } of DIRECTORIES) {
      const found = spellingIn(segment, directory, context);
      const place = found && this.#placeAt(found.start, found.spelling, layout);
      // A qualified directory name contains a language or none: `values-night`.
      if (place || (found && directory.name)) return place;
    }
    const place = this.#placeAt(0, segment, ANY_LAYOUT);
    return place ?? (isLanguageHolder(context.parent) ? this.#placeOfAlpha3(segment) : undefined);
  }

  /** Only whole names, because most three-letter words are some language's code. */
  #placeOfAlpha3(name: string): LocaleSpan | undefined {
    return /^[a-z]{3}(?:[-_]|$)/.test(name) ? this.#placeAt(0, name, ALPHA3) : undefined;
  }

  #placeAt(start: number, spelling: string, layout: Layout): LocaleSpan | undefined {
    return this.#localeOf(spelling, layout) === undefined ? undefined : { start, spelling, layout };
  }

  /** Handles `en.json`, `messages_en.properties`, `devise.en.yml`, `en.client.json`. */
  #placeInName(name: string): LocaleSpan | undefined {
    const stem = stemOf(name);
    const layout = layoutOf(name);
    if (this.#localeOf(stem) !== undefined) return { start: 0, spelling: stem, layout };
    // The longest ending that is a locale, so that `app_zh_Hans` is not read as `app_zh` with `Hans`.
    for (const separator of stem.matchAll(/[._-]/g)) {
      const start = separator.index + 1;
      if (separator.index > 0 && this.#localeOf(stem.slice(start)) !== undefined) {
        return { start, spelling: stem.slice(start), layout };
      }
    }
    const prefix = stem.slice(0, stem.indexOf('.'));
    const isPrefix = stem.includes('.') && this.#localeOf(prefix) !== undefined;
    return isPrefix ? { start: 0, spelling: prefix, layout } : undefined;
  }
}

/** Finds language codes that are certain anywhere. */
export const PATH_READER = new PathReader(parseLocale);

/** Also finds names that are certain only next to others, and countries that stand for a language. */
export const RARE_READER = new PathReader((name) => parseRareLocale(name) ?? languageOfCountry(name));

/** Finds names that look like a locale but are not one: `de_informal`, `de-if`, `deAT`, `pt_BR-formal`, `xyz`. */
export const ODD_READER = new PathReader((name) => (isOdd(name) ? name : undefined));

const SHAPE = /^(?:b\+)?([a-z]{2,3})((?:[-_@+][\w@+-]+)?)$/;

export function isOdd(name: string): boolean {
  if (parseLocale(name) !== undefined) return false;
  if (parseLocale(name.replace(/(?<=^[a-z]{2})(?=[A-Z][A-Za-z]$)/, '-')) !== undefined) return true;
  const [, language = '', rest = ''] = SHAPE.exec(name) ?? [];
  if (language === '') return false;
  return rest === '' || parseRareLocale(language) !== undefined || parseLocale(`en${rest}`) !== undefined;
}

function cut(path: string, places: readonly LocaleSpan[]): PathTemplate {
  const parts: string[] = [];
  let at = 0;
  for (const { start, spelling } of places) {
    parts.push(path.slice(at, start));
    at = start + spelling.length;
  }
  parts.push(path.slice(at));
  return { parts, layout: places.find(({ layout }) => layout !== ANY_LAYOUT)?.layout ?? ANY_LAYOUT };
}

function nameAbove(directory: string, top: string): string {
  return directory === '' ? top : (directory.split('/').at(-2) ?? '');
}

const stemOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));

const BY_PATH = LAYOUTS.flatMap((layout) => (layout.paths ? [{ layout, paths: layout.paths }] : []));

const BY_EXTENSION = new Map(
  LAYOUTS.flatMap((layout) => Object.keys(layout.extensions ?? {}).map((name) => [name, layout] as const)),
);

/** How a file's path alone shows the spelling of languages. */
function layoutOf(path: string): Layout {
  const own = BY_PATH.find(({ paths }) => paths.test(path))?.layout;
  return own ?? BY_EXTENSION.get(extensionOf(path)) ?? ANY_LAYOUT;
}

const DIRECTORIES = LAYOUTS.flatMap((layout) =>
  layout.directory ? [{ layout, directory: layout.directory }] : [],
);

/** Identifies files whose directories are read in the same way. */
function kindOf(name: string): string {
  return DIRECTORIES.map(({ directory: { files } }) => (files ? Number(files.test(name)) : '')).join('');
}

interface DirectoryContext {
  readonly parent: string;
  readonly child: string | undefined;
  readonly file: string;
}

function spellingIn(
  segment: string,
  { name, parent, child, files }: LanguageDirectory,
  context: DirectoryContext,
): Pick<LocaleSpan, 'start' | 'spelling'> | undefined {
  if (parent !== undefined && context.parent !== parent) return undefined;
  if (child !== undefined && context.child !== child) return undefined;
  if (files?.test(context.file) === false) return undefined;
  if (!name) return { start: 0, spelling: segment };
  const match = name.exec(segment);
  const [, spelling] = match ?? [];
  return spelling === undefined ? undefined : { start: match?.indices?.[1]?.[0] ?? 0, spelling };
}
