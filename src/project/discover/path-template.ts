import { extensionOf, NAME_STYLES } from '../../formats/registry.ts';
import { localeOfAlpha3, spellAlpha3 } from '../../languages/alpha3.ts';
import { englishNameOf, localeOfEnglishName } from '../../languages/catalog.ts';
import { localeStyle, type LocaleStyle, parseLocale, spellLocale } from '../../languages/locale.ts';

/** A path without its locale: the parts between the locale's occurrences. */
export interface PathTemplate {
  readonly parts: readonly string[];
  /** Which convention the path follows, where it decides how locales are spelled. */
  readonly convention: Convention;
}

export type Convention =
  | 'android'
  | 'apple'
  | 'gettext'
  | 'chrome'
  | 'codeigniter'
  | 'underscore'
  | 'dotnet'
  | 'vscode'
  | 'alpha3'
  | 'none';

const HOLDER = /^(?:_?locales?|lang(?:uage)?s?|translations?|i18n|intl|l10n|locali[sz]ations?|messages)$/i;

/** Whether directories of this name hold a file or a directory for each language: `locales`, `i18n`, `lang`. */
export function isLanguageHolder(name: string): boolean {
  return HOLDER.test(name);
}

/** One reading of a path: the file of `locale` in the set of files that `template` describes. */
interface PathReading {
  readonly template: PathTemplate;
  readonly spelling: string;
  readonly locale: string;
}

export function fillTemplate(template: PathTemplate, spelling: string): string {
  return template.parts.join(spelling);
}

/** Files with codes of three letters are a set of their own: `cat.json` beside `en.json` is no Catalan. */
export function templateId({ parts, convention }: PathTemplate): string {
  return parts.join('\0') + (convention === 'alpha3' ? '\0\0' : '');
}

/** Remembers answers: the same names and directories come by the thousand. */
class Recollection<Answer> {
  readonly #answers = new Map<string, { readonly answer: Answer }>();

  recall(question: string, find: () => Answer): Answer {
    const known = this.#answers.get(question);
    if (known) return known.answer;
    const answer = find();
    // A bound, as a process may look at many projects.
    if (this.#answers.size < 100_000) this.#answers.set(question, { answer });
    return answer;
  }
}

const locales = new Recollection<string | undefined>();
const names = new Recollection<LocaleSpan | undefined>();
const directories = new Recollection<readonly LocaleSpan[]>();

function localeOf(spelling: string, convention: Convention = 'none'): string | undefined {
  if (convention === 'codeigniter') return localeOfEnglishName(spelling);
  if (convention === 'alpha3') return localeOfAlpha3(spelling);
  return locales.recall(spelling, () => parseLocale(spelling));
}

interface LocaleSpan {
  readonly start: number;
  readonly spelling: string;
  readonly convention: Convention;
}

/**
 * Every way in which a path may name its locale.
 *
 * @param above the name of the directory that the path is relative to
 */
export function readPath(path: string, above = ''): readonly PathReading[] {
  const all = placesIn(path, above);
  const [only] = all;
  if (only && all.length === 1) {
    const locale = localeOf(only.spelling, only.convention);
    return locale === undefined ? [] : [{ template: cut(path, all), spelling: only.spelling, locale }];
  }
  const readings: PathReading[] = [];
  const bySpelling = new Map<string, LocaleSpan[]>();
  for (const place of all) {
    const places = bySpelling.get(place.spelling);
    if (places) places.push(place);
    else bySpelling.set(place.spelling, [place]);
  }
  for (const [spelling, places] of bySpelling) {
    const locale = localeOf(spelling, places[0]?.convention);
    if (locale === undefined) continue;
    // `en/en.json` may be `{locale}/{locale}.json`, or one of them may just be called so.
    const choices = places.length > 1 ? [places, ...places.map((place) => [place])] : [places];
    for (const choice of choices) readings.push({ template: cut(path, choice), spelling, locale });
  }
  return readings;
}

function cut(path: string, places: readonly LocaleSpan[]): PathTemplate {
  const parts: string[] = [];
  let at = 0;
  for (const { start, spelling } of places) {
    parts.push(path.slice(at, start));
    at = start + spelling.length;
  }
  parts.push(path.slice(at));
  return { parts, convention: places.find((place) => place.convention !== 'none')?.convention ?? 'none' };
}

function placesIn(path: string, top: string): readonly LocaleSpan[] {
  const end = path.lastIndexOf('/') + 1;
  const directory = path.slice(0, end);
  const name = path.slice(end);
  const own = names.recall(name, () => placeInName(name));
  const kind = kindOf(name);
  const above = directories.recall(`${top}/${directory}${kind}`, () =>
    placesInDirectory(directory, top, kind),
  );
  const style: Convention = YII.test(path) ? 'none' : (NAME_STYLES.get(extensionOf(name)) ?? 'none');
  const styled = above.map((place) =>
    place.convention === 'none' ? { ...place, convention: style } : place,
  );
  const place =
    own ?? (isLanguageHolder(nameAbove(directory, top)) ? placeOfAlpha3(stemOf(name)) : undefined);
  return place ? [...styled, { ...place, start: end + place.start }] : styled;
}

function nameAbove(directory: string, top: string): string {
  return directory === '' ? top : (directory.split('/').at(-2) ?? '');
}

const stemOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));

/** Only as the whole name: most words of three letters are some language's code. */
function placeOfAlpha3(name: string): LocaleSpan | undefined {
  return /^[a-z]{3}(?:[-_]|$)/.test(name) ? placeAt(0, name, 'alpha3') : undefined;
}

/** Yii names directories as it names languages, `messages/pt-BR/app.php`, unlike others with PHP files. */
const YII = /(?:^|\/)messages\/[^/]+\/[^/]+\.php$/;

/** Files whose directories follow a convention of their own. */
type FileKind = 'android' | 'codeigniter' | 'any';

function kindOf(name: string): FileKind {
  if (name.endsWith('.xml')) return 'android';
  return name.endsWith('_lang.php') ? 'codeigniter' : 'any';
}

function placesInDirectory(directory: string, top: string, kind: FileKind): readonly LocaleSpan[] {
  const places: LocaleSpan[] = [];
  const segments = directory.split('/').slice(0, -1);
  let start = 0;
  for (const [i, segment] of segments.entries()) {
    const place = placeInDirectory(segment, segments[i - 1] ?? top, segments[i + 1], kind);
    if (place) places.push({ ...place, start: start + place.start });
    start += segment.length + 1;
  }
  return places;
}

function placeInDirectory(
  segment: string,
  parent: string | undefined,
  child: string | undefined,
  kind: FileKind,
): LocaleSpan | undefined {
  if (segment.endsWith('.lproj')) return placeAt(0, segment.slice(0, -'.lproj'.length), 'apple');
  if (segment.endsWith('.xcloc')) return placeAt(0, segment.slice(0, -'.xcloc'.length), 'none');
  if (kind === 'codeigniter' && parent === 'language') return placeAt(0, segment, 'codeigniter');
  if (segment.startsWith('values-') && kind === 'android') return placeAt(7, segment.slice(7), 'android');
  if (parent === '_locales') return placeAt(0, segment, 'chrome');
  const place = placeAt(0, segment, child === 'LC_MESSAGES' ? 'gettext' : 'none');
  return place ?? (isLanguageHolder(parent ?? '') ? placeOfAlpha3(segment) : undefined);
}

function placeAt(start: number, spelling: string, convention: Convention): LocaleSpan | undefined {
  return localeOf(spelling, convention) === undefined ? undefined : { start, spelling, convention };
}

/** What an extension of VS Code says in its manifest, and in its code. */
const VSCODE = /^(?:package\.nls|bundle\.l10n)\.(?:.+\.)?json$/;

/** `en.json`, `messages_en.properties`, `devise.en.yml`, `en.client.json`. */
function placeInName(name: string): LocaleSpan | undefined {
  const stem = stemOf(name);
  const convention = VSCODE.test(name) ? 'vscode' : (NAME_STYLES.get(extensionOf(name)) ?? 'none');
  if (localeOf(stem) !== undefined) return { start: 0, spelling: stem, convention };
  // The longest ending that is a locale: `app_zh_Hans`, and not `Hans` of an `app_zh`.
  for (const separator of stem.matchAll(/[._-]/g)) {
    const start = separator.index + 1;
    if (separator.index > 0 && localeOf(stem.slice(start)) !== undefined) {
      return { start, spelling: stem.slice(start), convention };
    }
  }
  const prefix = stem.slice(0, stem.indexOf('.'));
  if (stem.includes('.') && localeOf(prefix) !== undefined) return { start: 0, spelling: prefix, convention };
  return undefined;
}

const STYLES: Readonly<Record<Convention, LocaleStyle>> = {
  android: 'android',
  apple: 'script',
  gettext: 'gettext',
  chrome: 'underscore',
  codeigniter: 'bcp47',
  underscore: 'underscore',
  dotnet: 'bcp47',
  vscode: 'lower-hyphen',
  alpha3: 'bcp47',
  none: 'bcp47',
};

const STRICT: ReadonlySet<Convention> = new Set(['android', 'apple', 'chrome', 'dotnet', 'vscode']);

export interface SpellingRules {
  /** Canonical code to spelling: the configuration's word is the last. */
  readonly locales?: ReadonlyMap<string, string> | undefined;
  readonly style?: LocaleStyle | undefined;
}

/** Spells locales for the files of one convention, given how the files of one set do. */
export type Speller = (convention: Convention, own: readonly string[]) => (locale: string) => string;

/**
 * Spells locales: as configured, else as the files of the same set do, else as the project's files do, else as the
 * convention wants it.
 *
 * @param all the spellings in the project
 */
export function makeSpeller(all: Iterable<string>, rules: SpellingRules): Speller {
  const distinct = [...new Set(all)];
  const styles = new Map<Convention, LocaleStyle>();
  const styleOf = (convention: Convention): LocaleStyle => {
    const custom = STYLES[convention];
    // These platforms look for names in their own spelling, even if the rest of the project spells locales
    // differently.
    const strict = STRICT.has(convention);
    const style = styles.get(convention) ?? (strict ? custom : localeStyle(distinct, custom));
    styles.set(convention, style);
    return style;
  };
  return (convention, own) => {
    if (convention === 'codeigniter') return (locale) => rules.locales?.get(locale) ?? englishNameOf(locale);
    let style = rules.style;
    return (locale) => {
      style ??= localeStyle(own, styleOf(convention));
      const configured = rules.locales?.get(locale);
      if (configured !== undefined) return configured;
      return convention === 'alpha3' ? spellAlpha3(locale, style, own) : spellLocale(locale, style);
    };
  };
}
