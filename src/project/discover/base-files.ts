import { readPath, type PathTemplate } from './path-template.ts';

/** A file in the source language whose path names no locale, and where its translations go. */
export interface BaseFile {
  readonly path: string;
  readonly template: PathTemplate;
}

/** Names of .properties files, and of their directories, that say: here are texts, not settings. */
const TEXT_NAME =
  /(?:messages?|strings?|bundle|labels?|resources?|translations?|i18n|l10n|locali[sz]ation|texts?|language)$/i;
const TEXT_DIRECTORY = /^(?:i18n|l10n|lang(?:uage)?s?|locales?|messages|translations?|bundles?)$/i;

/** Names of nothing but texts. `resources` and `language` may be settings. */
const ONLY_TEXTS = /(?:messages?|strings?|labels?|translations?|texts?)$/i;

/** Whether the path of a `.properties` file says that it has texts. */
export function namesTexts(path: string): boolean {
  const stem = path.slice(0, -'.properties'.length);
  return TEXT_NAME.test(stem) || TEXT_DIRECTORY.test(stem.split('/').at(-2) ?? '');
}

/** Whether a `.properties` file has any texts. */
export function namesOnlyTexts(path: string): boolean {
  return ONLY_TEXTS.test(path.slice(0, -'.properties'.length));
}

/**
 * The files that are the source of a layout without saying their language: Android's `values/`, Apple's `Base.lproj`,
 * `messages.properties`, `Res.resx`, VS Code's `package.nls.json`, gettext templates, and Angular's `messages.xlf`.
 *
 * @param isTemplate whether files with a locale in their path exist by this template.
 */
export function findBaseFiles(
  paths: readonly string[],
  isTemplate: (id: string) => boolean,
): readonly BaseFile[] {
  const templates = paths.filter((path) => path.endsWith('.pot'));
  const siblings = new Map<string, number>();
  for (const path of templates) siblings.set(directoryOf(path), (siblings.get(directoryOf(path)) ?? 0) + 1);
  return paths.flatMap((path): BaseFile[] => {
    const template = path.endsWith('.pot')
      ? gettextTemplate(path, isTemplate, siblings.get(directoryOf(path)) === 1)
      : templateOf(path, isTemplate);
    return template ? [{ path, template }] : [];
  });
}

function templateOf(path: string, isTemplate: (id: string) => boolean): PathTemplate | undefined {
  if (path.includes('Base.lproj/')) return appleTemplate(path);
  if (path.endsWith('.xml')) return androidTemplate(path);
  const vscode = /^((?:.*\/)?(?:package\.nls|bundle\.l10n)\.)json$/.exec(path)?.[1];
  if (vscode !== undefined) return { parts: [vscode, '.json'], convention: 'vscode' };
  if (/\.(?:xlf|xliff)$/.test(path)) return extractTemplate(path, isTemplate);
  return /\.(?:properties|resx)$/.test(path) ? bundleTemplate(path, isTemplate) : undefined;
}

function androidTemplate(path: string): PathTemplate | undefined {
  const match = /^(.*\/)?values\/([^/]+\.xml)$/.exec(path);
  if (!match) return undefined;
  return { parts: [`${match[1] ?? ''}values-`, `/${match[2]}`], convention: 'android' };
}

function appleTemplate(path: string): PathTemplate | undefined {
  const match = /^(.*\/)?Base\.lproj\/(.+)$/.exec(path);
  return match ? { parts: [match[1] ?? '', `.lproj/${match[2]}`], convention: 'apple' } : undefined;
}

function bundleTemplate(path: string, isTemplate: (id: string) => boolean): PathTemplate | undefined {
  const isResx = path.endsWith('.resx');
  const dot = path.lastIndexOf('.');
  const stem = path.slice(0, dot);
  // Visual Studio's tools make `xlf/Res.de.xlf` of it, from which the build makes the translations.
  const name = stem.slice(directoryOf(path).length);
  if (isResx && isTemplate(`${directoryOf(path)}xlf/${name}.\0.xlf`)) return undefined;
  if (stem === '' || readPath(path.slice(directoryOf(path).length)).length > 0) return undefined;
  const parts = [`${stem}${isResx ? '.' : '_'}`, path.slice(dot)];
  if (!isResx && !namesTexts(path) && !isTemplate(parts.join('\0'))) return undefined;
  return { parts, convention: isResx ? 'dotnet' : 'underscore' };
}

/** Angular's `messages.xlf`, which names no locale: its translations are `messages.de.xlf`, or as those that are there. */
function extractTemplate(path: string, isTemplate: (id: string) => boolean): PathTemplate | undefined {
  const dot = path.lastIndexOf('.');
  const choices = ['.', '_', '-'].map((separator) => [path.slice(0, dot) + separator, path.slice(dot)]);
  const directory = directoryOf(path);
  // TYPO3 has the locale before the name, which is the source's as well: `de.locallang.xlf`.
  const prefixed = [directory, `.${path.slice(directory.length)}`];
  const known = [...choices, prefixed].find((choice) => isTemplate(choice.join('\0')));
  if (known) return { parts: known, convention: 'none' };
  const [first = []] = choices;
  return readPath(path).length > 0 ? undefined : { parts: first, convention: 'none' };
}

/** Where gettext's translations are: beside what exists already, else by the custom of the directory's name. */
function gettextTemplate(path: string, isTemplate: (id: string) => boolean, alone: boolean): PathTemplate {
  const directory = directoryOf(path);
  const name = path.slice(directory.length, -'.pot'.length);
  const above = directory.replace(/[^/]+\/$/, '');
  const top = directory.replace(/(?:[^/]+\/)?LC_MESSAGES\/$/, '');
  const messages = (root: string): readonly string[] => [root, `/LC_MESSAGES/${name}.po`];
  const choices: (readonly string[])[] = [
    messages(directory),
    messages(top),
    messages(above),
    ...['locale/', 'locales/', 'i18n/'].flatMap((folder) => [
      messages(directory + folder),
      messages(above + folder),
    ]),
    [`${directory}${name}-`, '.po'],
    [`${directory}${name}_`, '.po'],
    [`${directory}${name}.`, '.po'],
    [directory, `/${name}.po`],
    [above, `/${name}.po`],
    ...(alone ? [[directory, '.po']] : []),
  ];
  const parts =
    choices.find((choice) => isTemplate(choice.join('\0'))) ?? customary(directory, top, name, alone);
  return { parts, convention: 'gettext' };
}

function customary(directory: string, top: string, name: string, alone: boolean): readonly string[] {
  if (top !== directory || /(?:^|\/)locales?\/$/.test(directory)) return [top, `/LC_MESSAGES/${name}.po`];
  return alone && !/(?:^|\/)languages\/$/.test(directory)
    ? [directory, '.po']
    : [`${directory}${name}-`, '.po'];
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
