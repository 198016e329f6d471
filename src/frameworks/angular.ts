import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';
import { posix } from 'node:path';
import { fieldOf, isObject, textOf } from '../base/json.ts';
import { parseLocale, parseRareLocale } from '../languages/locale.ts';
import { ANY_LAYOUT, type BaseTree, directoryOf, type NamedFiles } from './layout.ts';

export const angular = describeFramework({
  id: 'angular',
  title: 'Angular',
  // Nx workspaces have no `angular.json`.
  evidence: [
    { files: ['angular.json'] },
    { files: ['package.json'], names: ['@angular/localize', '@angular/core'] },
  ],
  formats: ['xliff', 'json'],
  holds: /\.xlf$|\.xliff$/,
  namedFiles: ({ path, text }, files) => {
    const known = new Set(files);
    return projectsIn(text).flatMap((project) => filesOf(project, directoryOf(path), known) ?? []);
  },
  layouts: [
    {
      style: 'bcp47',
      base: (path, tree) => (/\.(?:xlf|xliff)$/.test(path) ? translationsOf(path, tree) : undefined),
    },
  ],
  messagesOf: messagesIn('Angular', 'angular'),
  lint: { isCertain: true },
});

/**
 * `messages.xlf` names no locale. Its translations are `messages.de.xlf`, unless existing ones follow another pattern.
 */
function translationsOf(path: string, { hasFiles, namesLanguage }: BaseTree): readonly string[] | undefined {
  const dot = path.lastIndexOf('.');
  const choices = ['.', '_', '-'].map((separator) => [path.slice(0, dot) + separator, path.slice(dot)]);
  const directory = directoryOf(path);
  // TYPO3 puts the locale before the name, which is also the source's name: `de.locallang.xlf`.
  const prefixed = [directory, `.${path.slice(directory.length)}`];
  return [...choices, prefixed].find(hasFiles) ?? (namesLanguage(path) ? undefined : choices[0]);
}

/** The projects of a workspace. */
function projectsIn(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const projects = fieldOf(value, 'projects');
  return isObject(projects) ? Object.values(projects) : [];
}

/**
 * The extracted file and the translations in `i18n.locales`.
 *
 * @param site the workspace directory, with a trailing slash
 */
function filesOf(project: unknown, site: string, known: ReadonlySet<string>): NamedFiles | undefined {
  const i18n = fieldOf(project, 'i18n');
  const locales = fieldOf(i18n, 'locales');
  const named = (isObject(locales) ? Object.entries(locales) : []).flatMap(([code, value]) => {
    const translation: unknown = isObject(value) ? value['translation'] : value;
    const [file]: readonly unknown[] = Array.isArray(translation) ? translation : [translation];
    const spelling = typeof file === 'string' ? spellingIn(file, code) : undefined;
    return typeof file === 'string' && spelling !== undefined && FILE.test(file)
      ? [{ file: posix.join(site, file), spelling }]
      : [];
  });
  const [first] = named;
  if (!first) return undefined;
  const base = [...extractedBy(project, site), ...extractedAbove(first.file, site)].find((path) =>
    known.has(path),
  );
  if (base === undefined) return undefined;
  const parts = partsOf(first, site, named);
  const members = new Map<string, { readonly path: string; readonly spelling: string }>();
  for (const path of known) {
    const spelling = path === base ? undefined : spellingAt(path, parts);
    const locale = spelling === undefined ? undefined : (parseLocale(spelling) ?? parseRareLocale(spelling));
    if (spelling !== undefined && locale !== undefined && !members.has(locale))
      members.set(locale, { path, spelling });
  }
  const source = textOf(i18n, 'sourceLocale') ?? textOf(fieldOf(i18n, 'sourceLocale'), 'code');
  const declared = source === undefined ? undefined : parseLocale(source);
  return { base, template: { parts, layout: ANY_LAYOUT }, members, declared };
}

const FILE = /\.(?:xlf|xliff)$/;

interface NamedFile {
  readonly file: string;
  readonly spelling: string;
}

/** The parts of a path around the language, which can occur twice: `i18n/de/messages.de.xlf`. */
function partsOf({ file, spelling }: NamedFile, site: string, all: readonly NamedFile[]): readonly string[] {
  const word = /^[\w-]+$/.test(spelling) ? new RegExp(`(?<=[/._-])${spelling}(?=[/._-])`) : spelling;
  const [start = '', ...others] = file.slice(site.length).split(word);
  const parts = [site + start, ...others];
  if (others.length > 0 && all.every((one) => spellingAt(one.file, parts) !== undefined)) return parts;
  const at = file.lastIndexOf(spelling);
  return [file.slice(0, at), file.slice(at + spelling.length)];
}

/** The language of a path with these parts. */
function spellingAt(path: string, parts: readonly string[]): string | undefined {
  const rest = path.length - parts.join('').length;
  const start = parts[0]?.length ?? 0;
  const spelling = path.slice(start, start + rest / (parts.length - 1));
  return parts.join(spelling) === path ? spelling : undefined;
}

/** Possible paths of `messages.xlf`: beside a translation, or in a directory above it. */
function extractedAbove(file: string, site: string): readonly string[] {
  const directories: string[] = [];
  for (let at = directoryOf(file); at.startsWith(site) && at !== ''; at = directoryOf(at.slice(0, -1)))
    directories.push(at);
  return directories.map((directory) => `${directory}messages.xlf`);
}

/** The files that `ng extract-i18n` writes, by its options or its defaults. */
function extractedBy(project: unknown, site: string): readonly string[] {
  const targets = fieldOf(project, 'architect') ?? fieldOf(project, 'targets');
  const options = fieldOf(fieldOf(targets, 'extract-i18n'), 'options');
  const [directory, file] = [
    textOf(options, 'outputPath') ?? '',
    textOf(options, 'outFile') ?? 'messages.xlf',
  ];
  return [posix.join(site, directory, file), posix.join(site, 'messages.xlf')];
}

/** The spelling of a language in a file name. */
function spellingIn(file: string, code: string): string | undefined {
  const start = directoryOf(file).length;
  const spellings = [code, code.replaceAll('-', '_'), code.toLowerCase()];
  return spellings.find((spelling) => file.includes(spelling, start));
}
