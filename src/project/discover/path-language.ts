import { ANY_LAYOUT } from '../../frameworks/layout.ts';
import { isLanguageHolder } from '../../frameworks/registry.ts';
import { isWord } from '../../languages/words.ts';
import { isUnsure, ODD_READER, PATH_READER } from './path-template.ts';

/** Any directory name that {@link isLanguageHolder} accepts. */
const HOLDER = 'locales';

interface NamedLocale {
  readonly spelling: string;
  /** Canonical. */
  readonly locale: string;
}

/**
 * The language that a localization file's path names according to a layout, canonical: `locales/en/app.json`,
 * `en.json`, `messages_de.properties`, `app.fr.yml`, `values-pt-rBR/strings.xml`, `de.lproj/Main.strings`. Undefined if
 * its parts contradict each other, and for possible words: `sign_in.json`, `src/it/main.json`.
 *
 * @param path separated by `/` or `\`; outside a layout, only the last two parts are examined
 */
export function languageOfPath(path: string): string | undefined {
  const segments = path.split(/[/\\]/);
  const name = segments.pop() ?? '';
  const file = placeInName(name);
  const directories = segments.flatMap((segment, i) =>
    placeInDirectory(segment, { parent: segments[i - 1], name, isLast: i === segments.length - 1 }),
  );
  // `locales/en/it.json` may be about information technology.
  const isNamespace = file !== undefined && directories.length > 0 && isWord(file.spelling);
  const places = file === undefined || isNamespace ? directories : [...directories, file];
  const [first] = places;
  return first && places.every(({ locale }) => locale === first.locale) ? first.locale : undefined;
}

/**
 * Returns a test for files below `locales`, `i18n` or the like that belong to one language according to their name or a
 * directory.
 *
 * @param above the name of the directory that the paths are relative to
 */
export function makePlaceReader(above: string): (path: string) => boolean {
  const directories = new Map<string, 'none' | 'holder' | 'language'>();
  const placeOf = (directory: string): 'none' | 'holder' | 'language' => {
    const known = directories.get(directory);
    if (known !== undefined) return known;
    const end = directory.lastIndexOf('/');
    const name = directory === '' ? above : directory.slice(end + 1);
    const outer = directory === '' ? 'none' : placeOf(directory.slice(0, Math.max(end, 0)));
    const place =
      outer === 'holder' && PATH_READER.read(`${name}/`, HOLDER).length > 0
        ? 'language'
        : outer === 'none' && isLanguageHolder(name)
          ? 'holder'
          : outer;
    directories.set(directory, place);
    return place;
  };
  return (path) => {
    const end = path.lastIndexOf('/');
    const place = placeOf(path.slice(0, Math.max(end, 0)));
    return place === 'holder' ? placeInName(path.slice(end + 1), HOLDER) !== undefined : place === 'language';
  };
}

/** Whether a name ends with a locale (`app_de.ts`, `app_it.ts`) or with something that looks like one: `app_grc.ts`. */
export function suffixOfPath(path: string): 'locale' | 'odd' | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [own] = PATH_READER.read(name);
  const reading = own ?? ODD_READER.read(name)[0];
  if (!reading || name.startsWith(reading.spelling)) return undefined;
  return own ? 'locale' : 'odd';
}

/** @param parent the name of the parent directory */
function placeInName(name: string, parent?: string): NamedLocale | undefined {
  const [reading] = PATH_READER.read(name, parent);
  if (!reading) return undefined;
  const { spelling, template } = reading;
  const isWholeName = name.lastIndexOf('.') === spelling.length && name.startsWith(spelling);
  const isSure = isWholeName || template.layout.isSure === true;
  return isSure || !isWord(spelling) ? reading : undefined;
}

interface DirectoryContext {
  readonly parent: string | undefined;
  /** The file's name, because `values-de` is a locale only for XML files. */
  readonly name: string;
  /** Whether the file is directly in this directory. */
  readonly isLast: boolean;
}

function placeInDirectory(
  segment: string,
  { parent, name, isLast }: DirectoryContext,
): readonly NamedLocale[] {
  const reading = PATH_READER.readDirectory(segment, parent ?? '', name);
  // A three-letter code is certain only next to other codes.
  if (!reading || isUnsure(reading.layout)) return [];
  const isSure = reading.layout !== ANY_LAYOUT || (parent !== undefined && isLanguageHolder(parent));
  return isSure || (isLast && !isWord(reading.spelling)) ? [reading] : [];
}
