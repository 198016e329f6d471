import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { systemError } from '../../base/system-error.ts';
import { languageOf, parseLocale } from '../../languages/locale.ts';
import { type LanguageOptions, sourceOf, targetsOf } from '../options/language.ts';
import type { CommandContext } from '../output/command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addTo } from '../../base/map-of-lists.ts';

/**
 * Absolute paths of the named files, in order, without duplicates. A pattern (`'locales/*.json'`, with the
 * configuration's syntax) is expanded here for shells that do not; a file with exactly this name takes precedence.
 * Hidden names must be written out; links are not followed.
 *
 * @throws DragomanError `usage` for a pattern without matches, `unreadable_input` for a directory that cannot be
 * listed, `interrupted`
 */
export async function expandFiles(
  args: readonly string[],
  { cwd, signal }: Pick<Terminal, 'cwd' | 'signal'>,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const argument of args) {
    const path = resolve(cwd, argument);
    if (!/[*?[{(]/.test(argument) || typeAt(path) !== undefined) paths.push(path);
    else {
      const found = await findFiles(argument, cwd, signal);
      if (found.length === 0) throw new DragomanError('usage', `no file matches ${argument}`);
      paths.push(...found);
    }
  }
  return [...new Set(paths)];
}

/** A file found below a directory argument. */
interface FileBelow {
  /** Absolute. */
  readonly path: string;
  /** The directory relative to the directory argument; empty for the argument itself. */
  readonly below: string;
}

/**
 * The files with these extensions below a directory, ordered by path. Hidden names are skipped, and links are not
 * followed.
 *
 * @throws DragomanError `unreadable_input` and `interrupted`, like {@link expandFiles}
 */
async function filesBelow(
  directory: string,
  extensions: readonly string[],
  signal: AbortSignal,
): Promise<readonly FileBelow[]> {
  return (await findFiles('**/*', directory, signal))
    .filter((path) => extensions.includes(extname(path).slice(1).toLowerCase()))
    .map((path) => ({ path, below: relative(directory, dirname(path)) }));
}

/**
 * The pattern comes from the user, so matching needs no limit; `project/config/glob.ts` matches patterns from a
 * checkout.
 */
async function findFiles(pattern: string, cwd: string, signal: AbortSignal): Promise<readonly string[]> {
  // Loaded only here, because most arguments are plain names.
  const { default: fastGlob } = await import('fast-glob');
  throwIfAborted(signal, 'interrupted before the search for files');
  const found: string[] = [];
  try {
    for await (const path of fastGlob.stream(pattern, { cwd, absolute: true, followSymbolicLinks: false })) {
      throwIfAborted(signal, 'interrupted while looking for files');
      found.push(String(path));
    }
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw systemError('unreadable_input', `list the files of ${cwd}`, error);
  }
  return found.sort();
}

/** Files that a command looks for in directory arguments. */
interface InputKind {
  /** The kind's name for messages: `subtitles`. */
  readonly what: string;
  readonly extensions: readonly string[];
  readonly flags: LanguageOptions;
}

/** Explains which files were skipped as translations, because the user may have wanted them. */
function passedOverText([first = '', ...others]: readonly string[], { cwd }: Pick<Terminal, 'cwd'>): string {
  const example = relative(cwd, first);
  if (others.length === 0)
    return `Skipped ${example}, which looks like a translation. Name the file to translate it anyway.`;
  return `Skipped ${others.length + 1} files that look like translations, such as ${example}. Name files to translate them anyway.`;
}

/**
 * The named files, and those below directories, each with its location relative to the directory.
 *
 * @throws DragomanError `usage` for a directory without such files, and like {@link expandFiles}
 */
export async function listInputs(
  args: readonly string[],
  kind: InputKind,
  context: CommandContext,
): Promise<ReadonlyMap<string, string | undefined>> {
  const places = new Map<string, string | undefined>();
  for (const path of await expandFiles(args, context.terminal)) {
    if (typeAt(path) !== 'directory') places.set(path, undefined);
    else for (const found of await sourcesBelow(path, kind, context)) places.set(found.path, found.below);
  }
  return places;
}

async function sourcesBelow(
  directory: string,
  { what, extensions, flags }: InputKind,
  { terminal, output }: CommandContext,
): Promise<readonly FileBelow[]> {
  const found = await filesBelow(directory, extensions, terminal.signal);
  const source = sourceOf(flags);
  // Skips translations written by an earlier run next to their sources, and those in directories such as `docs/es`.
  const targets = targetsOf(flags) ?? [];
  const stems = new Set(found.map(({ path }) => stemOf(path)));
  const translations = inLanguages(found, directory, targets);
  const isResult = ({ path }: FileBelow): boolean =>
    translations.has(path) ||
    targets.some((target) => path.endsWith(`.${target}${extname(path)}`) && stems.has(stemOf(stemOf(path))));
  const isOfOther = ({ path }: FileBelow): boolean => {
    const [stem, locale] = splitLocale(stemOf(path));
    // A conversion has no target languages.
    if (targets.length === 0 || locale === undefined) return false;
    if (source !== undefined && languageOf(locale) === languageOf(source)) return false;
    return stems.has(stem) || (source !== undefined && stems.has(`${stem}.${source}`));
  };
  const wanted = found.filter((file) => !isResult(file));
  const passedOver = wanted.filter(isOfOther);
  if (passedOver.length > 0)
    output.message(
      passedOverText(
        passedOver.map(({ path }) => path),
        terminal,
      ),
    );
  const sources = wanted.filter((file) => !passedOver.includes(file));
  if (sources.length > 0) return sources;
  throw new DragomanError('usage', `there are no ${what} below ${directory}`, {
    hint: `Known extensions: ${extensions.join(', ')}.`,
  });
}

/**
 * The files in the directory of one of these languages that also exist for another language or outside: `es/guide.md`
 * next to `guide.md` or `en/guide.md`.
 */
function inLanguages(
  found: readonly FileBelow[],
  directory: string,
  targets: readonly string[],
): ReadonlySet<string> {
  const paths = new Set(found.map(({ path }) => path));
  const translations = new Set<string>();
  const byPlace = new Map<string, { readonly path: string; readonly language: string }[]>();
  for (const { path, below } of found) {
    const segments = below.split(sep);
    for (const [at, language] of segments.entries()) {
      if (parseLocale(language) === undefined) continue;
      const placeOf = (name: readonly string[]): string =>
        join(directory, ...segments.slice(0, at), ...name, ...segments.slice(at + 1), basename(path));
      if (targets.includes(language) && paths.has(placeOf([]))) translations.add(path);
      const place = placeOf(['*']);
      addTo(byPlace, place, { path, language });
    }
  }
  for (const files of byPlace.values()) {
    if (files.every(({ language }) => targets.includes(language))) continue;
    for (const { path, language } of files) if (targets.includes(language)) translations.add(path);
  }
  return translations;
}

/** Splits the language, made canonical, off the end of a path without its extension. */
function splitLocale(stem: string): readonly [stem: string, locale: string | undefined] {
  const spelling = extname(stem).slice(1);
  return [stemOf(stem), spelling === '' ? undefined : parseLocale(spelling)];
}

/** A path without its extension. */
function stemOf(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}
